"""The background worker's ground: a thread for each of the jobs that the apps register in `AppConfig.ready()`.

What there is to do stands in rows and is claimed there, so any number of workers on any number of machines share it.
One that waits for another machine, such as a mail server that hangs, holds up no other job.
"""

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Protocol

from django.db import DatabaseError, InterfaceError, close_old_connections, connections

from .clock import now as read_clock
from .db import outage
from .db.failures import Fault, fault_of
from .registry import Registry

logger = logging.getLogger("authsvc.worker")

LONGEST_PAUSE = 1.0
"""Seconds after which the worker looks again at the latest: another process may have queued something."""

SHORTEST_PAUSE = 0.02
LONGEST_PENALTY = 300.0
"""Seconds that a job waits at the longest after it has failed."""

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
        """Do what is due, or a portion of it. Return early, between two pieces, once `stop()` is true."""


jobs: Registry[Job] = Registry()


def work(*, stop: threading.Event) -> None:
    """Run each job whenever it is due, until `stop` is set; what is at hand then is finished.

    A job that fails is logged and waits, longer each time it fails again. A database that cannot be reached is no
    failure of a job's: all of them go on as soon as it is back. Each job keeps a connection to the database.
    """
    outages = _Outages()
    turns = [_Turns(job, stop=stop, outages=outages) for job in jobs]
    threads = [threading.Thread(target=turn.take, name=turn.job.name) for turn in turns]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class _Turns:
    """One job's turns, and what is remembered from one to the next."""

    def __init__(self, job: Job, *, stop: threading.Event, outages: "_Outages") -> None:
        self.job = job
        self._stop = stop
        self._outages = outages
        self._failures = 0

    def take(self) -> None:
        """Take one turn after the other in the calling thread, until told to stop."""
        try:
            while not self._stop.is_set():
                self._stop.wait(self._take_one())
        finally:
            connections.close_all()

    def _take_one(self) -> float:
        """Do what is due; return the seconds until it is time to look again."""
        now = read_clock()
        try:
            pause = self._attend(now)
        except Exception as error:  # noqa: BLE001 - whatever a job does, it gets another turn
            # Only those that turn out to be broken are closed.
            close_old_connections()
            if isinstance(error, DatabaseError | InterfaceError) and fault_of(error) is Fault.OUTAGE:
                self._outages.report(error, now=now)
                return LONGEST_PAUSE
            return self._put_off(error)
        self._failures = 0
        return pause

    def _attend(self, now: datetime) -> float:
        due = self.job.next_due(now)
        if due is None:
            return LONGEST_PAUSE
        if due > now:
            return min(max(SHORTEST_PAUSE, (due - now).total_seconds()), LONGEST_PAUSE)
        self.job.run(now, self._stop.is_set)
        # There may be more. The pause is for a job that is due whatever it does.
        return SHORTEST_PAUSE

    def _put_off(self, error: Exception) -> float:
        self._failures += 1
        penalty = min(2.0 ** min(self._failures - 1, 16), LONGEST_PENALTY)
        logger.error("job failed", exc_info=error, extra={"job": self.job.name, "next_attempt_seconds": penalty})
        return penalty


class _Outages:
    """Tells of a database that cannot be reached: once a while, however many jobs find it so."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._told_at: datetime | None = None

    def report(self, error: DatabaseError | InterfaceError, *, now: datetime) -> None:
        with self._lock:
            if self._told_at is not None and now - self._told_at < WARN_EVERY:
                return
            self._told_at = now
        logger.warning("database unreachable", extra=outage.note(error))
