import pytest
from playwright.sync_api import Page, expect

from .conftest import OpenPage
from .service import Service

pytestmark = pytest.mark.once


def test_the_reference_shows_every_route_without_other_origins(page: Page, service: Service) -> None:
    described = {
        (method.upper(), path)
        for path, methods in service.get("/v1/openapi.json").body["paths"].items()
        for method in methods
    }

    page.goto("/v1/docs")

    expect(page.locator(".opblock")).to_have_count(len(described))
    shown = page.locator(".opblock-summary-method, .opblock-summary-path").evaluate_all(
        "parts => parts.map(part => part.dataset.path ?? part.textContent)"
    )
    assert set(zip(shown[::2], shown[1::2], strict=True)) == described


def test_without_javascript_the_page_links_to_the_openapi_document(open_page: OpenPage) -> None:
    page = open_page(java_script_enabled=False)
    page.goto("/v1/docs")

    page.locator("noscript a").click()

    page.wait_for_url("**/v1/openapi.json")


def test_the_reference_calls_the_origin_of_its_page_when_base_url_is_another(page: Page, service: Service) -> None:
    described = {**service.get("/v1/openapi.json").body, "servers": [{"url": "https://auth.example.com"}]}
    page.route("**/v1/openapi.json", lambda route: route.fulfill(json=described))
    page.goto("/v1/docs")
    operation = page.locator(".opblock").filter(has_text="/v1/health")
    operation.locator(".opblock-summary-control").click()
    operation.get_by_role("button", name="Try it out").click()

    with page.expect_response("**/v1/health") as answered:
        operation.get_by_role("button", name="Execute").click()

    assert answered.value.url == f"{service.url}/v1/health"
    assert answered.value.status == 200
