"""A session that was authenticated too long ago changes no credential before it reauthenticates."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from tests import passkeys
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Answer
from tests.contract.tables import ROUTES, USER, Route
from tests.mails import delivered, token_in
from tests.people import Person, SignedIn
from tests.second_factors import begin_totp, enroll_totp, lock

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
LIMIT = 120
NEW_PASSWORD = "another horse battery"

FREE = {
    "GET /v1/session": "reads",
    "GET /v1/sessions": "reads",
    "GET /v1/applications": "reads",
    "GET /v1/me": "reads",
    "DELETE /v1/sessions/{id}": "ends access",
    "DELETE /v1/applications/{clientID}": "ends access",
    "POST /v1/reauthenticate": "reauthenticates",
    "POST /v1/reauthenticate/passkey/begin": "reauthenticates",
    "POST /v1/logout": "ends access",
    "POST /v1/logout-all": "ends access",
    "GET /v1/verify": "reads",
    "POST /v1/change-password": "asks for the password",
    "POST /v1/delete-account": "asks for the password",
    "POST /v1/totp/disable": "asks for the password",
    "DELETE /v1/passkeys/{credentialID}": "asks for the password",
    "POST /v1/email/verify/request": "mails the account owner",
    "GET /v1/passkeys": "reads",
    "GET /v1/passkeys/signal": "reads",
    "GET /v1/api-keys": "reads",
    "GET /v1/identities": "reads",
    "POST /v1/ask-ai": "reads",
    "GET /v1/ask-ai/widget": "reads",
}
"""The routes of signed-in users that need no recent login, each with the reason. All others need one."""

BODIES: Mapping[str, Mapping[str, Any]] = {
    "POST /v1/email/request-change": {"new_email": "alice2@example.com"},
    "POST /v1/totp/confirm": {"code": "123456"},
    "POST /v1/passkeys/register/finish": {"ceremony_token": "x", "credential": {}},
    "POST /v1/api-keys": {"name": "deploy"},
}
GUARDED = [route for route in ROUTES if route.auth is USER and route.name not in FREE]


@pytest.fixture(autouse=True)
def travel() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture
def _limited(settings: Settings) -> None:
    """Require a recent login."""
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RECENT_LOGIN_SECONDS": str(LIMIT)}


limited = pytest.mark.usefixtures("_limited")


def call(session: SignedIn, route: Route) -> Answer:
    return session.api.call(route.method, route.url, BODIES.get(route.name, {}), token=session.access)


def make_key(session: SignedIn) -> str:
    answer = session.api.post("/v1/api-keys", {"name": "k"}, token=session.access)
    return "ok" if answer.status == 201 else answer.code


def reauthenticate(session: SignedIn, password: str = PASSWORD) -> int:
    return session.api.post("/v1/reauthenticate", {"password": password}, token=session.access).status


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


def test_the_free_routes_exist() -> None:
    assert {route.name for route in ROUTES if route.auth is USER} >= FREE.keys()


@limited
@pytest.mark.parametrize("route", GUARDED, ids=str)
def test_every_route_that_changes_a_credential_needs_a_recent_login(
    alice: Person, travel: time_machine.Traveller, route: Route
) -> None:
    session = alice.log_in()
    travel.shift(LIMIT + 1)

    assert refusal(call(session, route)) == (403, "reauthentication_required")

    assert reauthenticate(session) == 200
    again = call(session, route)
    assert again.status < 300 or again.code != "reauthentication_required"


@limited
@pytest.mark.parametrize("name", FREE)
def test_the_free_routes_need_no_recent_login(alice: Person, travel: time_machine.Traveller, name: str) -> None:
    session = alice.log_in()
    travel.shift(LIMIT + 1)
    (route,) = [route for route in ROUTES if route.name == name]

    body = {"current_password": "wrong", "password": "wrong", "new_password": NEW_PASSWORD}
    answer = session.api.call(route.method, route.url, body, token=session.access)

    assert answer.status < 300 or answer.code != "reauthentication_required"


@pytest.mark.parametrize("route", GUARDED, ids=str)
def test_with_the_setting_off_every_login_is_recent_and_no_query_reads_its_time(
    alice: Person, settings: Settings, travel: time_machine.Traveller, route: Route
) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RECENT_LOGIN_SECONDS": "off"}
    session = alice.log_in()
    travel.shift(601)

    with CaptureQueriesContext(connection) as queries:
        answer = call(session, route)

    assert answer.status < 300 or answer.code != "reauthentication_required"
    # The export answers with the time itself.
    assert route.path == "/v1/account/export" or not [query for query in queries if "authenticated_at" in query["sql"]]


@limited
def test_a_login_is_recent_up_to_the_limit(alice: Person, travel: time_machine.Traveller) -> None:
    session = alice.log_in()

    travel.shift(LIMIT)
    assert make_key(session) == "ok"
    travel.shift(1)
    assert make_key(session) == "reauthentication_required"


def test_a_login_is_recent_for_ten_minutes_by_default(alice: Person, travel: time_machine.Traveller) -> None:
    session = alice.log_in()

    travel.shift(600)
    assert make_key(session) == "ok"
    travel.shift(1)
    assert make_key(session) == "reauthentication_required"


@limited
def test_a_refresh_does_not_make_the_login_recent(alice: Person, travel: time_machine.Traveller) -> None:
    session = alice.log_in()
    travel.shift(LIMIT + 1)

    assert make_key(session.refreshed()) == "reauthentication_required"


@limited
def test_a_reauthentication_holds_after_a_refresh_and_until_the_limit(
    alice: Person, travel: time_machine.Traveller
) -> None:
    session = alice.log_in()
    travel.shift(LIMIT + 1)
    reauthenticate(session)

    session = session.refreshed()

    travel.shift(LIMIT)
    assert make_key(session) == "ok"
    travel.shift(1)
    assert make_key(session) == "reauthentication_required"


@limited
def test_a_recent_login_of_another_session_does_not_count(alice: Person, travel: time_machine.Traveller) -> None:
    session = alice.log_in()
    travel.shift(LIMIT + 1)
    other = alice.log_in()
    reauthenticate(other)

    assert make_key(session) == "reauthentication_required"
    assert make_key(other) == "ok"


@limited
def test_a_failed_reauthentication_does_not_count(alice: Person, travel: time_machine.Traveller) -> None:
    session = alice.log_in()
    travel.shift(LIMIT + 1)

    assert reauthenticate(session, "wrong") == 401
    assert make_key(session) == "reauthentication_required"


@limited
def test_a_refused_operation_uses_up_no_limit(
    alice: Person, settings: Settings, travel: time_machine.Traveller
) -> None:
    session = alice.log_in()
    travel.shift(LIMIT + 1)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "api_keys=1/m"}

    assert {make_key(session) for _ in range(3)} == {"reauthentication_required"}


@limited
def test_an_ended_session_gets_the_error_of_its_token(alice: Person, travel: time_machine.Traveller) -> None:
    session = alice.log_in()
    session.api.post("/v1/logout-all", token=session.access)
    travel.shift(LIMIT + 1)

    assert make_key(session) == "invalid_access_token"


# Accounts without a password


@pytest.fixture
def session(alice: Person, travel: time_machine.Traveller) -> SignedIn:
    """Alice's session by the first magic link to an unproven address, which ends the password."""
    tokens = by_link(alice)
    return SignedIn(person=alice, api=alice.api, access=tokens["access_token"], refresh=tokens["refresh_token"])


def by_link(person: Person) -> dict[str, str]:
    person.api.post("/v1/magic-link/request", {"email": person.email})
    body = {"token": token_in(delivered(person.email)[-1])}
    data: dict[str, str] = person.api.post("/v1/magic-link/complete", body).data
    return data


def change_password(session: SignedIn) -> Answer:
    body = {"current_password": "", "new_password": NEW_PASSWORD}
    return session.api.post("/v1/change-password", body, token=session.access)


def delete_account(session: SignedIn) -> Answer:
    return session.api.post("/v1/delete-account", {"current_password": ""}, token=session.access)


def disable_totp(session: SignedIn) -> Answer:
    return session.api.post("/v1/totp/disable", {"password": ""}, token=session.access)


def remove_passkey(session: SignedIn) -> Answer:
    (passkey, *_) = session.api.get("/v1/passkeys", token=session.access).data
    path = f"/v1/passkeys/{passkey['credential_id']}"
    return session.api.delete(path, {"password": ""}, token=session.access)


ACTS = (change_password, delete_account, disable_totp, remove_passkey)
by_act = pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)


def enroll_both(session: SignedIn) -> Authenticator:
    authenticator = Authenticator()
    assert passkeys.register(session, authenticator).status == 200
    enroll_totp(session)
    return authenticator


@by_act
def test_a_login_of_the_last_five_minutes_replaces_a_missing_password(
    session: SignedIn, travel: time_machine.Traveller, act: Any
) -> None:
    enroll_both(session)
    travel.shift(300)

    assert act(session).status == 200


@by_act
def test_an_older_login_replaces_no_missing_password_and_counts_no_failure(
    session: SignedIn, travel: time_machine.Traveller, act: Any
) -> None:
    enroll_both(session)
    travel.shift(301)

    assert refusal(act(session)) == (403, "reauthentication_required")

    assert session.person.account().failed_attempts == 0


@by_act
def test_a_reauthentication_replaces_a_missing_password(
    session: SignedIn, travel: time_machine.Traveller, act: Any
) -> None:
    authenticator = enroll_both(session)
    travel.shift(timedelta(minutes=10))
    ceremony = passkeys.begin_reauthentication(session)
    body = {"ceremony_token": ceremony["ceremony_token"], "credential": authenticator.get(ceremony["public_key"])}
    assert session.api.post("/v1/reauthenticate", body, token=session.access).status == 200

    assert act(session).status == 200


@by_act
def test_a_longer_setting_does_not_prolong_the_five_minutes(
    session: SignedIn, settings: Settings, travel: time_machine.Traveller, act: Any
) -> None:
    enroll_both(session)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RECENT_LOGIN_SECONDS": "3600"}
    travel.shift(301)

    assert refusal(act(session)) == (403, "reauthentication_required")


def test_the_new_password_logs_in_and_is_then_required(session: SignedIn) -> None:
    assert change_password(session).data == {"status": "password changed"}

    person = session.person
    tokens = person.api.post("/v1/login", {"email": person.email, "password": NEW_PASSWORD}).data
    again = SignedIn(person=person, api=person.api, access=tokens["access_token"], refresh=tokens["refresh_token"])
    assert refusal(change_password(again)) == (401, "invalid_credentials")
    assert refusal(delete_account(again)) == (401, "invalid_credentials")


def test_the_member_of_the_missing_password_stays_required(session: SignedIn) -> None:
    body = {"new_password": NEW_PASSWORD}

    answer = session.api.post("/v1/change-password", body, token=session.access)

    assert refusal(answer) == (400, "bad_request")


def test_an_account_with_a_password_needs_it_right_after_the_login_too(alice: Person) -> None:
    assert refusal(change_password(alice.log_in())) == (401, "invalid_credentials")


def test_an_account_without_a_password_cannot_reauthenticate_by_password(session: SignedIn) -> None:
    assert [reauthenticate(session, password) for password in ("", PASSWORD)] == [401, 401]


def test_a_lock_does_not_stop_the_changes_of_an_account_without_a_password(session: SignedIn) -> None:
    begin_totp(session)
    lock(session.person)

    assert change_password(session).status == 200
