"""The time of a session's last authentication."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path

import pytest
import time_machine
from django.apps import apps
from django.db import connection
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from pytest_django import Settings

from core.clock import now
from core.db.transactions import write
from core.keys import jwt
from sessions_app.families.queries import FamilySessions
from sessions_app.models import Family
from tests.mails import delivered, token_in
from tests.people import Person, SignedIn
from tests.second_factors import complete_by_totp, enroll_totp, pause

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
sessions = FamilySessions()


@pytest.fixture(autouse=True)
def travel() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


def token_id(session: SignedIn) -> str:
    return jwt.verify_access_token(session.access, now=now()).token_id


def authenticated_at(session: SignedIn) -> datetime | None:
    account_id = session.person.account().pk
    return sessions.authenticated_at(token_id=token_id(session), account_id=account_id, now=now())


@write
def mark(session: SignedIn, person: Person | None = None) -> bool:
    account_id = (person or session.person).account().pk
    return sessions.mark_authenticated(token_id=token_id(session), account_id=account_id, now=now())


def signed_in(person: Person, tokens: dict[str, str]) -> SignedIn:
    return SignedIn(person=person, api=person.api, access=tokens["access_token"], refresh=tokens["refresh_token"])


def test_a_password_login_authenticates_the_session(alice: Person) -> None:
    assert authenticated_at(alice.log_in()) == START


def test_a_paused_login_authenticates_the_session_at_its_completion(
    alice: Person, travel: time_machine.Traveller
) -> None:
    app = enroll_totp(alice.log_in())
    pending = pause(alice)
    travel.shift(60)

    tokens = complete_by_totp(alice.api, pending, app.code()).data

    assert authenticated_at(signed_in(alice, tokens)) == START + timedelta(minutes=1)


def test_a_magic_link_authenticates_the_session(alice: Person, settings: Settings, tmp_path: Path) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "EMAIL_URL": f"file://{tmp_path}"}
    alice.api.post("/v1/magic-link/request", {"email": alice.email})

    tokens = alice.api.post("/v1/magic-link/complete", {"token": token_in(delivered(alice.email)[-1])}).data

    assert authenticated_at(signed_in(alice, tokens)) == START


def test_a_refresh_keeps_the_time_of_the_login(alice: Person, travel: time_machine.Traveller) -> None:
    session = alice.log_in()
    travel.shift(HOUR)

    assert authenticated_at(session.refreshed()) == START


def test_a_mark_changes_only_the_session_of_the_token(alice: Person, travel: time_machine.Traveller) -> None:
    session, other = alice.log_in(), alice.log_in()
    travel.shift(60)

    assert mark(session)

    assert authenticated_at(session) == START + timedelta(minutes=1)
    assert authenticated_at(session.refreshed()) == START + timedelta(minutes=1)
    assert authenticated_at(other) == START


def test_a_session_that_has_ended_has_no_time_and_takes_no_mark(alice: Person) -> None:
    session = alice.log_in()
    alice.api.post("/v1/logout-all", token=session.access)

    assert not mark(session)

    assert authenticated_at(session) is None
    assert not Family.objects.exclude(authenticated_at=START).exists()


def test_a_session_takes_no_mark_of_another_account(alice: Person, bob: Person) -> None:
    assert not mark(alice.log_in(), bob)


def test_sessions_of_the_previous_release_count_as_authenticated_at_their_login(
    alice: Person, travel: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    migration = import_module("sessions_app.migrations.0003_authenticated_since_login")
    monkeypatch.setattr(migration, "BATCH", 2)
    started = [alice.log_in() for _ in range(5)]
    Family.objects.update(authenticated_at=datetime(1970, 1, 1, tzinfo=UTC))
    travel.shift(60)
    marked = started.pop()
    mark(marked)

    migration.date_from_login(apps, BaseDatabaseSchemaEditor(connection, atomic=False))

    assert [authenticated_at(session) for session in started] == [START] * 4
    assert authenticated_at(marked) == START + timedelta(minutes=1)
