"""The enrolment of a second factor in the console, the confirmation before a write, and the forms of the pages."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from urllib.parse import quote

import pytest
import time_machine
from django.core.checks import run_checks
from orjson import dumps
from pytest_django import DjangoAssertNumQueries

from accounts.models import Event
from core.clock import now as read_clock
from mfa.models import Passkey
from tests import passkeys
from tests.authenticator import Authenticator
from tests.client import PASSWORD
from tests.console_browser import ORIGIN, Browser, grant, path_of
from tests.people import Person, sign_up
from tests.second_factors import App, app_of, enroll_totp, lock

Configure = Callable[..., None]

pytestmark = [pytest.mark.usefixtures("full_deployment"), pytest.mark.urls("tests.api.console.writing_site")]

PAGE = "/console/settings?part=a%20b"


@pytest.fixture
def olivia(db: None) -> Person:
    """Olivia, an operator without a second factor."""
    person = sign_up("olivia")
    grant(person)
    return person


@pytest.fixture(autouse=True)
def _required(configure: Configure) -> None:
    configure(OPERATOR_SECOND_FACTOR="required")


@pytest.fixture
def browser(olivia: Person) -> Browser:
    """A browser in which Olivia has signed in with her password."""
    return Browser().sign_in(olivia)


@pytest.fixture
def optional(configure: Configure) -> None:
    """A deployment whose operators need no second factor."""
    configure(OPERATOR_SECOND_FACTOR="optional")


def app_on(browser: Browser) -> App:
    """Return the app that has the secret of the page."""
    (link,) = re.findall(r'href="(otpauth:[^"]+)"', browser.text)
    return app_of(unescape(link))


def codes_on(browser: Browser) -> list[str]:
    return re.findall(r"[0-9a-z]{4}-[0-9a-z]{4}", browser.text.partition('<pre id="codes">')[2].partition("</pre>")[0])


def write(browser: Browser, name: str = "A", headers: dict[str, str] | None = None) -> Browser:
    """Send the form of the page PAGE."""
    token = browser.open("confirm").field("csrf_token")
    return browser.send(
        "settings", {"csrf_token": token, "name": name}, headers=headers or {"Referer": f"{ORIGIN}{PAGE}"}
    )


def test_an_operator_without_a_factor_enrols_an_authenticator_app_first(browser: Browser, olivia: Person) -> None:
    browser.open(PAGE)
    assert browser.location == f"/console/enrol?next={quote(PAGE, safe='')}"
    browser.follow()
    assert browser.field("next") == PAGE

    browser.submit("enrol/app", {"next": PAGE}).follow()
    app = app_on(browser)
    assert "data:image/svg+xml;base64," in browser.text
    assert browser.open("settings").status == 303, "An unconfirmed app is no factor."

    browser.open("enrol/app")
    assert app_on(browser) == app
    browser.submit("enrol/app/confirm", {"next": PAGE, "code": app.wrong_code()})
    assert browser.status == 401
    assert app_on(browser) == app

    browser.submit("enrol/app/confirm", {"next": PAGE, "code": app.code()})
    codes = codes_on(browser)
    assert len(codes) == 10
    assert f'href="{PAGE}"' in browser.text
    assert browser.open(PAGE).status == 200
    assert browser.open("enrol/app").follow().status == 200
    assert codes[0] not in browser.text

    other = Browser().sign_in(olivia)
    other.send(
        "sign-in/factor/recovery_code", {"pending_token": other.field("pending_token"), "recovery_code": codes[0]}
    )
    assert other.open("settings").status == 200


def test_an_operator_without_a_factor_enrols_a_passkey_first(browser: Browser, olivia: Person) -> None:
    authenticator = Authenticator()
    token = browser.open().follow().field("csrf_token")

    begun = browser.send("enrol/passkey/begin", {"csrf_token": token}).page.json()["data"]
    credential = dumps(authenticator.create(begun["public_key"])).decode()
    form = {"csrf_token": token, "ceremony_token": begun["ceremony_token"], "credential": credential, "nickname": "Key"}
    browser.send("enrol/passkey", form)

    assert len(codes_on(browser)) == 10
    passkey = Passkey.objects.get()
    assert (passkey.nickname, passkey.signs_in_alone) == ("Key", True)
    assert browser.open("settings").status == 200
    again = browser.send("enrol/passkey", form)
    assert again.status == 400
    assert "Set up a second factor" in again.text


def test_without_an_encryption_key_no_factor_is_needed(olivia: Person, configure: Configure) -> None:
    configure(ENCRYPTION_KEY="", OPERATOR_SECOND_FACTOR="")

    assert Browser().sign_in(olivia).open().status == 200


def test_the_page_names_the_variable_without_which_no_factor_can_be_stored(
    olivia: Person, configure: Configure
) -> None:
    configure(ENCRYPTION_KEY="", OPERATOR_SECOND_FACTOR="required")

    browser = Browser().sign_in(olivia).follow()

    assert browser.status == 200
    assert "<code>ENCRYPTION_KEY</code> is unset" in browser.text
    assert "authsvc.W020" in {message.id for message in run_checks(tags=["authsvc"])}


def test_an_enrolment_needs_a_session_of_the_last_five_minutes(olivia: Person, travel: time_machine.Traveller) -> None:
    browser = Browser().sign_in(olivia)
    browser.submit("enrol/app")
    app = app_on(browser.open("enrol/app"))
    token = browser.field("csrf_token")
    travel.shift(timedelta(minutes=6))

    browser.send(
        "enrol/app/confirm",
        {"csrf_token": token, "code": app.code()},
        headers={"Referer": f"{ORIGIN}/console/enrol/app"},
    )
    assert browser.location == "/console/confirm?next=%2Fconsole%2Fenrol%2Fapp"
    begun = browser.send("enrol/passkey/begin", {"csrf_token": token})
    assert (begun.status, begun.location) == (303, "/console/confirm")
    browser.send("confirm/password", {"csrf_token": token, "password": PASSWORD, "next": "/console/enrol/app"})
    assert browser.location == "/console/enrol/app"
    browser.send("enrol/app/confirm", {"csrf_token": token, "code": app.code()})
    assert len(codes_on(browser)) == 10


def test_an_enrolment_needs_a_sign_in_that_is_as_recent_as_the_setting_demands(
    olivia: Person, configure: Configure, travel: time_machine.Traveller
) -> None:
    configure(RECENT_LOGIN_SECONDS="60")
    browser = Browser().sign_in(olivia).follow()
    travel.shift(timedelta(seconds=61))

    browser.submit("enrol/app")

    assert path_of(browser.location) == "/console/confirm"


def test_a_write_asks_for_a_code_after_ten_minutes(olivia: Person, travel: time_machine.Traveller) -> None:
    app = enroll_totp(olivia.log_in())
    travel.shift(timedelta(minutes=1))
    browser = Browser().sign_in(olivia)
    browser.send("sign-in/factor/totp", {"pending_token": browser.field("pending_token"), "code": app.code()})
    assert write(browser).location == "/console/settings"
    travel.shift(timedelta(minutes=11))

    assert write(browser).location == f"/console/confirm?next={quote(PAGE, safe='')}"
    browser.follow()
    assert 'autocomplete="one-time-code"' in browser.text
    assert 'autocomplete="current-password"' not in browser.text
    assert browser.field("next") == PAGE

    browser.submit("confirm/password", {"password": PASSWORD, "next": PAGE})
    assert browser.status == 403
    browser.submit("confirm/factor/totp", {"code": app.wrong_code(), "next": PAGE})
    assert browser.status == 401
    assert browser.field("next") == PAGE
    browser.submit("confirm/factor/totp", {"code": app.code(), "next": PAGE})
    assert (browser.status, browser.location) == (303, PAGE)
    assert write(browser).location == "/console/settings"


def test_a_write_asks_for_a_passkey_after_ten_minutes(olivia: Person, travel: time_machine.Traveller) -> None:
    authenticator = Authenticator()
    passkeys.enroll(olivia, authenticator)
    browser = Browser()
    begun = browser.send("sign-in/passkey/begin").page.json()["data"]
    answer = dumps(authenticator.get(begun["public_key"])).decode()
    browser.send("sign-in/passkey", {"ceremony_token": begun["ceremony_token"], "credential": answer})
    travel.shift(timedelta(minutes=11))
    assert write(browser).location.startswith("/console/confirm")

    token = browser.open("confirm").field("csrf_token")
    begun = browser.send("confirm/passkey/begin", {"csrf_token": token}).page.json()["data"]
    answer = dumps(authenticator.get(begun["public_key"])).decode()
    form = {"csrf_token": token, "ceremony_token": begun["ceremony_token"], "credential": answer}
    browser.send("confirm/factor/passkey", form)

    assert (browser.status, browser.location) == (303, "/console/")
    assert write(browser).location == "/console/settings"
    assert browser.send("confirm/factor/passkey", form).status == 400


@pytest.mark.usefixtures("optional")
def test_without_a_factor_the_password_confirms(travel: time_machine.Traveller, browser: Browser) -> None:
    travel.shift(timedelta(minutes=11))
    browser.open("settings")
    assert write(browser).location.startswith("/console/confirm")

    browser.follow().submit("confirm/password", {"password": "wrong", "next": PAGE})
    assert browser.status == 401
    browser.submit("confirm/password", {"password": PASSWORD, "next": "//evil.example"})

    assert (browser.status, browser.location) == (303, "/console/")
    assert Event.objects.filter(type="reauthenticated").count() == 1


@pytest.mark.usefixtures("optional")
def test_a_lock_stops_the_confirmation(browser: Browser, olivia: Person) -> None:
    lock(olivia)

    browser.submit("confirm/password", {"password": PASSWORD})

    assert browser.status == 401
    assert browser.open("settings").status == 200, "A lock does not end sessions."


@pytest.mark.usefixtures("optional")
def test_a_confirmation_has_the_limits_of_reauthentications(browser: Browser, configure: Configure) -> None:
    configure(OPERATOR_SECOND_FACTOR="optional", RATE_LIMITS="completion=1/h,edge=off")
    token = browser.open("confirm").field("csrf_token")

    answers = [browser.send("confirm/password", {"csrf_token": token, "password": "wrong"}).status for _ in range(2)]

    assert answers == [401, 429]
    assert "Too many requests" in browser.text


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
        f"/console/sign-in?next={quote(PAGE, safe='')}&lost=form",
    )


@pytest.mark.usefixtures("optional")
@pytest.mark.usefixtures("optional")
@pytest.mark.parametrize("name", ["Referer", "HX-Current-URL"])
def test_a_malformed_address_of_the_page_leads_to_the_first_page(browser: Browser, name: str) -> None:
    with time_machine.travel(read_clock() + timedelta(seconds=700), tick=False):
        write(browser, headers={name: "http://[/console/settings"})

    assert (browser.status, browser.location) == (303, "/console/confirm")


def test_a_form_whose_session_ended_leads_back_to_its_page(browser: Browser, olivia: Person) -> None:
    olivia.api.post("/v1/logout-all", token=olivia.log_in().access)

    browser.send("settings", {"name": "A"}, headers={"Referer": f"{ORIGIN}{PAGE}"})

    assert browser.location == f"/console/sign-in?next={quote(PAGE, safe='')}&lost=form"


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
