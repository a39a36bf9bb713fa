"""Two concurrent callers, one of which pauses after one of its statements."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from types import TracebackType
from typing import Any, Self

from django.db import connection
from psycopg.pq import TransactionStatus

from accounts.models import StoredHashKind

from .crowd import ROUNDS_OF_FEW, disconnect

PATIENCE = 30
POLL_SECONDS = 0.001
TABLES_OF_THE_PROCESS = ("authsvc_rate_limit", StoredHashKind._meta.db_table)
"""The tables that a thread reads or writes under a lock of the process. A pause there would stop the other call too."""


class Pair:
    """Two threads, each on its own database connection.

    On PostgreSQL, one call pauses after one of its statements. The other call then runs until it ends or waits for a
    lock of the paused call, which then continues. Each round pauses after a later statement: first those of the first
    call, then those of the second. Chance plays no part, but a defect that needs two pauses stays hidden. A transaction
    keeps its locks. So when the other call waited, no later statement of the same transaction is tried.

    SQLite has one writing transaction at a time, so a paused call would stop the other. There, the calls only start
    together, in ROUNDS_OF_FEW rounds.
    """

    def __init__(self) -> None:
        self._threads = (ThreadPoolExecutor(1), ThreadPoolExecutor(1))
        self._line = threading.Barrier(2)
        self._pausing = 0
        self._point = _Point()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for thread in self._threads:
            thread.submit(disconnect).result()
            thread.shutdown()

    def rounds(self) -> Iterator[int]:
        """Yield the number of each round. A round makes its own people, and calls `at_once` once."""
        if connection.vendor == "sqlite":
            yield from range(ROUNDS_OF_FEW)
            return
        numbers = count()
        for self._pausing in (0, 1):
            self._point = _Point()
            # In the last round of a call, no statement is left to pause after.
            while self._point.is_reached:
                self._point.is_reached = False
                yield next(numbers)

    def at_once(self, *calls: Callable[[], Any]) -> list[Any]:
        """Run the two calls as the round demands. Return their results, or raise the first error."""
        if connection.vendor == "sqlite":
            together = [thread.submit(self._start, call) for thread, call in zip(self._threads, calls, strict=True)]
            return [call.result() for call in together]
        pausing, point = self._pausing, self._point
        pids = [thread.submit(_backend).result() for thread in self._threads]
        may_continue, has_paused = threading.Event(), threading.Event()
        paused = self._threads[pausing].submit(
            _run, calls[pausing], point, has_paused=has_paused, may_continue=may_continue
        )
        assert has_paused.wait(PATIENCE)
        other = self._threads[1 - pausing].submit(calls[1 - pausing])
        try:
            if _waits(other, pid=pids[1 - pausing], holder=pids[pausing]):
                point.skip_transaction()
        finally:
            may_continue.set()
        running = {pausing: paused, 1 - pausing: other}
        return [running[0].result(), running[1].result()]

    def _start(self, call: Callable[[], Any]) -> Any:
        self._line.wait()
        return call()


class _Point:
    """The statement of a call after which the call pauses in this round."""

    def __init__(self) -> None:
        self.is_reached = True
        self._last_statement = 0
        self._skipped_transactions = 0
        self._transaction = 0

    def skip_transaction(self) -> None:
        """Pause after no further statement of the transaction."""
        self._skipped_transactions = self._transaction

    def reaches(self, *, statement: int, transaction: int) -> bool:
        """Return whether the call pauses after this statement. Both numbers count from 1, from the start of the call."""
        if self.is_reached or statement <= self._last_statement or transaction <= self._skipped_transactions:
            return False
        self.is_reached, self._last_statement, self._transaction = True, statement, transaction
        return True


def _run(call: Callable[[], Any], point: _Point, *, has_paused: threading.Event, may_continue: threading.Event) -> Any:
    statements = transactions = 0

    def pause(execute: Callable[..., Any], statement: str, *rest: Any) -> Any:
        nonlocal statements, transactions
        transactions += connection.connection.info.transaction_status is TransactionStatus.IDLE
        result = execute(statement, *rest)
        if not any(table in statement for table in TABLES_OF_THE_PROCESS):
            statements += 1
            if point.reaches(statement=statements, transaction=transactions):
                has_paused.set()
                assert may_continue.wait(PATIENCE)
        return result

    try:
        with connection.execute_wrapper(pause):
            return call()
    finally:
        has_paused.set()


def _backend() -> int:
    """Return the id of the server process of this thread's connection."""
    connection.ensure_connection()
    pid: int = connection.connection.info.backend_pid
    return pid


def _waits(call: "Future[Any]", *, pid: int, holder: int) -> bool:
    """Wait until the call ends, or its server process `pid` waits for a lock of the process `holder`.

    Return whether it waits.
    """
    latest = time.monotonic() + PATIENCE
    while not call.done():
        with connection.cursor() as cursor:
            cursor.execute("SELECT %s = ANY(pg_blocking_pids(%s))", (holder, pid))
            if cursor.fetchone()[0]:
                return True
        assert time.monotonic() < latest, "The call waits for something other than a lock of the paused call."
        # The state of the server decides, not this time. Without it, the queries would take the processor from the call.
        time.sleep(POLL_SECONDS)
    return False
