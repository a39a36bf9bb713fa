"""The background worker's ground: one loop over the jobs that the apps register in `AppConfig.ready()`.

What there is to do stands in rows and is claimed there, so any number of workers on any number of machines share it.
"""

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Protocol

from django.db import DatabaseError, InterfaceError, close_old_connections

from .clock import now as read_clock
from .faults import Fault, fault_of
from .registry import Registry

logger = logging.getLogger("authsvc.worker")

LONGEST_PAUSE = 1.0
"""Seconds after which the worker looks again at the latest: another process may have queued something."""

SHORTEST_PAUSE = 0.02
LONGEST_PENALTY = timedelta(minutes=5)
WARN_EVERY = timedelta(minutes=1)


class Job(Protocol):
    """A kind of work that comes up time and again, such as sending the mails that wait."""

    @property
    def name(self) -> str:
        """What the log calls it; no other job has the same."""

    def next_due(self, now: datetime) -> datetime | None:
        """Return when there is something to do, which may be in the past; None when nothing is in sight.

        The worker asks about once a second, so the answer is one indexed query at most.
        """

    def run(self, now: datetime, stop: Callable[[], bool]) -> None:
        """Do what is due, or a portion of some seconds of it. Return early, between two pieces, once `stop()` is true."""


jobs: Registry[Job] = Registry()


def work(*, stop: threading.Event) -> None:
    """Run the jobs whenever they are due, until `stop` is set; the one at hand is finished.

    A job that fails is logged and waits, longer each time it fails again, while the others go on. A database that
    cannot be reached is no failure of a job's: all of them go on as soon as it is back.
    """
    worker = _Worker(stop.is_set)
    while not stop.is_set():
        stop.wait(worker.go_round())


class _Worker:
    """What is remembered from one round to the next: which jobs failed, and when an outage was last told of."""

    def __init__(self, stop: Callable[[], bool]) -> None:
        self._stop = stop
        self._failures: dict[str, int] = {}
        self._resume_at: dict[str, datetime] = {}
        self._warned_at: datetime | None = None

    def go_round(self) -> float:
        """Run each job that is due; return the seconds until it is time to look again."""
        pause = LONGEST_PAUSE
        for job in jobs:
            now = read_clock()
            if self._stop() or self._resume_at.get(job.name, now) > now:
                continue
            try:
                pause = min(pause, self._attend(job, now=now))
            except Exception as error:  # noqa: BLE001 - whatever a job does, the others go on
                # Only those that turn out to be broken are closed.
                close_old_connections()
                if isinstance(error, DatabaseError | InterfaceError) and fault_of(error) is Fault.OUTAGE:
                    self._report_outage(error, now=now)
                    return LONGEST_PAUSE
                self._put_off(job, error)
            else:
                self._failures.pop(job.name, None)
        return pause

    def _attend(self, job: Job, *, now: datetime) -> float:
        due = job.next_due(now)
        if due is None:
            return LONGEST_PAUSE
        if due > now:
            return max(SHORTEST_PAUSE, (due - now).total_seconds())
        job.run(now, self._stop)
        # There may be more. The pause is for a job that is due whatever it does.
        return SHORTEST_PAUSE

    def _put_off(self, job: Job, error: Exception) -> None:
        failures = self._failures[job.name] = self._failures.get(job.name, 0) + 1
        penalty = min(timedelta(seconds=2 ** min(failures - 1, 16)), LONGEST_PENALTY)
        self._resume_at[job.name] = read_clock() + penalty
        logger.error(
            "job failed", exc_info=error, extra={"job": job.name, "next_attempt_seconds": penalty.total_seconds()}
        )

    def _report_outage(self, error: Exception, *, now: datetime) -> None:
        if self._warned_at is None or now - self._warned_at >= WARN_EVERY:
            self._warned_at = now
            logger.warning("database unreachable", extra={"reason": type(error.__cause__ or error).__name__})
