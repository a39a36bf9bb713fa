"""Retention: which rows are pruned, and which rows stay."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.core.management import call_command
from django.db.models import Q
from pytest_django import Settings

from accounts.models import Account, Event
from accounts.ops import retention
from accounts.ops.retention import Progress, PruneDaily, event_keepers, prune
from core import clock
from core.db import ids
from events.rollup import count_events, roll_up
from events.vocabulary import EventType
from sessions_app.models import Family, Token
from tests.client import Api
from tests.factories import EventFactory, MailTokenFactory, PendingLoginFactory
from tests.keys import events, listed, make_key, revoke, verify
from tests.people import Person, SignedIn
from tests.races.crowd import Crowd

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
IDLE = timedelta(days=30)


@pytest.fixture(autouse=True)
def travel(monkeypatch: pytest.MonkeyPatch) -> Iterator[time_machine.Traveller]:
    """Start on a fixed day, with ids of that day. Earlier tests have moved the ids into the future."""
    monkeypatch.setattr(ids, "_sequence", ids._Sequence())
    monkeypatch.setattr(retention, "PAUSE_SECONDS", 0)
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture
def ten_days(settings: Settings) -> None:
    """Keep audit events for ten days. A sweep counts each day before it deletes events, and 400 days take seconds."""
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RETENTION_AUDIT_DAYS": "10"}


def sweep() -> dict[str, int]:
    """Prune now. Return the number of deleted rows by name."""
    deleted: dict[str, int] = {}
    for progress in prune(now=clock.now()):
        deleted[progress.name] = deleted.get(progress.name, 0) + progress.rows
    deleted.pop("days counted", None)
    return {name: rows for name, rows in deleted.items() if rows}


def refresh(token: str) -> str:
    answer = Api().post("/v1/refresh", {"refresh_token": token})
    return answer.code if answer.status >= 400 else "ok"


def events_at(moment: datetime, *types: EventType) -> list[UUID]:
    events = [EventFactory.build(type=event, created_at=moment) for event in types]
    return [event.pk for event in Event.objects.bulk_create(events)]


def test_the_first_id_of_a_moment_sorts_before_every_id_made_then() -> None:
    assert ids.first_id(START) < ids.new_id() < ids.first_id(START + timedelta(milliseconds=1))
    assert ids.made_at(ids.first_id(START)) == START
    assert ids.first_id(datetime(1926, 11, 21, tzinfo=UTC)) == ids.first_id(datetime(1970, 1, 1, tzinfo=UTC))
    assert (ids.first_id(START).version, ids.first_id(START).variant) == (7, ids.new_id().variant)


def test_a_rotated_token_is_recognized_as_reused_until_the_idle_lifetime_has_passed(
    alice: Person, travel: time_machine.Traveller
) -> None:
    first = alice.log_in()
    travel.shift(timedelta(days=20))
    second = first.refreshed()
    travel.shift(timedelta(days=20))
    third = second.refreshed()

    travel.move_to(START + timedelta(days=20) + IDLE)
    assert sweep() == {}
    travel.shift(SECOND)
    assert sweep() == {"refresh tokens": 1}

    assert refresh(first.refresh) == "invalid_token"
    fourth = third.refreshed()
    assert refresh(second.refresh) == "token_reused"
    assert refresh(fourth.refresh) == "invalid_token"


def test_the_key_of_a_refresh_is_pruned_when_it_no_longer_repeats_the_refresh(
    alice: Person, travel: time_machine.Traveller
) -> None:
    def refresh_with_key(token: str) -> str:
        answer = Api().post("/v1/refresh", {"refresh_token": token}, headers={"Idempotency-Key": "A" * 22})
        return str(answer.data["refresh_token"])

    first, second = alice.log_in().refresh, alice.log_in().refresh
    refresh_with_key(first)
    refresh_with_key(second)
    travel.shift(timedelta(minutes=5) - SECOND)
    refresh_with_key(second)

    travel.shift(SECOND)
    assert sweep() == {}
    travel.shift(SECOND)
    assert sweep() == {"idempotency keys": 1}
    travel.shift(timedelta(minutes=5))
    assert sweep() == {"idempotency keys": 1}


def test_the_current_token_of_a_live_session_is_never_pruned(alice: Person, travel: time_machine.Traveller) -> None:
    session = alice.log_in()
    for _ in range(6):
        travel.shift(IDLE - SECOND)
        sweep()
        session = session.refreshed()

    assert session.is_live()
    assert Token.objects.count() == 4


@pytest.mark.parametrize("end", ["logout", "reuse"])
def test_an_ended_session_is_pruned_after_the_idle_lifetime(
    alice: Person, travel: time_machine.Traveller, end: str
) -> None:
    first = alice.log_in()
    second = first.refreshed()
    ends: dict[str, Callable[[SignedIn], Any]] = {
        "logout": lambda session: session.api.post("/v1/logout-all", token=session.access),
        "reuse": lambda session: session.is_live(),
    }
    ends[end](second if end == "logout" else first)

    travel.shift(IDLE)
    assert sweep() == {}
    travel.shift(SECOND)

    assert sweep() == {"refresh tokens": 2, "session families": 1}
    assert (Family.objects.count(), Token.objects.count()) == (0, 0)
    assert (refresh(first.refresh), refresh(second.refresh)) == ("invalid_token", "invalid_token")


def test_an_expired_session_is_pruned_after_an_unused_idle_lifetime(
    alice: Person, travel: time_machine.Traveller
) -> None:
    first = alice.log_in()
    travel.shift(timedelta(days=20))
    second = first.refreshed()

    travel.shift(IDLE)
    assert sweep() == {}
    assert Token.objects.count() == 2
    travel.shift(SECOND)

    assert sweep() == {"refresh tokens": 2, "session families": 1}
    assert (refresh(first.refresh), refresh(second.refresh)) == ("invalid_token", "invalid_token")


@pytest.mark.parametrize(("end", "after"), [("logout", timedelta()), ("absolute", timedelta(days=1))])
def test_a_shortened_idle_lifetime_counts_from_the_end_of_the_session(
    alice: Person, travel: time_machine.Traveller, settings: Settings, end: str, after: timedelta
) -> None:
    before = settings.AUTH_SERVICE
    settings.AUTH_SERVICE = {**before, "REFRESH_ABSOLUTE_SECONDS": "86400"}
    session = alice.log_in()
    if end == "logout":
        session.api.post("/v1/logout-all", token=session.access)
    settings.AUTH_SERVICE = {**before, "REFRESH_IDLE_SECONDS": "864000"}

    travel.shift(after + timedelta(days=10))
    assert sweep() == {}
    travel.shift(SECOND)

    assert sweep() == {"refresh tokens": 1, "session families": 1}


def test_the_end_of_a_session_names_each_valid_access_token_also_after_a_short_idle_lifetime(
    alice: Person, settings: Settings, travel: time_machine.Traveller
) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "REFRESH_IDLE_SECONDS": "300"}
    session = first = alice.log_in()
    for _ in range(4):
        travel.shift(200 * SECOND)
        session = session.refreshed()
    travel.shift(99 * SECOND)

    sweep()
    session.api.post("/v1/logout-all", token=first.access)

    (ended,) = events(alice, "session_ended")
    assert len(ended.metadata["session_ids"]) == 5


def test_pruning_a_session_deletes_its_remaining_tokens(alice: Person, travel: time_machine.Traveller) -> None:
    alice.log_in()
    travel.shift(IDLE + SECOND)
    # The sweep deletes tokens by the time in their ids. A new id keeps this token out of that sweep.
    Token.objects.update(id=ids.new_id())

    assert sweep() == {"session families": 1}
    assert Token.objects.count() == 0


def test_pending_logins_are_pruned_a_day_after_they_expire(alice: Person) -> None:
    account = Account.objects.get()
    for lifetime in (-SECOND, timedelta(), SECOND):
        PendingLoginFactory.create(account=account, expires_at=START - timedelta(days=1) + lifetime)

    assert sweep() == {"pending logins": 1}


def test_sign_ins_with_a_provider_are_pruned_when_they_expire(
    alice: Person, travel: time_machine.Traveller, settings: Settings
) -> None:
    uri = "https://app.example/"
    variables = {"OAUTH_GOOGLE_CLIENT_ID": "x", "OAUTH_GOOGLE_CLIENT_SECRET": "x", "OAUTH_REDIRECT_URIS": uri}
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **variables}
    assert Api().post("/v1/oauth/google/start", {"redirect_uri": uri}).status == 200

    travel.shift(timedelta(minutes=10))
    assert sweep() == {}
    travel.shift(SECOND)
    assert sweep() == {"OAuth flows": 1}


def test_mail_tokens_are_pruned_seven_days_after_they_expired(alice: Person, travel: time_machine.Traveller) -> None:
    MailTokenFactory.create(account=Account.objects.get(), expires_at=START)

    travel.shift(timedelta(days=7))
    assert sweep() == {}
    travel.shift(SECOND)
    assert sweep() == {"mail tokens": 1}


@pytest.mark.django_db
def test_audit_events_are_pruned_in_whole_days_after_four_hundred_days() -> None:
    day = (START - timedelta(days=400)).replace(hour=0)
    events_at(day - timedelta(microseconds=1), EventType.LOGIN_SUCCESS)
    kept = events_at(day, EventType.LOGIN_SUCCESS)

    assert sweep() == {"audit events": 1}
    assert list(Event.objects.values_list("pk", flat=True)) == kept


@pytest.mark.django_db
def test_the_retention_of_audit_events_is_configurable(settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RETENTION_AUDIT_DAYS": "1"}
    events_at(START - timedelta(days=2), EventType.LOGIN_SUCCESS)
    events_at(START - timedelta(days=1), EventType.LOGIN_SUCCESS)

    assert sweep() == {"audit events": 1}


@pytest.mark.django_db
@pytest.mark.usefixtures("ten_days")
def test_counts_survive_the_deletion_of_their_events() -> None:
    events_at(START - timedelta(days=12), EventType.LOGIN_SUCCESS, EventType.LOGIN_SUCCESS, EventType.LOGIN_FAILED)
    events_at(START, EventType.LOGIN_SUCCESS)

    assert sweep() == {"audit events": 3}

    types = [EventType.LOGIN_SUCCESS, EventType.LOGIN_FAILED]
    until = START + SECOND
    assert count_events(types=types, since=None, until=until) == dict(zip(types, [3, 1], strict=True))


@pytest.mark.django_db
@pytest.mark.usefixtures("ten_days")
def test_events_counted_over_all_time_are_kept() -> None:
    kept = events_at(
        START - timedelta(days=12),
        EventType.PASSWORD_HASH_UPGRADED,
        EventType.TOTP_ENABLED,
        EventType.TOTP_DISABLED,
        EventType.PASSKEY_REGISTERED,
        EventType.PASSKEY_REMOVED,
    )
    events_at(START - timedelta(days=11), EventType.RECOVERY_CODES_GENERATED)

    assert sweep() == {"audit events": 1}
    assert set(Event.objects.values_list("pk", flat=True)) == set(kept)


class _KeepsAnomalies:
    def kept(self) -> Q:
        return Q(type=EventType.ANOMALY_DETECTED)


@pytest.mark.django_db
@pytest.mark.usefixtures("ten_days")
def test_events_that_an_app_keeps_are_not_pruned() -> None:
    (kept, _) = events_at(START - timedelta(days=12), EventType.ANOMALY_DETECTED, EventType.LOGIN_SUCCESS)
    keeper = _KeepsAnomalies()
    event_keepers.register(keeper)
    try:
        assert sweep() == {"audit events": 1}
    finally:
        event_keepers.unregister(keeper)

    assert list(Event.objects.values_list("pk", flat=True)) == [kept]


@pytest.mark.django_db
@pytest.mark.usefixtures("ten_days")
def test_rows_are_pruned_in_batches_and_an_interrupted_sweep_keeps_its_progress(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(retention, "BATCH", 10)
    mixed = [EventType.LOGIN_SUCCESS, EventType.TOTP_ENABLED] * 20
    events_at(START - timedelta(days=11), *mixed)

    batches = (progress for progress in prune(now=START) if progress.name == "audit events")
    assert next(batches) == Progress(name="audit events", rows=10)
    assert Event.objects.count() == 30

    assert [batch.rows for batch in prune(now=START) if batch.name == "audit events"] == [10, 0]
    assert set(Event.objects.values_list("type", flat=True)) == {"totp_enabled"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("ten_days")
def test_concurrent_sweeps_share_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 50)
    events_at(START - timedelta(days=12), *[EventType.LOGIN_SUCCESS] * 1000)
    list(roll_up(now=START))

    with Crowd(4) as crowd:
        deleted = crowd.at_once(*[sweep] * 4)

    assert Event.objects.count() == 0
    assert sum(swept.get("audit events", 0) for swept in deleted) == 1000


@pytest.mark.django_db
@pytest.mark.usefixtures("ten_days")
def test_the_command_reports_the_deleted_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.management.commands.prune.PROGRESS_SECONDS", float("inf"))
    events_at(START - timedelta(days=12), *[EventType.LOGIN_SUCCESS] * 1200)
    events_at(START - timedelta(days=1), EventType.LOGIN_SUCCESS)

    would_go = run_command("--dry-run")
    assert "audit events: 1,200 would be deleted" in would_go
    assert Event.objects.count() == 1201

    went = run_command()
    assert [line.partition(" in ")[0] for line in went] == [
        "days counted: 12",
        "audit events: 1,200",
        *(f"{line.partition(':')[0]}: 0" for line in would_go[1:]),
    ]
    assert Event.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.usefixtures("ten_days")
def test_the_command_reports_progress_during_a_long_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 10)
    monkeypatch.setattr("accounts.management.commands.prune.PROGRESS_SECONDS", -1.0)
    events_at(START - timedelta(days=11), *[EventType.LOGIN_SUCCESS] * 25)

    lines = run_command()

    assert [line for line in lines if line.startswith("audit events") and "so far" in line] == [
        "audit events: 10 so far",
        "audit events: 20 so far",
        "audit events: 25 so far",
    ]


def test_a_use_of_a_revoked_key_is_recorded_for_a_month_after_the_revocation(
    alice: Person, travel: time_machine.Traveller
) -> None:
    session = alice.log_in()
    revoked, live, expired = make_key(session), make_key(session), make_key(session, expires_in_days=1)
    revoke(session, revoked["api_key"]["id"])

    travel.shift(timedelta(days=30))
    assert "revoked API keys" not in sweep()
    assert verify(revoked["key"]).code == "invalid_api_key"
    assert len(events(alice, "api_key_rejected")) == 1
    travel.shift(SECOND)
    assert sweep()["revoked API keys"] == 1

    travel.shift(timedelta(days=1))
    assert verify(revoked["key"]).code == "invalid_api_key"
    assert len(events(alice, "api_key_rejected")) == 1
    assert verify(live["key"]).status == 200
    assert [key["prefix"] for key in listed(alice.log_in())] == [made["api_key"]["prefix"] for made in (expired, live)]


@pytest.mark.django_db
@pytest.mark.usefixtures("ten_days")
def test_the_worker_prunes_at_its_start_and_an_hour_after_the_end_of_each_day() -> None:
    events_at(START - timedelta(days=12), EventType.LOGIN_SUCCESS)
    job = PruneDaily()
    assert job.next_due(START) == START

    job.run(START, lambda: False)

    assert Event.objects.count() == 0
    assert job.next_due(START) == datetime(2026, 3, 2, 1, tzinfo=UTC)
    just_after_midnight = datetime(2026, 3, 2, 0, 30, tzinfo=UTC)
    job.run(just_after_midnight, lambda: False)
    assert job.next_due(just_after_midnight) == datetime(2026, 3, 2, 1, tzinfo=UTC)


@pytest.mark.django_db
@pytest.mark.usefixtures("ten_days")
def test_a_stopping_worker_stops_between_two_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 10)
    events_at(START - timedelta(days=11), *[EventType.LOGIN_SUCCESS] * 25)
    list(roll_up(now=START))
    job = PruneDaily()

    job.run(START, lambda: True)

    assert Event.objects.count() == 15
    assert job.next_due(START) == START


@pytest.mark.django_db
@pytest.mark.usefixtures("ten_days")
def test_a_failed_sweep_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    events_at(START - timedelta(days=12), EventType.LOGIN_SUCCESS)
    job = PruneDaily()
    keeper = _Broken()
    event_keepers.register(keeper)
    try:
        with pytest.raises(ZeroDivisionError):
            job.run(START, lambda: False)
    finally:
        event_keepers.unregister(keeper)
    assert job.next_due(START) == START

    job.run(START, lambda: False)

    assert Event.objects.count() == 0


class _Broken:
    def kept(self) -> Q:
        raise ZeroDivisionError


def run_command(*arguments: str) -> list[str]:
    out = StringIO()
    call_command("prune", *arguments, stdout=out)
    return out.getvalue().splitlines()
