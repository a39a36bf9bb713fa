"""The background worker: one thread for each job that an app registers in its `wiring`.

The work is stored in rows, and a job claims rows before it works on them. Therefore any number of workers on any number
of machines can share the work. Each job has its own thread, so a mail server that hangs delays no other job.
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
from .errors import WritesStopped
from .registry import Registry

logger = logging.getLogger("authsvc.worker")

LONGEST_PAUSE = 1.0
"""The longest time in seconds between two checks for due work. Another process can queue work at any time."""

SHORTEST_PAUSE = 0.02
LONGEST_BACKOFF = 300.0
"""The longest time in seconds that a job waits after it has failed."""

WARNING_INTERVAL = timedelta(minutes=1)


class Job(Protocol):
    """A kind of work that the worker runs repeatedly, such as the dispatch of queued mails."""

    @property
    def name(self) -> str:
        """The unique name of the job. The log uses this name."""

    def next_due(self, now: datetime) -> datetime | None:
        """Return the time at which work is due, or None when there is no work. The time may be in the past.

        The worker calls this method about once a second. Therefore the method makes at most one indexed query.
        """

    def run(self, now: datetime, stop: Callable[[], bool]) -> None:
        """Do all or part of the work that is due. Return between two pieces of work when `stop()` is true."""


jobs: Registry[Job] = Registry()


def work(*, stop: threading.Event) -> None:
    """Run each job whenever it is due, until `stop` is set. The call returns after each job has returned.

    A job that fails is logged and then waits. The wait doubles with each further failure in a row, up to
    LONGEST_BACKOFF. A database outage and a stop of all writes do not count as a failure of the job. Meanwhile each job
    tries again every LONGEST_PAUSE seconds. Each job keeps its own connection to the database.
    """
    outages = _OutageLog()
    loops = [_JobLoop(job, stop=stop, outages=outages) for job in jobs]
    threads = [threading.Thread(target=loop.run, name=loop.job.name) for loop in loops]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class _JobLoop:
    """The loop that runs one job, and the number of the job's failures in a row."""

    def __init__(self, job: Job, *, stop: threading.Event, outages: "_OutageLog") -> None:
        self.job = job
        self._stop = stop
        self._outages = outages
        self._failures = 0

    def run(self) -> None:
        """Run the job in the calling thread whenever it is due, until `stop` is set. Then close the thread's connections."""
        try:
            while not self._stop.is_set():
                self._stop.wait(self._run_once())
        finally:
            connections.close_all()

    def _run_once(self) -> float:
        """Run the job if it is due, and return the seconds until the next call. Logs every error of the job."""
        now = read_clock()
        try:
            pause = self._run_if_due(now)
        except Exception as error:  # noqa: BLE001 - a job runs again after any error
            # Django closes only those connections that are unusable.
            close_old_connections()
            if isinstance(error, WritesStopped):
                # The stop can last until the deployment is switched off. The service itself announced it.
                return LONGEST_PAUSE
            if isinstance(error, DatabaseError | InterfaceError) and fault_of(error) is Fault.OUTAGE:
                self._outages.report(error, now=now)
                return LONGEST_PAUSE
            return self._back_off(error)
        self._failures = 0
        return pause

    def _run_if_due(self, now: datetime) -> float:
        due = self.job.next_due(now)
        if due is None:
            return LONGEST_PAUSE
        if due > now:
            return min(max(SHORTEST_PAUSE, (due - now).total_seconds()), LONGEST_PAUSE)
        self.job.run(now, self._stop.is_set)
        # More work may be due. The pause limits the load of a job that is always due.
        return SHORTEST_PAUSE

    def _back_off(self, error: Exception) -> float:
        self._failures += 1
        backoff = min(2.0 ** min(self._failures - 1, 16), LONGEST_BACKOFF)
        logger.error(
            "a background job failed and will be tried again",
            exc_info=error,
            extra={"job": self.job.name, "next_attempt_seconds": backoff},
        )
        return backoff


class _OutageLog:
    """Logs database outages: at most one warning in WARNING_INTERVAL for all jobs together."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._warned_at: datetime | None = None

    def report(self, error: DatabaseError | InterfaceError, *, now: datetime) -> None:
        with self._lock:
            if self._warned_at is not None and now - self._warned_at < WARNING_INTERVAL:
                return
            self._warned_at = now
        logger.warning("database unreachable", extra=outage.note(error))
