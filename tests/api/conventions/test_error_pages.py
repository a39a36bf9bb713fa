"""The error pages of the standalone project. No test here has a database, so no error page needs one."""

import re
from typing import Any

import pytest
from django.conf import settings as project
from django.test import Client

from core.errors import DbUnreachable, Overloaded, RateLimited, ServiceError

from .failing_site import SECRET, Fail

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(project.ROOT_URLCONF != "config.urls", reason="a host project has pages of its own"),
]

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
broken_site = pytest.mark.urls("tests.api.conventions.broken_site")


@pytest.fixture
def client() -> Client:
    """A client that gets the answer when a request fails."""
    return Client(raise_request_exception=False)


def check_page(page: Any, *, status: int, title: str) -> str:
    """Check the headers and the title of an error page, and return its HTML."""
    html = str(page.content.decode())
    assert (page.status_code, page.headers["Content-Type"]) == (status, "text/html; charset=utf-8"), html
    assert f"<h1>{title}</h1>" in html
    assert 'href="/account/assets/pages.css?v=' in html
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    assert {"Accept-Language", "Cookie"} <= set(page.headers["Vary"].split(", "))
    assert page.headers["Cache-Control"] == "no-store"
    assert page.headers["Content-Length"] == str(len(page.content))
    assert re.fullmatch(r"[0-9a-f]{32}", page.headers["X-Request-ID"])
    assert SECRET not in html
    return html


@pytest.mark.parametrize("path", ["/nonsense", "/a/b/c", "/mail/x", "/.well-known/x", "/line%0Abreak", "/%3Cscript%3E"])
def test_a_browser_gets_a_page_for_an_unknown_address(client: Client, path: str) -> None:
    check_page(client.get(path, headers=BROWSER), status=404, title="There is no such page")


def test_a_page_has_the_language_of_the_browser(client: Client) -> None:
    page = client.get("/nonsense", headers={**BROWSER, "Accept-Language": "de-AT"})

    check_page(page, status=404, title="Diese Seite gibt es nicht")
    assert page.headers["Content-Language"] == "de"


@pytest.mark.parametrize(
    "accept", ["application/json", "*/*", "", "application/json, text/html;q=0.5", "text/html;q=0"]
)
def test_every_other_caller_gets_json(client: Client, accept: str) -> None:
    answer = client.get("/nonsense", headers={"Accept": accept})

    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


@pytest.mark.parametrize("path", ["/v1/nonsense", "/v1/", "/v1/docs/nonsense"])
def test_below_the_api_every_error_is_json(client: Client, path: str) -> None:
    answer = client.get(path, headers=BROWSER)

    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


@pytest.mark.parametrize("path", ["/", "/nonsense"])
def test_a_wrong_host_gets_a_page_that_states_the_setting(client: Client, path: str) -> None:
    page = client.get(path, headers={**BROWSER, "Host": "evil.example"})

    assert "ALLOWED_HOSTS" in check_page(page, status=400, title="This request is not valid")


def test_a_wrong_method_gets_a_page_with_the_permitted_methods(client: Client) -> None:
    page = client.post("/", headers={**BROWSER, "Sec-Fetch-Site": "same-origin"})

    check_page(page, status=405, title="This page does not accept this request")
    assert page.headers["Allow"] == "GET"


@broken_site
@pytest.mark.parametrize(
    ("failure", "title", "text"),
    [
        (RateLimited(retry_after=7), "Too many requests", "<p>Wait 7 seconds, then load the page again.</p>"),
        (RateLimited(retry_after=2_941), "Too many requests", "<p>Wait 50 minutes, then load the page again.</p>"),
        (RateLimited(retry_after=3_601), "Too many requests", "<p>Wait 2 hours, then load the page again.</p>"),
        (Overloaded(), "The service is not available right now", "<p>The service is busy. Wait 1 second, then"),
        (DbUnreachable(), "The service is not available right now", "cannot reach its database. Wait 5 seconds, then"),
    ],
)
def test_a_page_states_when_to_try_again(client: Client, failure: ServiceError, title: str, text: str) -> None:
    Fail.failure = failure

    page = client.get("/fail?a=b&c", headers=BROWSER)

    html = check_page(page, status=failure.status, title=title)
    assert text in html
    assert 'href="/fail?a=b&amp;c">Load the page again</a>' in html
    assert page.headers["Retry-After"] == failure.headers()["Retry-After"]


@broken_site
@pytest.mark.parametrize(
    ("kind", "status", "title"),
    [
        ("suspicious", 400, "This request is not valid"),
        ("denied", 400, "This request is not valid"),
        ("unknown", 404, "There is no such page"),
        ("broken", 500, "Something went wrong"),
    ],
)
def test_a_failure_outside_the_views_is_a_page_for_a_browser_and_json_for_others(
    client: Client, kind: str, status: int, title: str
) -> None:
    page = client.get(f"/outside/{kind}", headers=BROWSER)
    assert (page.headers["X-Request-ID"] in check_page(page, status=status, title=title)) == (status == 500)

    for path, headers in ((f"/outside/{kind}", {}), (f"/v1/outside/{kind}", BROWSER)):
        answer = client.get(path, headers=headers)
        assert answer.status_code == status
        assert set(answer.json()) == {"error"}
        assert SECRET not in answer.content.decode()
