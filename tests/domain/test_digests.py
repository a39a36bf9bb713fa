"""The schedule of recorded digests. `test_digest` covers the text."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings
from time_machine import TimeMachineFixture

from accounts.ops.retention import prunables
from console.conf import digest_settings
from console.digests import recording as digests
from console.digests.recording import RecordDigests
from console.models import DigestSchedule, RecordedDigest
from console.reports.window import Window
from console.retention import prunable_digests
from core.clock import now as read_clock
from core.db import ids
from core.jobs import jobs
from tests.operators import only_on_embedded, only_on_full
from tests.people import sign_up
from tests.races.crowd import Crowd

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
MOMENT = timedelta(microseconds=1)
HOUR = timedelta(hours=1)
DAY = 24 * HOUR
WORKERS = 4

pytestmark = pytest.mark.django_db

Configure = Callable[..., None]


@pytest.fixture(autouse=True)
def clock(time_machine: TimeMachineFixture, monkeypatch: pytest.MonkeyPatch) -> TimeMachineFixture:
    monkeypatch.setattr(ids, "_sequence", ids._Sequence())
    time_machine.move_to(NOW, tick=False)
    return time_machine


@pytest.fixture(autouse=True)
def schedule(settings: Settings) -> Configure:
    """Set the interval of the digests in hours. The interval is 24 hours until the first call."""
    before = dict(settings.AUTH_SERVICE)

    def change(hours: int | None) -> None:
        settings.AUTH_SERVICE = {**before, "DIGEST_INTERVAL_HOURS": hours}

    change(24)
    return change


def work(clock: TimeMachineFixture, *, until: datetime, step: timedelta = HOUR) -> None:
    """Run the worker's round at each step from now to `until`, inclusive."""
    now = read_clock()
    while now < until:
        now = min(now + step, until)
        clock.move_to(now, tick=False)
        run_worker_once(now)


def run_worker_once(now: datetime) -> None:
    """Run one round of the worker."""
    job = RecordDigests()
    due = job.next_due(now)
    if due is not None and due <= now:
        job.run(now, lambda: False)


def windows() -> list[tuple[datetime, datetime]]:
    return list(RecordedDigest.objects.order_by("id").values_list("window_start", "window_end"))


def test_without_a_schedule_no_digest_is_due(schedule: Configure, clock: TimeMachineFixture) -> None:
    schedule(None)

    assert RecordDigests().next_due(NOW) is None
    RecordDigests().run(NOW, lambda: False)
    work(clock, until=NOW + 3 * DAY, step=DAY)

    assert (windows(), DigestSchedule.objects.count()) == ([], 0)


def test_the_first_digest_comes_one_interval_after_the_first_worker_started(clock: TimeMachineFixture) -> None:
    run_worker_once(NOW)
    assert (windows(), RecordDigests().next_due(NOW)) == ([], NOW + DAY)

    clock.move_to(NOW + DAY - MOMENT, tick=False)
    run_worker_once(NOW + DAY - MOMENT)
    assert windows() == []

    clock.move_to(NOW + DAY, tick=False)
    run_worker_once(NOW + DAY)
    assert windows() == [(NOW, NOW + DAY)]
    assert RecordDigests().next_due(NOW + DAY) == NOW + 2 * DAY


def test_a_worker_that_starts_later_changes_nothing(clock: TimeMachineFixture) -> None:
    run_worker_once(NOW)

    run_worker_once(NOW + 23 * HOUR)

    assert RecordDigests().next_due(NOW + 23 * HOUR) == NOW + DAY


def test_digests_follow_one_another_without_drift(clock: TimeMachineFixture) -> None:
    run_worker_once(NOW)

    work(clock, until=NOW + 5 * DAY + 7 * HOUR, step=timedelta(minutes=7))

    ends = [end for _, end in windows()]
    assert len(ends) == 5
    for number, end in enumerate(ends, start=1):
        assert timedelta(0) <= end - (NOW + number * DAY) < timedelta(minutes=7)
    assert {end - start for start, end in windows()} == {DAY}


def test_a_recorded_digest_never_changes(clock: TimeMachineFixture) -> None:
    run_worker_once(NOW)
    clock.move_to(NOW + HOUR, tick=False)
    sign_up("alice")
    work(clock, until=NOW + DAY, step=23 * HOUR)
    (before,) = RecordedDigest.objects.values()
    sign_up("bob")
    work(clock, until=NOW + 2 * DAY, step=DAY)

    after = RecordedDigest.objects.order_by("id").first()
    assert after is not None
    assert after.text == before["text"]
    assert "1  sign-ups (none before)" in after.text
    assert after.text.startswith("Gatehouse, 2026-03-10 12:00 to 2026-03-11 12:00 UTC (1 day)\n")
    assert after.generated_at == NOW + DAY


def test_one_digest_replaces_the_intervals_that_passed_without_a_worker(clock: TimeMachineFixture) -> None:
    run_worker_once(NOW)
    back = NOW + 10 * DAY + 5 * HOUR

    work(clock, until=back, step=20 * DAY)
    work(clock, until=back + 11 * HOUR)

    assert windows() == [(back - DAY, back)]


def test_after_a_pause_the_next_digest_is_at_least_half_an_interval_away(clock: TimeMachineFixture) -> None:
    run_worker_once(NOW)
    back = NOW + 10 * DAY + 5 * HOUR
    work(clock, until=back, step=20 * DAY)

    due = RecordDigests().next_due(back)

    assert due is not None
    assert back + DAY / 2 <= due <= back + DAY


def test_a_shorter_interval_applies_at_once(schedule: Configure, clock: TimeMachineFixture) -> None:
    schedule(24 * 7)
    run_worker_once(NOW)
    work(clock, until=NOW + HOUR)

    schedule(6)
    work(clock, until=NOW + 2 * HOUR)
    assert (windows(), RecordDigests().next_due(NOW + 2 * HOUR)) == ([], NOW + 8 * HOUR)

    work(clock, until=NOW + 14 * HOUR)
    assert windows() == [(NOW + 2 * HOUR, NOW + 8 * HOUR), (NOW + 8 * HOUR, NOW + 14 * HOUR)]


def test_a_longer_interval_applies_from_the_next_digest_on(schedule: Configure, clock: TimeMachineFixture) -> None:
    run_worker_once(NOW)

    schedule(48)
    work(clock, until=NOW + 4 * DAY)

    assert windows() == [(NOW - DAY, NOW + DAY), (NOW + DAY, NOW + 3 * DAY)]


@pytest.mark.django_db(transaction=True)
def test_several_workers_never_record_one_digest_twice(clock: TimeMachineFixture) -> None:
    with Crowd(WORKERS) as crowd:
        for day in range(10):
            now = NOW + day * DAY
            clock.move_to(now, tick=False)
            crowd.at_once(*[partial(run_worker_once, now)] * WORKERS)

            assert RecordedDigest.objects.count() == day
            assert DigestSchedule.objects.count() == 1

    assert [end for _, end in windows()] == [NOW + (day + 1) * DAY for day in range(9)]


@pytest.mark.django_db(transaction=True)
def test_a_worker_with_an_outdated_schedule_records_nothing() -> None:
    run_worker_once(NOW)
    schedule = DigestSchedule.objects.get()
    run_worker_once(NOW + DAY)

    window = Window(since=NOW, until=NOW + DAY)
    digests._record_scheduled(schedule, window, text="late", interval=DAY)

    assert RecordedDigest.objects.count() == 1
    assert not RecordedDigest.objects.filter(text="late").exists()


def test_a_digest_that_could_not_be_recorded_stays_due(monkeypatch: pytest.MonkeyPatch) -> None:
    run_worker_once(NOW)

    class Killed(BaseException):
        pass

    def die(**_: Any) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(RecordedDigest.objects, "create", die)
        with pytest.raises(Killed):
            run_worker_once(NOW + DAY)
    assert RecordDigests().next_due(NOW + DAY) == NOW + DAY

    run_worker_once(NOW + DAY)
    assert len(windows()) == 1


# The command


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("record_digest", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


@only_on_full
@pytest.mark.parametrize(
    ("scheduled", "arguments", "hours"),
    [(None, (), 168), (24, (), 24), (24, ("--hours", "36"), 36), (None, ("--hours", "1"), 1)],
)
def test_the_command_records_a_digest_at_any_time(
    schedule: Configure, scheduled: int | None, arguments: tuple[str, ...], hours: int
) -> None:
    schedule(scheduled)

    printed = run(*arguments)

    recorded = RecordedDigest.objects.get()
    assert recorded.text == printed
    assert (recorded.window_start, recorded.window_end, recorded.generated_at) == (NOW - hours * HOUR, NOW, NOW)


@only_on_full
@pytest.mark.parametrize(
    ("scheduled", "hint"),
    [(24, ""), (None, "Recorded. To see the history in the console, set DIGEST_INTERVAL_HOURS.\n")],
)
def test_the_command_says_when_the_console_will_not_show_the_digest(
    schedule: Configure, scheduled: int | None, hint: str
) -> None:
    schedule(scheduled)
    said = StringIO()

    call_command("record_digest", stdout=StringIO(), stderr=said)

    assert said.getvalue() == hint


@only_on_full
def test_the_command_does_not_move_the_schedule(clock: TimeMachineFixture) -> None:
    run_worker_once(NOW)
    clock.move_to(NOW + 5 * HOUR, tick=False)

    run()

    assert RecordDigests().next_due(NOW + 5 * HOUR) == NOW + DAY
    work(clock, until=NOW + DAY)
    assert [end for _, end in windows()] == [NOW + 5 * HOUR, NOW + DAY]


@only_on_full
def test_a_digest_over_an_empty_window_is_refused() -> None:
    with pytest.raises(CommandError, match="at least 1"):
        run("--hours=-1")

    assert windows() == []


@only_on_embedded
def test_an_embedded_deployment_records_no_digest() -> None:
    with pytest.raises(CommandError, match="An embedded deployment has no console"):
        run()


# The job of the digests among the other jobs


@only_on_full
def test_the_worker_of_a_full_deployment_records_and_prunes_digests() -> None:
    assert [job.name for job in jobs if job.name == "digests"] == ["digests"]
    assert [prunable.rows for prunable in prunables if prunable.name == "digests"] == [prunable_digests]


@only_on_embedded
def test_the_worker_of_an_embedded_deployment_has_no_digest_job() -> None:
    assert "digests" not in [job.name for job in jobs]


def test_digests_are_kept_for_two_years() -> None:
    run_worker_once(NOW)
    run_worker_once(NOW + DAY)

    assert digest_settings().retention_days == 730
    assert not prunable_digests(NOW + 730 * DAY).exists()
    assert prunable_digests(NOW + 730 * DAY + timedelta(milliseconds=1)).count() == 1
