"""Django sessions of a host project that are linked to sessions of the service."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings as django_settings
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from pytest_django import Settings

from core.db import ids
from sessions_app.models import Family
from tests.client import PASSWORD, Api
from tests.factories import HostUserFactory
from tests.keys import events
from tests.mails import delivered, token_in
from tests.people import Person, SignedIn
from tests.second_factors import complete_by_totp, enroll_totp, lock

# Real transactions: ATOMIC_REQUESTS opens one for each request.
pytestmark = [
    pytest.mark.urls("tests.api.host_site.sessions_site"),
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        django_settings.AUTH_USER_MODEL == "authsvc_accounts.User", reason="only a site has Django sessions"
    ),
]

MIDDLEWARE = "sessions_app.site.django_sessions.LinkedSessionMiddleware"
SWITCHES = ["/tokens", "/careless-tokens", "/drf-tokens"]


@pytest.fixture(autouse=True)
def _site(settings: Settings) -> None:
    """Add the middleware, and remove the DRF defaults of the host site."""
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, MIDDLEWARE]
    settings.REST_FRAMEWORK = {}


@pytest.fixture(autouse=True)
def travel() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(datetime(2026, 3, 1, 12, tzinfo=UTC), tick=False) as traveller:
        yield traveller


def browser_of(person: Person | None = None, *, csrf: bool = False) -> Client:
    """Return a browser in which the person is signed in to Django."""
    client = Client(enforce_csrf_checks=csrf)
    if person is not None:
        client.force_login(person.account().user)
    return client


def tokens(browser: Client) -> Any:
    """Return `data` of the answer of `open_token_session`."""
    answer = browser.post("/tokens")
    assert answer.status_code == 200, answer.content
    return answer.json()["data"]


def session_of(person: Person, browser: Client) -> SignedIn:
    """Return the service's session that is linked to the browser's Django session."""
    pair = tokens(browser)
    return SignedIn(person=person, api=person.api, access=pair["access_token"], refresh=pair["refresh_token"])


def sign_in(browser: Client, session: SignedIn, *, path: str = "/sign-in") -> Any:
    return browser.post(path, headers={"Authorization": f"Bearer {session.access}"})


def user_in(browser: Client, path: str = "/") -> str:
    """Return the id of the user who is signed in to Django, or ""."""
    return browser.get(path).content.decode()


def key_of(browser: Client) -> str:
    return browser.cookies[django_settings.SESSION_COOKIE_NAME].value


def count_live(person: Person) -> int:
    return Family.objects.filter(account_id=person.account().pk, revoked_at=None).count()


def code_of(answer: Any) -> str:
    code: str = answer.json()["error"]["code"]
    return code


def test_a_signed_in_user_gets_a_token_pair(alice: Person) -> None:
    session = session_of(alice, browser_of(alice))

    assert session.api.get("/v1/verify", token=session.access).data == {"user_id": alice.user_id}
    assert session.refreshed().is_live()
    (event,) = events(alice, "login_success")
    assert event.metadata == {"method": "django_session"}


def test_a_user_without_an_account_gets_one() -> None:
    browser = Client()
    browser.force_login(HostUserFactory.create())

    assert set(tokens(browser)) == {"access_token", "refresh_token"}


@pytest.mark.parametrize("path", SWITCHES)
def test_tokens_are_refused_without_a_django_session(alice: Person, path: str) -> None:
    session = alice.log_in()

    assert Client().post(path).status_code == 403
    assert sign_in(Client(), session, path=path).status_code == 403
    assert count_live(alice) == 1


def test_the_user_of_the_django_session_counts_and_not_the_user_of_a_token(alice: Person, bob: Person) -> None:
    answer = sign_in(browser_of(alice), bob.log_in(), path="/drf-tokens")

    assert Api().get("/v1/verify", token=answer.json()["access_token"]).data == {"user_id": alice.user_id}


@pytest.mark.parametrize("path", SWITCHES)
def test_a_request_that_another_site_forged_opens_no_session(alice: Person, path: str) -> None:
    browser = browser_of(alice, csrf=True)

    assert browser.post(path).status_code == 403
    assert count_live(alice) == 0

    browser.cookies["csrftoken"] = "a" * 32
    assert browser.post(path, headers={"X-CSRFToken": "a" * 32}).status_code == 200
    assert count_live(alice) == 1


@pytest.mark.parametrize("method", ["get", "head", "options"])
def test_a_link_opens_no_session(alice: Person, method: str) -> None:
    browser, session = browser_of(alice), alice.log_in()

    assert getattr(browser, method)("/careless-tokens").status_code == 403
    assert (
        getattr(Client(), method)(
            "/careless-sign-in", headers={"Authorization": f"Bearer {session.access}"}
        ).status_code
        == 403
    )
    assert count_live(alice) == 1


def test_an_account_with_a_second_factor_gets_no_tokens_before_the_factor(alice: Person) -> None:
    app = enroll_totp(alice.log_in())
    browser = browser_of(alice)
    before = count_live(alice)

    paused = tokens(browser)

    assert {name: paused[name] for name in ("second_factor_required", "methods")} == {
        "second_factor_required": True,
        "methods": ["totp"],
    }
    assert count_live(alice) == before
    answer = complete_by_totp(alice.api, paused["pending_token"], app.code())
    assert set(answer.data) == {"access_token", "refresh_token"}
    assert events(alice, "login_success")[-1].metadata == {"method": "django_session", "second_factor": "totp"}


def test_the_session_after_the_second_factor_is_linked_too(alice: Person) -> None:
    app = enroll_totp(alice.log_in())
    left, right = browser_of(alice), browser_of(alice)
    ended = complete_by_totp(alice.api, tokens(left)["pending_token"], app.code()).data
    other = complete_by_totp(alice.api, tokens(right)["pending_token"], app.code(steps=1)).data

    left.post("/log-out")
    alice.api.post("/v1/logout-all", token=other["access_token"])

    assert alice.api.post("/v1/refresh", {"refresh_token": ended["refresh_token"]}).code == "invalid_token"
    assert user_in(right) == ""


def test_a_logout_voids_the_login_that_waits_for_a_second_factor(alice: Person) -> None:
    app = enroll_totp(alice.log_in())
    browser = browser_of(alice)
    paused = tokens(browser)

    browser.post("/log-out")

    assert complete_by_totp(alice.api, paused["pending_token"], app.code()).code == "invalid_pending_login"


def test_the_django_session_continues_without_the_second_factor(alice: Person, travel: time_machine.Traveller) -> None:
    enroll_totp(alice.log_in())
    browser = browser_of(alice)

    tokens(browser)
    travel.shift(600)

    assert user_in(browser) == alice.user_id


def test_the_django_session_ends_also_when_the_session_after_the_second_factor_was_pruned(
    alice: Person, settings: Settings, travel: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Earlier tests have moved the ids into the future.
    monkeypatch.setattr(ids, "_sequence", ids._Sequence())
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "REFRESH_IDLE_SECONDS": "3600"}
    app = enroll_totp(alice.log_in())
    browser = browser_of(alice)
    pair = complete_by_totp(alice.api, tokens(browser)["pending_token"], app.code()).data
    alice.api.post("/v1/logout-all", token=pair["access_token"])

    travel.shift(3601)
    Family.objects.all().delete()

    assert user_in(browser) == ""


@pytest.mark.parametrize("has_factor", [False, True])
def test_the_session_is_no_recent_login(alice: Person, settings: Settings, has_factor: bool) -> None:
    app = enroll_totp(alice.log_in()) if has_factor else None
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RECENT_LOGIN_SECONDS": "3600"}
    browser = browser_of(alice)
    pair = tokens(browser)
    if app is not None:
        pair = complete_by_totp(alice.api, pair["pending_token"], app.code()).data

    assert alice.api.post("/v1/recovery-codes/generate", token=pair["access_token"]).code == "reauthentication_required"

    alice.api.post("/v1/reauthenticate", {"password": PASSWORD}, token=pair["access_token"])
    assert alice.api.post("/v1/recovery-codes/generate", token=pair["access_token"]).status == 200


def test_a_lock_does_not_apply_and_stays(alice: Person) -> None:
    lock(alice)

    tokens(browser_of(alice))

    assert alice.api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).code == "account_locked"


def test_a_django_session_resets_no_failures(alice: Person) -> None:
    wrong = {"email": alice.email, "password": "not the password"}
    for _ in range(4):
        alice.api.post("/v1/login", wrong)

    tokens(browser_of(alice))

    alice.api.post("/v1/login", wrong)
    assert alice.api.post("/v1/login", wrong).code == "account_locked"


def test_an_address_that_must_be_verified_first_is_refused(alice: Person, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "EMAIL_VERIFICATION": "required"}

    answer = browser_of(alice).post("/tokens")

    assert (answer.status_code, code_of(answer)) == (403, "email_not_verified")
    assert token_in(delivered(alice.email)[-1])
    assert count_live(alice) == 0


def test_users_whom_the_service_does_not_admit_are_refused(alice: Person) -> None:
    shared, inactive = Client(), browser_of(alice)
    shared.force_login(HostUserFactory.create(contact=alice.email))
    user: Any = alice.account().user
    user.is_active = False
    user.save()

    assert shared.post("/tokens").status_code == 403
    assert inactive.post("/tokens").status_code == 403


def test_calls_beyond_the_limit_are_refused(alice: Person, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "login=2/m"}
    browser = browser_of(alice)

    answers = [browser.post("/tokens") for _ in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert code_of(answers[2]) == "rate_limited"


def test_a_second_call_ends_the_session_of_the_first(alice: Person) -> None:
    browser = browser_of(alice)
    first = session_of(alice, browser)

    second = session_of(alice, browser)

    assert not first.is_live()
    assert second.is_live()
    assert user_in(browser) == alice.user_id


def test_an_access_token_opens_a_django_session(alice: Person) -> None:
    browser = Client(enforce_csrf_checks=True)

    assert sign_in(browser, alice.log_in()).status_code == 204
    assert user_in(browser) == user_in(browser, "/async") == alice.user_id


def test_an_older_login_opens_no_django_session_before_a_reauthentication(
    alice: Person, travel: time_machine.Traveller
) -> None:
    browser, session = Client(), alice.log_in()
    travel.shift(timedelta(seconds=601))

    refused = sign_in(browser, session)

    assert (refused.status_code, code_of(refused)) == (403, "reauthentication_required")
    assert user_in(browser) == ""
    session.api.post("/v1/reauthenticate", {"password": alice.password}, token=session.access)
    assert sign_in(browser, session).status_code == 204


def test_the_django_session_gets_a_new_key(alice: Person) -> None:
    browser, session = Client(), alice.log_in()
    browser.get("/note")
    keys = [key_of(browser)]

    for _ in range(2):
        sign_in(browser, session)
        keys.append(key_of(browser))

    assert len(set(keys)) == 3
    for known in keys[:2]:
        thief = Client()
        thief.cookies[django_settings.SESSION_COOKIE_NAME] = known
        assert user_in(thief) == ""
    assert browser.get("/note").content == b"hello"


def test_the_django_session_of_another_user_is_emptied_and_its_link_ends(alice: Person, bob: Person) -> None:
    browser = browser_of(bob)
    browser.get("/note")
    ended = session_of(bob, browser)

    sign_in(browser, alice.log_in())

    assert user_in(browser) == alice.user_id
    assert browser.get("/note").content == b""
    assert not ended.is_live()


def test_only_an_access_token_of_a_live_session_opens_a_django_session(
    alice: Person, travel: time_machine.Traveller
) -> None:
    session, ended = alice.log_in(), alice.log_in()
    alice.api.post("/v1/logout-all", token=ended.access)
    live = alice.log_in()
    headers = {
        "an ended session": f"Bearer {session.access}",
        "a refresh token": f"Bearer {live.refresh}",
        "garbage": "Bearer garbage",
        "nothing": "",
    }

    browser = Client()
    codes = {
        kind: code_of(browser.post("/sign-in", headers={"Authorization": value})) for kind, value in headers.items()
    }
    travel.shift(901)
    codes["an expired token"] = code_of(sign_in(browser, live))

    assert codes == {**dict.fromkeys(codes, "invalid_access_token"), "nothing": "missing_auth_header"}
    assert user_in(browser) == ""


def ends_by_token(session: SignedIn) -> None:
    """Log out."""
    session_id = next(one["id"] for one in session.api.get("/v1/sessions", token=session.access).data if one["current"])
    session.api.post("/v1/logout", {"session_id": session_id}, token=session.access)


def ends_everywhere(session: SignedIn) -> None:
    """End all sessions."""
    session.api.post("/v1/logout-all", token=session.access)


def ends_by_reuse(session: SignedIn) -> None:
    """Use the refresh token twice."""
    session.refreshed()
    assert not session.is_live()


@pytest.mark.parametrize("end", [ends_by_token, ends_everywhere, ends_by_reuse])
@pytest.mark.parametrize("path", ["/", "/async"])
def test_the_end_of_the_services_session_ends_the_django_session(alice: Person, end: Any, path: str) -> None:
    asked, signed_in = browser_of(alice), Client()
    sessions = [session_of(alice, asked), alice.log_in()]
    sign_in(signed_in, sessions[1])
    unlinked = browser_of(alice)

    for session in sessions:
        end(session)

    assert [user_in(asked, path), user_in(signed_in, path)] == ["", ""]
    assert asked.post("/tokens").status_code == 403
    assert user_in(unlinked, path) == alice.user_id


def test_the_expiry_of_the_services_session_ends_the_django_session(
    alice: Person, settings: Settings, travel: time_machine.Traveller
) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "REFRESH_IDLE_SECONDS": "3600"}
    browser = browser_of(alice)
    tokens(browser)

    travel.shift(timedelta(seconds=3599))
    assert user_in(browser) == alice.user_id
    travel.shift(timedelta(seconds=1))
    assert user_in(browser) == ""


def test_a_logout_of_django_ends_the_services_session(alice: Person) -> None:
    asked, signed_in = browser_of(alice), Client()
    sessions = [session_of(alice, asked), alice.log_in()]
    sign_in(signed_in, sessions[1])
    other = alice.log_in()

    asked.post("/log-out")
    signed_in.logout()

    assert [session.is_live() for session in (*sessions, other)] == [False, False, True]
    assert len(events(alice, "logout")) == 2


def test_a_logout_ends_the_session_also_when_another_request_saved_the_django_session_later(
    alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, tab, opened = browser_of(alice), Client(), []
    tab.cookies = browser.cookies
    monkeypatch.setattr("tests.api.host_site.sessions_site.meanwhile", lambda: opened.append(session_of(alice, tab)))
    browser.get("/late-note")

    browser.post("/log-out")

    assert not opened[0].is_live()


def test_a_logout_of_an_unlinked_django_session_changes_nothing(alice: Person) -> None:
    session = alice.log_in()

    browser_of(alice).post("/log-out")

    assert session.is_live()
    assert events(alice, "logout") == []


@pytest.mark.parametrize("path", ["/careless-tokens", "/careless-sign-in"])
def test_nothing_is_linked_without_the_middleware(alice: Person, settings: Settings, path: str) -> None:
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if name != MIDDLEWARE]

    with pytest.raises(ImproperlyConfigured, match="LinkedSessionMiddleware"):
        sign_in(browser_of(alice), alice.log_in(), path=path)


def test_sessions_in_cookies_are_not_linked(alice: Person, settings: Settings) -> None:
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"

    with pytest.raises(ImproperlyConfigured, match="cookies"):
        browser_of(alice).post("/tokens")


def test_the_middleware_must_follow_that_of_django(settings: Settings) -> None:
    settings.MIDDLEWARE = [MIDDLEWARE]

    with pytest.raises(ImproperlyConfigured, match="AuthenticationMiddleware"):
        Client().get("/")


def test_a_linked_django_session_takes_one_more_query(alice: Person, django_assert_num_queries: Any) -> None:
    linked, unlinked = browser_of(alice), browser_of(alice)
    tokens(linked)

    with django_assert_num_queries(2):
        user_in(unlinked, "/async")
    with django_assert_num_queries(3):
        user_in(linked, "/async")
