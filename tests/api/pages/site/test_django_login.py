"""Django's session of a host site, which begins and ends with the session of the pages."""

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.conf import settings as django_settings
from django.core.checks import run_checks
from django.urls import reverse
from pytest_django import Settings

from core.clock import now
from pages.frame.site_sessions import site_sessions
from pages.site.django_login import DjangoLogin
from sessions_app.models import Family
from tests.pages import Browser, path_of, see_offer
from tests.people import Person, existing_session
from tests.second_factors import enroll_totp

Configure = Callable[..., None]

# Real transactions: ATOMIC_REQUESTS opens one for each request.
pytestmark = [
    pytest.mark.urls("tests.api.pages.site.django_site"),
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        django_settings.AUTH_USER_MODEL == "authsvc_accounts.User", reason="only a site has Django sessions"
    ),
]

MIDDLEWARE = "sessions_app.site.django_sessions.LinkedSessionMiddleware"
REPORT = "/reports/2026/?part=a%20b"


@pytest.fixture(autouse=True)
def _site(settings: Settings, configure: Configure, monkeypatch: pytest.MonkeyPatch) -> None:
    """A site with the setting, the middleware and LOGIN_URL of docs/pages.md."""
    settings.LOGIN_URL = "authsvc-sign-in"
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, MIDDLEWARE]
    configure(PAGES_DJANGO_LOGIN="on", OPERATOR_SECOND_FACTOR="optional")
    monkeypatch.setattr(site_sessions, "_members", [DjangoLogin()])


def sign_in(browser: Browser, person: Person) -> Browser:
    """Sign in on the page that the browser shows. The person has seen the offer of a passkey."""
    see_offer(person)
    browser.submit("authsvc-sign-in", email=person.email)
    return browser.submit("authsvc-sign-in", password=person.password)


def test_a_view_for_users_leads_to_the_sign_in_and_back(browser: Browser, alice: Person) -> None:
    browser.client.get(REPORT)
    answer = browser.client.get(REPORT)
    assert path_of(answer.headers["Location"]) == "/konto/sign-in"

    browser.open(answer.headers["Location"])
    sign_in(browser, alice)

    while browser.location.startswith("/konto/"):
        browser.open(browser.location)
    assert browser.location == REPORT
    assert browser.client.get(REPORT).content.decode() == alice.user_id
    assert browser.client.cookies[django_settings.SESSION_COOKIE_NAME]["httponly"]


def test_a_second_factor_comes_before_both_sessions(browser: Browser, alice: Person) -> None:
    app = enroll_totp(existing_session(alice))
    browser.open("authsvc-sign-in", next=REPORT)

    sign_in(browser, alice)
    assert browser.client.get(REPORT).status_code == 302
    browser.submit("authsvc-sign-in-factor", "totp", code=app.code(steps=1))

    assert browser.client.get(REPORT).status_code == 200


def test_a_sign_out_of_either_side_ends_both(browser: Browser, alice: Person) -> None:
    sign_in(browser.open("authsvc-sign-in"), alice)
    browser.open("authsvc-sign-out").submit("authsvc-sign-out")
    assert (browser.client.get(REPORT).status_code, browser.is_signed_in()) == (302, False)

    sign_in(browser.open("authsvc-sign-in"), alice)
    browser.client.get("/leave/")
    assert (browser.client.get(REPORT).status_code, browser.is_signed_in()) == (302, False)
    assert not Family.objects.filter(account_id=alice.account().pk, revoked_at=None).exists()


def test_a_sign_out_everywhere_ends_both(browser: Browser, alice: Person) -> None:
    session = existing_session(alice)
    sign_in(browser.open("authsvc-sign-in"), alice)

    session.api.post("/v1/logout-all", token=session.access)

    assert (browser.client.get(REPORT).status_code, browser.is_signed_in()) == (302, False)


def test_another_person_in_the_same_browser_replaces_both_sessions(
    browser: Browser, alice: Person, bob: Person
) -> None:
    sign_in(browser.open("authsvc-sign-in"), alice)
    key = browser.client.cookies[django_settings.SESSION_COOKIE_NAME].value

    browser.send("authsvc-sign-in", {"email": bob.email, "password": bob.password})

    assert browser.client.get(REPORT).content.decode() == bob.user_id
    assert browser.client.cookies[django_settings.SESSION_COOKIE_NAME].value != key
    assert not Family.objects.filter(account_id=alice.account().pk, revoked_at=None).exists()


def test_a_django_session_that_ended_earlier_is_opened_again_by_a_form_only(
    browser: Browser, alice: Person, configure: Configure
) -> None:
    sign_in(browser.open("authsvc-sign-in"), alice)
    del browser.client.cookies[django_settings.SESSION_COOKIE_NAME]

    browser.open(browser.client.get(REPORT).headers["Location"])
    assert path_of(browser.location) == "/konto/sign-in/continue"
    browser.follow()
    assert browser.client.get(REPORT).status_code == 302, "A link opens no session."
    assert alice.email in browser.text

    configure(RECENT_LOGIN_SECONDS="60")
    with time_machine.travel(now() + timedelta(minutes=5), tick=False):
        browser.submit("authsvc-sign-in-continue")
        assert path_of(browser.location) == reverse("authsvc-confirm")
        assert browser.client.get(REPORT).status_code == 302
    browser.open("authsvc-sign-in-continue", next=REPORT).submit("authsvc-sign-in-continue")
    assert browser.location == REPORT
    assert browser.client.get(REPORT).content.decode() == alice.user_id


def test_without_the_setting_only_the_pages_open(
    browser: Browser, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_sessions, "_members", [])

    sign_in(browser.open("authsvc-sign-in"), alice)

    assert (browser.client.get(REPORT).status_code, browser.is_signed_in()) == (302, True)


def test_the_checks_name_what_the_site_lacks(settings: Settings, configure: Configure) -> None:
    def found() -> set[str]:
        return {str(one.id) for one in run_checks(tags=["urls"])} & {"authsvc.E031", "authsvc.E032", "authsvc.W044"}

    assert found() == set()
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if name != MIDDLEWARE]
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
    assert found() == {"authsvc.E031", "authsvc.E032"}
    configure(PAGES_DJANGO_LOGIN="off")
    assert found() == {"authsvc.W044"}
    settings.LOGIN_URL = "/admin/login/"
    assert found() == set()
