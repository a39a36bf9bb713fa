"""A client that lost the answer to a refresh repeats the refresh with the same Idempotency-Key."""

from dataclasses import replace
from datetime import timedelta

import pytest
import time_machine
from django.conf import settings as django_settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from accounts.models import Event
from core import clock
from sessions_app.models import KeyedRotation, Token
from tests.client import Answer, Api
from tests.people import Person, SignedIn
from tests.rows import each

KEY = "x3F8sPlC0mZ7QHkWnVbR2g"
OTHER_KEY = "kW4-tY_9bQe0LmVzXr5NcA"
HOST = django_settings.AUTH_USER_MODEL != "authsvc_accounts.User"


def send(session: SignedIn, key: str | None, *, api: Api | None = None) -> Answer:
    headers = None if key is None else {"Idempotency-Key": key}
    return (api or session.api).post("/v1/refresh", {"refresh_token": session.refresh}, headers=headers)


def refreshed(session: SignedIn, key: str | None = KEY, *, api: Api | None = None) -> SignedIn:
    tokens = send(session, key, api=api).data
    return replace(session, access=tokens["access_token"], refresh=tokens["refresh_token"])


def listed(session: SignedIn) -> list[dict[str, object]]:
    return list(session.api.get("/v1/sessions", token=session.access).data)


def count(event: str) -> int:
    return Event.objects.filter(type=event).count()


def test_a_repeated_refresh_returns_a_fresh_pair_that_replaces_the_lost_one(alice: Person) -> None:
    first = alice.log_in()
    lost = refreshed(first)

    again = refreshed(first)

    assert again.refresh not in {first.refresh, lost.refresh}
    assert alice.api.get("/v1/verify", token=again.access).data == {"user_id": alice.user_id}
    assert send(lost, None).code == "invalid_token"
    assert send(lost, KEY).code == "invalid_token"
    assert send(lost, OTHER_KEY).code == "invalid_token"
    assert again.is_live()
    assert count("token_reuse_detected") == 0


def test_a_refresh_repeats_any_number_of_times_and_only_the_last_token_works(alice: Person) -> None:
    first = alice.log_in()

    pairs = [refreshed(first) for _ in range(4)]

    assert [send(pair, None).code for pair in pairs[:-1]] == ["invalid_token"] * 3
    assert pairs[-1].is_live()
    assert count("token_rotated") == 5


def test_the_session_shows_the_client_of_the_repetition(alice: Person) -> None:
    first = alice.log_in()
    refreshed(first)

    again = refreshed(first, api=Api(ip="198.51.100.9", user_agent="curl/8"))

    (session,) = listed(again)
    assert (session["ip"], session["user_agent"], session["current"]) == ("198.51.100.9", "curl/8", True)


@pytest.mark.parametrize("how", ["logout", "delete"])
def test_the_row_of_a_superseded_token_still_identifies_the_session(alice: Person, how: str) -> None:
    first = alice.log_in()
    lost = refreshed(first)
    (shown,) = listed(lost)
    again = refreshed(first)

    assert listed(lost)[0]["current"] is True
    if how == "logout":
        answer = alice.api.post("/v1/logout", {"session_id": shown["id"]}, token=lost.access)
    else:
        answer = alice.api.delete(f"/v1/sessions/{shown['id']}", token=lost.access)

    assert answer.status == 200
    assert send(again, None).code == "invalid_token"
    assert send(first, KEY).code == "token_reused"
    assert send(lost, None).code == "invalid_token"


@pytest.mark.parametrize("key", [None, OTHER_KEY, KEY[::-1]])
def test_reuse_without_the_same_key_ends_the_session(alice: Person, key: str | None) -> None:
    first = alice.log_in()
    second = refreshed(first)

    assert send(first, key).code == "token_reused"

    assert send(second, None).code == "invalid_token"
    assert send(first, KEY).code == "token_reused"
    assert count("token_reuse_detected") == 1


def test_a_key_does_not_repeat_a_refresh_that_had_none(alice: Person) -> None:
    first = alice.log_in()
    second = refreshed(first, None)

    assert send(first, KEY).code == "token_reused"
    assert send(second, None).code == "invalid_token"


@pytest.mark.parametrize("key", [None, KEY, OTHER_KEY])
def test_a_repetition_after_the_successor_refreshed_ends_the_session(alice: Person, key: str | None) -> None:
    first = alice.log_in()
    third = refreshed(refreshed(first), key)

    assert send(first, KEY).code == "token_reused"
    assert send(third, None).code == "invalid_token"


def test_the_use_of_an_access_token_does_not_prevent_a_repetition(alice: Person) -> None:
    first = alice.log_in()
    lost = refreshed(first)
    listed(lost)

    assert refreshed(first).is_live()


def test_a_repetition_is_accepted_for_five_minutes_after_the_first_refresh(alice: Person) -> None:
    with time_machine.travel(clock.now(), tick=False) as travel:
        first, late = alice.log_in(), alice.log_in()
        refreshed(first)
        refreshed(late)

        travel.shift(timedelta(minutes=5, microseconds=-1))
        again = refreshed(first)
        refreshed(late)
        travel.shift(timedelta(microseconds=1))

        assert again.is_live()
        assert send(late, KEY).code == "token_reused"


def test_a_successor_that_was_refused_at_the_limit_counts_as_used(alice: Person, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "refresh=2/m"}
    with time_machine.travel(clock.now(), tick=False) as travel:
        first, other = alice.log_in(), alice.log_in()
        second = refreshed(first)
        other.refreshed()

        assert send(second, None).code == "rate_limited"
        travel.shift(timedelta(minutes=2))

        assert send(first, KEY).code == "token_reused"


def test_a_repetition_beyond_the_limit_waits_and_changes_nothing(alice: Person, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "refresh=2/m"}
    with time_machine.travel(clock.now(), tick=False) as travel:
        first = alice.log_in()
        refreshed(first)
        second = refreshed(first)

        answer = send(first, KEY)
        assert (answer.status, answer.code) == (429, "rate_limited")
        assert 59 <= int(answer.headers["Retry-After"]) <= 61
        travel.shift(timedelta(minutes=2))

        assert second.is_live()


@pytest.mark.skipif(not HOST, reason="the standalone project deactivates no user")
def test_a_successor_that_a_host_project_refused_counts_as_used(alice: Person) -> None:
    first = alice.log_in()
    second = refreshed(first)
    user = alice.account().user

    user.is_active = False
    user.save()
    assert send(second, None).code == "invalid_token"
    user.is_active = True
    user.save()

    assert send(first, KEY).code == "token_reused"


@each("key", ["", "short", "A" * 21, "A" * 65, "A" * 21 + "=", "A" * 21 + "é", f"{KEY} ", f'"{KEY}"', f"{KEY},{KEY}"])
def test_a_malformed_key_is_refused_before_the_token_is_looked_at(alice: Person, key: str) -> None:
    first = alice.log_in()
    second = refreshed(first)

    for session in (first, second):
        answer = session.api.client.post(
            "/v1/refresh",
            {"refresh_token": session.refresh},
            content_type="application/json",
            HTTP_IDEMPOTENCY_KEY=key,
        )
        assert answer.status_code == 400
        assert answer.json()["error"] == {
            "code": "bad_request",
            "message": "The Idempotency-Key header must have 22 to 64 characters, each a letter, a digit, `-` or `_`.",
        }

    assert refreshed(first).is_live()


@pytest.mark.parametrize("key", ["A" * 22, "-" * 64, "_aZ9-" * 5])
def test_a_key_has_22_to_64_characters_of_base64url(alice: Person, key: str) -> None:
    first = alice.log_in()
    refreshed(first, key)

    assert refreshed(first, key).is_live()


def test_only_a_digest_of_the_key_is_stored(alice: Person) -> None:
    first = alice.log_in()
    refreshed(first)
    again = refreshed(first)

    rotation = KeyedRotation.objects.get()
    assert len(rotation.digest) == 32
    assert KEY.encode() not in bytes(rotation.digest)
    assert [str(rotation.token_id)] == [session["id"] for session in listed(again)]
    assert Token.objects.count() == 3


def test_one_key_of_two_sessions_repeats_each_of_them(alice: Person, bob: Person) -> None:
    firsts = [alice.log_in(), alice.log_in(), bob.log_in()]
    for first in firsts:
        refreshed(first)

    assert all(refreshed(first).is_live() for first in firsts)


@pytest.mark.skipif(connection.vendor != "postgresql" or HOST, reason="see test_refresh.py")
def test_a_refresh_with_a_key_takes_one_statement_on_postgresql(alice: Person) -> None:
    session = refreshed(alice.log_in())

    with CaptureQueriesContext(connection) as captured:
        refreshed(session)

    assert [query["sql"].split()[0] for query in captured if "SAVEPOINT" not in query["sql"]] == ["WITH"]
