"""The error pages of the console."""

from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import OperationalError, connection

from tests.console_browser import Browser, prefix

pytestmark = pytest.mark.usefixtures("full_deployment")


@pytest.fixture
def browser() -> Browser:
    """A browser with a cookie of the right form."""
    browser = Browser()
    browser.client.cookies["gatehouse"] = "A" * 43
    return browser


def stop(*_: Any) -> None:
    """Fail as a query does after the database has stopped."""
    raise OperationalError from psycopg.OperationalError("the connection is closed")


def break_down(*_: Any) -> None:
    """Fail unexpectedly."""
    raise RuntimeError


def test_a_page_without_the_database_states_when_to_try_again(browser: Browser, db: None) -> None:
    with connection.execute_wrapper(stop):
        browser.open("users?q=a&limit=5")

    assert (browser.status, browser.page.headers["Retry-After"]) == (503, "5")
    assert "The service cannot reach its database. Wait 5 seconds, then load the page again." in browser.text
    assert f'href="{prefix()}users?q=a&amp;limit=5">Load the page again</a>' in browser.text
    assert browser.page.headers["X-Request-ID"] in browser.text


def test_an_unexpected_failure_is_a_page_without_the_database(browser: Browser, db: None) -> None:
    with connection.execute_wrapper(break_down):
        browser.open()

    assert browser.status == 500
    assert "If the error stays, report the number of the request." in browser.text
    assert browser.page.headers["X-Request-ID"] in browser.text
    assert "Load the page again" not in browser.text


def test_too_many_requests_get_a_page_with_the_seconds(browser: Browser, configure: Callable[..., None]) -> None:
    configure(RATE_LIMITS="edge=1/m")

    for _ in range(2):
        browser.open("assets/console.css")
    browser.open("users")

    seconds = browser.page.headers["Retry-After"]
    assert browser.status == 429
    assert f"<p>Wait {seconds} seconds, then load the page again.</p>" in browser.text


@pytest.mark.skipif(
    "django.middleware.common.CommonMiddleware" in settings.MIDDLEWARE,
    reason="a site's own middleware refuses such a Host before any view is asked",
)
def test_a_wrong_host_gets_a_page(browser: Browser) -> None:
    assert browser.open(headers={"Host": "evil.example"}).status == 400
    assert "ALLOWED_HOSTS" in browser.text
