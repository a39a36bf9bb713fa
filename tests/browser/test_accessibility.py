"""axe-core finds no serious fault in the pages, in light and in dark mode."""

import pytest
from playwright.sync_api import expect

from tests.placement import TAKES_LONG

from .conftest import OpenPage
from .looks import faults

pytestmark = [pytest.mark.once, pytest.mark.parametrize("scheme", ["light", "dark"]), TAKES_LONG]

PAGES = ("/",)


def test_the_reference_has_no_serious_fault(open_page: OpenPage, scheme: str) -> None:
    page = open_page(color_scheme=scheme)
    page.goto("/v1/docs")
    for path in ("/v1/login", "/v1/passkeys/{credential_id}"):
        operation = page.locator(f'.opblock:has([data-path="{path}"])')
        operation.locator(".opblock-summary-control").click()
        operation.get_by_role("button", name="Try it out").click()
    expect(page.locator(".responses-wrapper")).to_have_count(2)
    assert page.evaluate("location.hash").endswith("removePasskey")

    page.get_by_role("button", name="Authorize").first.click()

    expect(page.get_by_role("button", name="Close", exact=True).first).to_be_visible()
    assert faults(page) == []


def test_the_other_pages_have_no_serious_fault(open_page: OpenPage, scheme: str) -> None:
    page = open_page(color_scheme=scheme)
    for path in PAGES:
        page.goto(path)
        expect(page.get_by_role("heading").first).to_be_visible()

        assert faults(page) == []
