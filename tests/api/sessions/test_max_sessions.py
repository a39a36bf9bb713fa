"""The limit on the live sessions of an account (MAX_SESSIONS)."""

from datetime import timedelta

import pytest
import time_machine
from pytest_django import Settings

from accounts.models import Event
from core.clock import now
from tests.client import Api
from tests.people import Person, SignedIn
from tests.second_factors import complete_by_totp, enroll_totp, pause


def limit(settings: Settings, number: int) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "MAX_SESSIONS": str(number)}


def is_live(session: SignedIn) -> bool:
    return session.api.get("/v1/session", token=session.access).status == 200


def test_without_the_setting_every_session_stays(alice: Person) -> None:
    sessions = [alice.log_in() for _ in range(4)]

    assert all(is_live(session) for session in sessions)


def test_a_login_ends_the_session_with_the_oldest_login(alice: Person, bob: Person, settings: Settings) -> None:
    limit(settings, 2)
    other = bob.log_in()
    first, second = alice.log_in(), alice.log_in()
    first = first.refreshed()

    third = alice.log_in(Api(ip="203.0.113.99"))

    assert [is_live(session) for session in (first, second, third, other)] == [False, True, True, True]
    assert first.api.post("/v1/refresh", {"refresh_token": first.refresh}).code == "invalid_token"
    ended = Event.objects.get(type="session_ended")
    assert (ended.user_id, ended.metadata["cause"]) == (alice.user_id, "max_sessions")
    assert len(ended.metadata["session_ids"]) == 2


def test_a_lower_limit_counts_at_the_next_login(alice: Person, settings: Settings) -> None:
    sessions = [alice.log_in() for _ in range(4)]
    limit(settings, 1)

    assert all(is_live(session) for session in sessions)
    newest = alice.log_in()

    assert [is_live(session) for session in (*sessions, newest)] == [False] * 4 + [True]


def test_a_paused_login_ends_no_session_before_its_completion(alice: Person, settings: Settings) -> None:
    limit(settings, 1)
    session = alice.log_in()
    app = enroll_totp(session)

    pending = pause(alice)
    assert is_live(session)
    complete_by_totp(alice.api, pending, app.code(steps=1))

    assert not is_live(session)


def test_the_new_session_stays_even_if_another_machine_has_a_faster_clock(alice: Person, settings: Settings) -> None:
    limit(settings, 1)
    with time_machine.travel(now() + timedelta(seconds=3)):
        ahead = alice.log_in()

    session = alice.log_in()

    assert is_live(session)
    assert not is_live(ahead)


@pytest.mark.parametrize("kind", ["expired", "logged out"])
def test_an_ended_session_does_not_count(alice: Person, settings: Settings, kind: str) -> None:
    limit(settings, 2)
    first, second = alice.log_in(), alice.log_in()
    if kind == "logged out":
        ended = second.api.get("/v1/session", token=second.access).data["id"]
        second.api.post("/v1/logout", {"session_id": ended}, token=second.access)
        third = alice.log_in()
        assert is_live(first)
    else:
        with time_machine.travel(now() + timedelta(days=31)):
            third = alice.log_in()
            assert is_live(third)
            assert not Event.objects.filter(type="session_ended").exists()
