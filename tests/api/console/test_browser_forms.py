"""The confirmation before a write, and the forms of the pages."""

from collections.abc import Callable
from datetime import timedelta
from urllib.parse import quote

import pytest
import time_machine
from pytest_django import DjangoAssertNumQueries

from accounts.models import Event
from core.clock import now as read_clock
from tests.client import PASSWORD
from tests.console_browser import Browser, browser_of, grant
from tests.pages import ORIGIN
from tests.people import Person, existing, existing_session
from tests.second_factors import enroll_totp

Configure = Callable[..., None]

pytestmark = [pytest.mark.usefixtures("full_deployment"), pytest.mark.urls("tests.api.console.writing_site")]

PAGE = "/console/settings?part=a%20b"


@pytest.fixture
def olivia(db: None) -> Person:
    """Olivia, an operator without a second factor."""
    person = existing("olivia")
    grant(person)
    return person


@pytest.fixture(autouse=True)
def _required(configure: Configure) -> None:
    configure(OPERATOR_SECOND_FACTOR="required")


@pytest.fixture
def browser(olivia: Person) -> Browser:
    """A browser in which Olivia has signed in with her password."""
    return browser_of(olivia)


@pytest.fixture
def optional(configure: Configure) -> None:
    """A deployment whose operators need no second factor."""
    configure(OPERATOR_SECOND_FACTOR="optional")


def write(browser: Browser, name: str = "A", headers: dict[str, str] | None = None) -> Browser:
    """Send the form of the page PAGE."""
    return browser.send(
        "settings", {"csrf_token": browser.token(), "name": name}, headers=headers or {"Referer": f"{ORIGIN}{PAGE}"}
    )


def test_a_write_asks_for_a_code_after_ten_minutes(olivia: Person, travel: time_machine.Traveller) -> None:
    app = enroll_totp(existing_session(olivia))
    browser = browser_of(olivia)
    assert write(browser).location == "/console/settings"
    travel.shift(timedelta(minutes=11))

    assert write(browser).location == f"/confirm?next={quote(PAGE, safe='')}"
    browser.follow()
    assert 'autocomplete="one-time-code"' in browser.text
    assert 'autocomplete="current-password"' not in browser.text
    assert browser.field("next") == PAGE

    browser.submit("authsvc-confirm-password", {"password": PASSWORD, "next": PAGE})
    assert browser.status == 403
    browser.submit("/confirm/factor/totp", {"code": app.wrong_code(), "next": PAGE})
    assert browser.status == 401
    assert browser.field("next") == PAGE
    browser.submit("/confirm/factor/totp", {"code": app.code(), "next": PAGE})
    assert (browser.status, browser.location) == (303, PAGE)
    assert write(browser).location == "/console/settings"


@pytest.mark.usefixtures("optional")
def test_without_a_factor_the_password_confirms(travel: time_machine.Traveller, browser: Browser) -> None:
    browser.open("settings")
    travel.shift(timedelta(minutes=11))
    assert write(browser).location == f"/confirm?next={quote(PAGE, safe='')}"

    browser.follow().submit("authsvc-confirm-password", {"password": "wrong", "next": PAGE})
    assert browser.status == 401
    browser.submit("authsvc-confirm-password", {"password": PASSWORD, "next": PAGE})

    assert (browser.status, browser.location) == (303, PAGE)
    assert Event.objects.filter(type="reauthenticated").count() == 1


@pytest.mark.usefixtures("optional")
def test_a_form_that_is_not_valid_returns_with_its_values_and_messages(browser: Browser) -> None:
    write(browser, name="<b>too long a name</b>")

    assert browser.status == 422
    assert "&lt;b&gt;too long a name&lt;/b&gt;" in browser.text
    assert "must have at most 10 characters." in browser.text


@pytest.mark.usefixtures("optional")
def test_a_write_reports_what_it_did_once(browser: Browser) -> None:
    write(browser, name="<b>a</b>").follow()
    assert "You stored &lt;b&gt;a&lt;/b&gt;." in browser.text

    assert "You stored" not in browser.open("settings").text


@pytest.mark.usefixtures("optional")
def test_a_write_of_htmx_leads_to_the_next_page_by_a_header(browser: Browser, olivia: Person) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": f"{ORIGIN}{PAGE}"}

    write(browser, headers=headers)
    assert (browser.status, browser.page.headers["HX-Redirect"]) == (204, "/console/settings")

    olivia.api.post("/v1/logout-all", token=olivia.log_in().access)
    browser.send("settings", {"name": "A"}, headers=headers)
    assert (browser.status, browser.page.headers["HX-Redirect"]) == (
        204,
        f"/sign-in?next={quote(PAGE, safe='')}&lost=1",
    )


@pytest.mark.usefixtures("optional")
@pytest.mark.parametrize("name", ["Referer", "HX-Current-URL"])
def test_a_malformed_address_of_the_page_leads_to_the_first_page(browser: Browser, name: str) -> None:
    with time_machine.travel(read_clock() + timedelta(seconds=700), tick=False):
        write(browser, headers={name: "http://[/console/settings"})

    assert (browser.status, browser.location) == (303, "/confirm?next=%2Fconsole%2F")


def test_a_form_whose_session_ended_leads_back_to_its_page(browser: Browser, olivia: Person) -> None:
    olivia.api.post("/v1/logout-all", token=olivia.log_in().access)

    browser.send("settings", {"name": "A"}, headers={"Referer": f"{ORIGIN}{PAGE}"})

    assert browser.location == f"/sign-in?next={quote(PAGE, safe='')}&lost=1"


@pytest.mark.usefixtures("optional")
@pytest.mark.parametrize(
    ("content_type", "raw", "status"),
    [
        ("application/json", b"{}", 415),
        ("multipart/form-data; boundary=x", b"--x--", 415),
        ("application/x-www-form-urlencoded", b"a=" + b"x" * 65_536, 413),
        ("application/x-www-form-urlencoded", b"&".join(b"a%d=" % number for number in range(1001)), 400),
    ],
)
def test_a_body_that_is_no_form_gets_an_error_page(
    browser: Browser, content_type: str, raw: bytes, status: int
) -> None:
    headers = {"Host": "localhost:8000", "Origin": ORIGIN}

    answer = browser.client.generic("POST", "/console/settings", raw, content_type=content_type, headers=headers)

    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"


@pytest.mark.usefixtures("optional")
def test_an_unexpected_error_is_a_page_without_its_cause(
    browser: Browser, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    write(browser)

    # Two queries find the session and the operator. The page itself needs no database, and keeps the notice.
    with django_assert_num_queries(2):
        browser.open("fault")

    assert browser.status == 500
    assert "hunter2" not in browser.text
    assert browser.page.headers["X-Request-ID"] in browser.text


@pytest.mark.usefixtures("optional")
def test_another_host_name_leads_to_base_url(browser: Browser) -> None:
    browser.open("settings?a=b", headers={"Host": "testserver"})

    assert (browser.status, browser.location) == (302, "http://localhost:8000/console/settings?a=b")
