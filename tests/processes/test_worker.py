import json
import logging
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import OperationalError

from core import jobs
from core.registry import Registry

from .conftest import Run
from .running import until

BEATS = "import sys; from accounts.ops.heartbeat import find_last_beat; sys.exit(find_last_beat() is None)"


@dataclass(eq=False)
class FakeJob:
    """A job that is due once or repeatedly, and runs the test's function."""

    name: str
    act: Callable[[Callable[[], bool]], None] = lambda _stop: None
    once: bool = True
    due_in: timedelta = timedelta(0)
    began_at: list[datetime] = field(default_factory=list)

    def next_due(self, now: datetime) -> datetime | None:
        return None if self.once and self.began_at else now + self.due_in

    def run(self, now: datetime, stop: Callable[[], bool]) -> None:
        self.began_at.append(now)
        self.act(stop)


@pytest.fixture(autouse=True)
def registry(monkeypatch: pytest.MonkeyPatch) -> Registry[jobs.Job]:
    """The registry with only the jobs of the test."""
    registry: Registry[jobs.Job] = Registry()
    monkeypatch.setattr(jobs, "jobs", registry)
    return registry


@contextmanager
def working() -> Iterator[threading.Event]:
    stop = threading.Event()
    worker = threading.Thread(target=lambda: jobs.work(stop=stop))
    worker.start()
    try:
        yield stop
    finally:
        stop.set()
        worker.join(30)
    assert not worker.is_alive()


def fail(_stop: Callable[[], bool]) -> None:
    raise ValueError("this one fails")


def test_jobs_run_only_when_they_are_due(registry: Registry[jobs.Job]) -> None:
    now, soon, later = FakeJob("now"), FakeJob("soon", once=False), FakeJob("later", due_in=timedelta(minutes=1))
    for chore in (now, soon, later):
        registry.register(chore)

    with working():
        until(lambda: len(soon.began_at) >= 3, what="a job that is due again")

    assert len(now.began_at) == 1
    assert not later.began_at


def test_a_failing_job_waits_longer_each_time_while_other_jobs_go_on(
    registry: Registry[jobs.Job], caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = FakeJob("bad", act=fail, once=False), FakeJob("good", once=False)
    registry.register(bad)
    registry.register(good)

    with working():
        until(lambda: len(bad.began_at) >= 2, what="a second attempt")
        until(lambda: bad.began_at[1] < good.began_at[-1], what="work of the other job")

    assert bad.began_at[1] - bad.began_at[0] >= timedelta(seconds=1)
    assert len(good.began_at) > 10
    failures = [
        record for record in caplog.records if record.message == "a background job failed and will be tried again"
    ]
    assert [(record.job, record.next_attempt_seconds) for record in failures] == [("bad", 1), ("bad", 2)]  # type: ignore[attr-defined]  # passed as extra
    assert all(record.exc_info for record in failures)


def test_an_outage_of_the_database_is_logged_once_without_a_job_failure(
    registry: Registry[jobs.Job], caplog: pytest.LogCaptureFixture
) -> None:
    def lose_connection(_stop: Callable[[], bool]) -> None:
        if len(unlucky.began_at) < 3:
            raise OperationalError from psycopg.OperationalError("server closed the connection unexpectedly")

    unlucky = FakeJob("unlucky", act=lose_connection, once=False)
    registry.register(unlucky)

    with working():
        until(lambda: len(unlucky.began_at) >= 4, what="work after the outage")

    first, second, third, fourth, *_ = unlucky.began_at
    assert second - first >= timedelta(seconds=0.9)
    assert third - second < timedelta(seconds=2)
    assert fourth - third < timedelta(seconds=0.9)
    assert [record.message for record in caplog.records if record.levelno >= logging.WARNING] == [
        "database unreachable"
    ]


def test_a_slow_job_delays_no_other_job(registry: Registry[jobs.Job]) -> None:
    over = threading.Event()

    def wait(_stop: Callable[[], bool]) -> None:
        assert over.wait(30)

    slow, quick = FakeJob("slow", act=wait), FakeJob("quick", once=False)
    registry.register(slow)
    registry.register(quick)

    with working():
        until(lambda: slow.began_at, what="the slow job")
        before = len(quick.began_at)
        until(lambda: len(quick.began_at) >= before + 3, what="work of the other job")
        assert not over.is_set()
        over.set()


def test_a_stopping_worker_signals_the_current_job_and_does_not_start_it_again(
    registry: Registry[jobs.Job],
) -> None:
    def go_on(stop: Callable[[], bool]) -> None:
        until(stop, what="the word to stop")

    current = FakeJob("current", act=go_on, once=False)
    registry.register(current)

    with working() as stop:
        until(lambda: current.began_at, what="the job")
        stop.set()

    assert len(current.began_at) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="the command is the same on every site")
@pytest.mark.usefixtures("without_tables")
def test_a_worker_that_starts_before_the_migration_waits_without_an_error(manage: Run) -> None:
    worker = manage("worker")
    until(lambda: worker.logged("the database has no tables yet, waiting for its migration"), what="the reason to wait")
    migrated = manage("migrate")
    assert migrated.exit_code() == 0

    until(lambda: manage("shell", "-v", "0", "-c", BEATS).exit_code() == 0, what="the heartbeat of the worker")

    assert worker.stop() == 0
    lines = [json.loads(line) for line in worker.err.read_text().splitlines() if line.startswith("{")]
    first, *waits, last = [(line["level"], line["event"]) for line in lines]
    assert first == ("info", "background worker started")
    assert waits[0] == ("warn", "the database has no tables yet, waiting for its migration")
    # A worker that looks amid the migration finds some of the tables.
    assert waits[1:] in ([], [("warn", "the database lacks migrations of this release, waiting for them")])
    assert last == ("info", "background worker stopped")


@pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="the command is the same on every site")
@pytest.mark.parametrize(
    ("arguments", "number"),
    [(["worker"], signal.SIGTERM), (["serve", "--port", "0", "--workers", "1"], signal.SIGINT)],
    ids=["worker-SIGTERM", "serve-SIGINT"],
)
def test_a_signal_lets_the_current_job_finish(
    manage: Run, tmp_path: Path, arguments: list[str], number: signal.Signals
) -> None:
    running = manage(
        *arguments, DJANGO_SETTINGS_MODULE="tests.processes.settings_with_job", JOB_DIRECTORY=str(tmp_path)
    )
    until((tmp_path / "started").exists, what="the job")

    running.signal(number)

    assert running.exit_code() == 0
    assert (tmp_path / "finished").exists()
