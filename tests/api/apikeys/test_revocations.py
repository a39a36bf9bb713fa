"""GET /v1/revocations: the ended sessions whose access tokens are still valid, for services that verify offline."""

from datetime import datetime, timedelta
from hashlib import sha256
from io import StringIO
from typing import Any
from urllib.parse import urlencode

import jwt as pyjwt
import pytest
import time_machine
from django.core.management import CommandError, call_command
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.models import Event
from apikeys.models import ServiceKey
from core import clock
from core.clock import rfc3339
from core.db.ids import new_id
from sessions_app.families.ended_sessions import OVERLAP, PAGE_MAX
from tests.client import PASSWORD, Answer, Api
from tests.keys import make_key
from tests.people import Person, SignedIn

LIFETIME = timedelta(seconds=900)
SCOPE = "revocations:read"


def service_keys(*arguments: str) -> list[str]:
    """Run the command, and return the lines that it prints."""
    output = StringIO()
    call_command("service_keys", *arguments, stdout=output)
    return output.getvalue().splitlines()


@pytest.fixture
def key(db: None) -> str:
    """The key of a service."""
    return service_keys("create", "prices", "--scope", SCOPE)[0]


def fetch(key: str, *, since: object = None) -> Answer:
    query = f"?{urlencode({'since': since})}" if since else ""
    return Api().get(f"/v1/revocations{query}", headers={"X-API-Key": key})


def revoked_ids(answer: Answer) -> set[str]:
    return {one for entry in answer.data["revocations"] for one in entry["session_ids"]}


def id_of(session: SignedIn) -> str:
    claims: dict[str, Any] = pyjwt.decode(session.access, options={"verify_signature": False})
    return str(claims["jti"])


def log_out(session: SignedIn) -> None:
    session.api.post("/v1/logout", {"session_id": id_of(session)}, token=session.access)


def end_many(count: int, *, at: datetime) -> list[str]:
    """Record the ends of so many sessions, each one microsecond after the one before; return their ids."""
    ids = [str(new_id()) for _ in range(count)]
    Event.objects.bulk_create(
        Event(
            type="session_ended",
            user_id="x",
            metadata={"cause": "logout", "session_ids": [one], "last_expiry": rfc3339(at + LIFETIME)},
            created_at=at + timedelta(microseconds=number),
        )
        for number, one in enumerate(ids)
    )
    return ids


def test_an_ended_session_is_listed_by_the_ids_of_its_access_tokens_and_by_nothing_else(
    key: str, session: SignedIn
) -> None:
    now = clock.now()
    newest = session.refreshed()

    log_out(newest)

    assert fetch(key).data == {
        "revocations": [{"session_ids": [id_of(newest), id_of(session)], "expires_at": rfc3339(now + LIFETIME)}],
        "next_since": rfc3339(now - OVERLAP),
        "has_more": False,
    }


def test_the_key_can_be_the_bearer_token(key: str, session: SignedIn) -> None:
    log_out(session)

    answer = Api().get("/v1/revocations", token=key)

    assert revoked_ids(answer) == {id_of(session)}


def test_a_live_session_and_an_expired_one_are_not_listed(
    key: str, alice: Person, session: SignedIn, travel: time_machine.Traveller
) -> None:
    travel.shift(901)
    alice.log_in()
    alice.api.post("/v1/refresh", {"refresh_token": session.refresh})

    assert fetch(key).data["revocations"] == []


def test_a_revocation_is_listed_until_its_last_access_token_expires(
    key: str, session: SignedIn, travel: time_machine.Traveller
) -> None:
    travel.shift(300)
    log_out(session)

    travel.shift(599)
    assert revoked_ids(fetch(key)) == {id_of(session)}
    travel.shift(1)
    assert revoked_ids(fetch(key)) == set()


def test_the_sessions_of_a_deleted_account_are_listed(key: str, session: SignedIn) -> None:
    session.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access)

    assert revoked_ids(fetch(key)) == {id_of(session)}


def test_a_poller_gets_a_revocation_that_was_committed_a_minute_late(key: str, travel: time_machine.Traveller) -> None:
    started = clock.now()
    travel.shift(59)
    since = fetch(key).data["next_since"]

    (late,) = end_many(1, at=started)

    assert revoked_ids(fetch(key, since=since)) == {late}


def test_a_poller_does_not_get_old_revocations_again(
    key: str, session: SignedIn, travel: time_machine.Traveller
) -> None:
    log_out(session)
    travel.shift(61)
    since = fetch(key).data["next_since"]

    assert fetch(key, since=since).data["revocations"] == []
    assert revoked_ids(fetch(key)) == {id_of(session)}


def test_pages_list_each_revocation_and_end(key: str) -> None:
    now = clock.now()
    ids = end_many(2 * PAGE_MAX + 1, at=now - timedelta(minutes=5))

    pages, since = [], None
    for _ in range(3):
        pages.append(fetch(key, since=since))
        since = pages[-1].data["next_since"]

    assert [len(page.data["revocations"]) for page in pages] == [PAGE_MAX, PAGE_MAX, 1]
    assert [page.data["has_more"] for page in pages] == [True, True, False]
    assert {one for page in pages for one in revoked_ids(page)} == set(ids)
    assert since == rfc3339(now - OVERLAP)


@pytest.mark.parametrize("since", ["yesterday", "2026-03-01", "1795262044", "2026-03-01T12:00:00"])
def test_a_malformed_since_is_refused(key: str, since: str) -> None:
    answer = fetch(key, since=since)

    assert (answer.status, answer.code) == (400, "bad_request")


@pytest.mark.parametrize("since", ["1970-01-01T00:00:00Z", "2999-12-31T23:59:59Z", "2026-03-01T13:00:00+01:00"])
def test_every_time_is_a_valid_since(key: str, since: str) -> None:
    assert fetch(key, since=since).data["revocations"] == []


@pytest.mark.parametrize("scopes", [[], ["revocations"], [SCOPE], ["*"]])
def test_no_key_of_a_user_opens_the_list_whatever_its_scopes(session: SignedIn, scopes: list[str]) -> None:
    made = make_key(session, scopes=scopes)

    answer = fetch(made["key"])

    assert made["api_key"]["scopes"] == scopes
    assert (answer.status, answer.code) == (403, "permission_denied")
    assert answer.headers["WWW-Authenticate"] == 'Bearer error="insufficient_scope"'


def test_a_revoked_key_is_refused_and_no_longer_listed(key: str) -> None:
    prefix = key[:11]
    assert [prefix in line for line in service_keys("list")] == [True]

    service_keys("revoke", prefix)

    assert fetch(key).code == "invalid_api_key"
    assert service_keys("list") == ["There are no service keys."]
    with pytest.raises(CommandError, match="no key with the prefix"):
        service_keys("revoke", prefix)


def test_a_key_expires(db: None) -> None:
    with time_machine.travel(clock.now(), tick=False) as travel:
        key = service_keys("create", "prices", "--scope", SCOPE, "--days", "1")[0]
        before = fetch(key).status
        travel.shift(timedelta(days=1))

        assert (before, fetch(key).code) == (200, "invalid_api_key")


@pytest.mark.parametrize("arguments", [("",), ("a" * 101,), ("a\n",), ("a", "--days", "-1"), ("a", "--days", "3651")])
def test_a_name_and_a_lifetime_out_of_bounds_are_refused(db: None, arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        service_keys("create", *arguments, "--scope", SCOPE)


def test_the_database_contains_only_the_digest_of_a_key_and_events_only_its_prefix(key: str) -> None:
    row, event = ServiceKey.objects.get(), Event.objects.get(type="api_key_created")

    assert bytes(row.digest) == sha256(key.encode()).digest()
    assert event.metadata == {"prefix": row.prefix}
    assert event.user_id is None


def test_a_service_key_opens_no_other_route(key: str) -> None:
    assert Api().get("/v1/verify", headers={"X-API-Key": key}).code == "invalid_api_key"
    assert Api().get("/v1/sessions", token=key).code == "invalid_access_token"


def test_the_key_is_checked_before_the_query(session: SignedIn) -> None:
    assert fetch("ak_junk", since="junk").code == "invalid_api_key"


def test_the_route_does_not_exist_while_api_keys_are_off(key: str, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "API_KEYS_ENABLED": "off"}

    answers = [fetch(key), Api().get("/v1/revocations")]

    assert [(answer.status, answer.code) for answer in answers] == [(404, "api_keys_not_configured")] * 2


def test_an_answer_needs_one_query_for_the_key_and_one_for_the_list(
    key: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    end_many(20, at=clock.now())
    fetch(key)

    with django_assert_num_queries(2):
        fetch(key)
