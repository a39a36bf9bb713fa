"""The demands of the console on the session of a browser, and the lifetimes that it gives the session."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from io import StringIO
from urllib.parse import quote

import pytest
import time_machine
from django.core.checks import run_checks
from django.core.management import call_command
from django.urls import reverse

from accounts.models import Event
from console.browser import entry
from core.clock import now
from core.http.client import Client
from pages.models import BrowserSession
from sessions_app.models import Family
from tests.console_browser import browser_of, grant, prefix, sign_in_with_app
from tests.pages import path_of
from tests.people import Person, existing, existing_session
from tests.second_factors import app_of, enroll_totp

Configure = Callable[..., None]

pytestmark = pytest.mark.usefixtures("full_deployment", "db")

DAY = timedelta(days=1)


@pytest.fixture
def olivia(db: None) -> Person:
    """Olivia, an operator without a second factor."""
    person = existing("olivia")
    grant(person)
    return person


@pytest.fixture
def optional(configure: Configure) -> None:
    """A deployment whose operators need no second factor."""
    configure(OPERATOR_SECOND_FACTOR="optional")


def revoke(person: Person) -> None:
    call_command("grant_operator", "--email", person.email, "--revoke", stdout=StringIO())


@pytest.mark.usefixtures("optional")
def test_an_account_that_is_no_operator_sees_what_to_do(alice: Person) -> None:
    browser = browser_of(alice)

    for path in ("", "users", "nonsense", "/v1/admin/users"):
        browser.open(path, headers={"Accept": "text/html"})
        assert browser.status == 403
        assert "This account is not an operator" in browser.text
        assert f"manage.py grant_operator -email {alice.email}" in browser.text
        assert 'aria-current="page"' not in browser.text

    assert not BrowserSession.objects.get().is_limited
    grant(alice)
    assert browser.is_signed_in()


@pytest.mark.usefixtures("optional")
def test_the_end_of_operator_status_ends_the_sessions_that_entered_the_console_and_no_other(olivia: Person) -> None:
    application = olivia.log_in()
    entered, other = browser_of(olivia).open(), browser_of(olivia)

    revoke(olivia)

    assert path_of(entered.open().location) == reverse("authsvc-sign-in")
    assert other.open().status == 403
    assert application.is_live()
    grant(olivia)
    assert not entered.is_signed_in()
    assert other.is_signed_in()
    (ended,) = Event.objects.filter(type="session_ended", user_id=olivia.user_id)
    assert (ended.metadata["cause"], len(ended.metadata["session_ids"])) == ("operator_revoked", 1)


def test_an_operator_without_a_factor_sets_one_up_first_and_continues(olivia: Person, configure: Configure) -> None:
    configure(OPERATOR_SECOND_FACTOR="required")
    browser = browser_of(olivia)
    asked = f"{prefix()}events?limit=5"

    browser.open(asked)
    assert browser.location == f"{reverse('authsvc-account-two-step')}?next={quote(asked, safe='')}"
    assert "The console needs a second factor." in browser.follow().text
    browser.open(f"{reverse('authsvc-account-app')}?next={quote(asked, safe='')}")
    browser.submit("authsvc-account-app", {"next": asked}).follow()
    app = app_of(unescape(re.findall(r'href="(otpauth:[^"]+)"', browser.text)[0]))
    assert browser.open(asked).status == 303, "An unconfirmed app is no factor."
    browser.submit("authsvc-account-app-scan", {"next": asked, "code": app.code()})

    assert path_of(browser.location) == reverse("authsvc-account-recovery-codes")
    assert f'href="{asked}"' in browser.follow().text
    assert browser.open(asked).status == 200


def test_a_factor_that_is_enrolled_elsewhere_does_not_open_the_console_to_a_thief_of_the_password(
    olivia: Person, configure: Configure
) -> None:
    """The thief signed in before Olivia enrolled her app, and waits in that session."""
    configure(OPERATOR_SECOND_FACTOR="required")
    thief = browser_of(olivia)
    assert path_of(thief.open().location) == reverse("authsvc-account-two-step")

    enroll_totp(existing_session(olivia))

    assert (thief.open().status, thief.open("users").status) == (403, 403)
    assert "Sign in again with your second factor" in thief.text
    assert not BrowserSession.objects.get().is_limited
    assert sign_in_with_app(existing("oscar")) is not None


def test_a_sign_in_with_the_new_factor_opens_the_console(olivia: Person, configure: Configure) -> None:
    configure(OPERATOR_SECOND_FACTOR="required")
    waiting = browser_of(olivia).open()
    app = enroll_totp(existing_session(olivia))

    again = re.search(r'href="([^"]*again=1[^"]*)"', waiting.open("users").text)
    assert again is not None
    waiting.open(unescape(again[1])).sign_in(olivia, next=waiting.field("next"))
    pending = {name: waiting.field(name) for name in ("pending_token", "methods", "next")}
    waiting.send(reverse("authsvc-sign-in-factor", args=["totp"]), {**pending, "code": app.code(steps=1)}).follow()

    assert (waiting.status, waiting.page.request["PATH_INFO"]) == (200, f"{prefix()}users")


def test_without_an_encryption_key_no_factor_is_needed_by_default(olivia: Person, configure: Configure) -> None:
    configure(ENCRYPTION_KEY="", OPERATOR_SECOND_FACTOR="")

    assert browser_of(olivia).open().status == 200


def test_the_page_names_the_variable_without_which_no_factor_can_be_stored(
    olivia: Person, configure: Configure
) -> None:
    configure(ENCRYPTION_KEY="", OPERATOR_SECOND_FACTOR="required")

    browser = browser_of(olivia).open()

    assert browser.status == 403
    assert "<code>ENCRYPTION_KEY</code> is unset" in browser.text
    assert "authsvc.W020" in {message.id for message in run_checks(tags=["authsvc"])}


@pytest.mark.usefixtures("optional")
def test_the_first_entry_is_an_act_of_the_operator_and_gives_the_session_the_lifetimes_of_the_console(
    olivia: Person, travel: time_machine.Traveller
) -> None:
    browser = browser_of(olivia)
    before = Family.objects.get()
    assert before.idle_expires_at - now() > DAY

    assert browser.open().status == browser.open("users").status == 200

    family = Family.objects.get()
    assert family.idle_expires_at - now() == timedelta(minutes=30)
    assert family.absolute_expires_at - now() == timedelta(hours=12)
    (act,) = Event.objects.filter(type="operator_signed_in")
    assert (act.user_id, act.ip) == (olivia.user_id, browser.ip)
    travel.shift(timedelta(minutes=31))
    assert path_of(browser.open().location) == reverse("authsvc-sign-in")


@pytest.mark.usefixtures("optional")
def test_of_two_entries_at_once_one_counts(olivia: Person) -> None:
    browser = browser_of(olivia)
    session = browser.session()

    for _ in range(2):
        entry.enter(session=session, client=Client(ip=browser.ip, user_agent=""), now=now())

    assert Event.objects.filter(type="operator_signed_in").count() == 1


def test_lower_lifetimes_of_the_deployment_stay(olivia: Person, configure: Configure) -> None:
    configure(OPERATOR_SECOND_FACTOR="optional", REFRESH_IDLE_SECONDS="120", REFRESH_ABSOLUTE_SECONDS="600")
    browser_of(olivia).open()

    family = Family.objects.get()
    assert family.idle_expires_at - now() <= timedelta(seconds=120)
    assert family.absolute_expires_at - now() <= timedelta(seconds=600)
    assert BrowserSession.objects.get().idle_seconds == 120


@pytest.mark.usefixtures("optional")
@pytest.mark.parametrize("age", [timedelta(minutes=31), 20 * DAY])
def test_an_entry_long_after_the_sign_in_needs_a_confirmation(
    olivia: Person, travel: time_machine.Traveller, age: timedelta
) -> None:
    browser = browser_of(olivia)
    travel.shift(age)

    browser.open("events?limit=5")

    assert (browser.status, path_of(browser.location)) == (303, reverse("authsvc-confirm"))
    assert not BrowserSession.objects.get().is_limited
    browser.follow().submit("authsvc-confirm-password", {"password": olivia.password, "next": browser.field("next")})
    assert (browser.location, browser.follow().status) == (f"{prefix()}events?limit=5", 200)
    assert BrowserSession.objects.get().is_limited


@pytest.mark.usefixtures("optional")
def test_a_page_that_refreshes_itself_extends_nothing(olivia: Person, travel: time_machine.Traveller) -> None:
    browser = browser_of(olivia).open()
    travel.shift(timedelta(minutes=20))

    assert browser.open(headers={"X-Console-Background": "1"}).status == 200

    assert Family.objects.get().idle_expires_at - now() == timedelta(minutes=10)
