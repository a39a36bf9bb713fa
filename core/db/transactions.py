"""Decorators for transactions: `@write` opens the transaction of an operation, and `@transaction_required` requires an open one.

Reads run outside transactions, in autocommit. Transactions do not nest; otherwise an outer transaction could roll back
the changes of an inner one. Some operations must both store changes and fail. Such an operation returns a value, and
its caller raises the error after the commit.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import DatabaseError, IntegrityError, OperationalError, connection, transaction

from ..errors import Overloaded, ServiceError, WritesStopped
from ..threads import database_slots
from . import sql
from .failures import Fault, fault_of

P = ParamSpec("P")
R = TypeVar("R")

SQLITE_TURN_SECONDS = 10
"""The longest time in seconds that a writer waits for its turn on SQLite. After that it gets Overloaded.

SQLite's busy timeout has the same length.
"""

_sqlite_turn = threading.Lock()
_conflicts: dict[str, type[ServiceError]] = {}


def declare_conflict(*, constraint: str, columns: str, error: type[ServiceError]) -> None:
    """Make `write` raise the error when an operation violates the named unique constraint.

    `columns` is the list of columns in SQLite's error message: `table.column, table.column`. SQLite's message contains
    the columns instead of the name of the constraint.
    """
    _conflicts[constraint] = _conflicts[f"UNIQUE constraint failed: {columns}"] = error


def write(operation: Callable[P, R]) -> Callable[P, R]:
    """Run the operation in its own transaction, which is committed before the call returns.

    After contention (deadlock, serialization failure, lock timeout, busy) the call tries the operation once more. The
    correctness of an operation never depends on this second attempt. A COMMIT whose answer was lost is never repeated.

    Raises Overloaded after contention in both attempts, or when the thread gets no turn to write. Raises DbUnreachable
    when the database does not answer and too many threads wait for it. Raises the error of `declare_conflict` when the
    operation violates that constraint. Raises WritesStopped during a stop of all writes. Raises RuntimeError inside
    another transaction.
    """

    @wraps(operation)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return _attempt(operation, *args, **kwargs)
        except OperationalError as error:
            if fault_of(error) is not Fault.CONTENTION:
                raise
        try:
            return _attempt(operation, *args, **kwargs)
        except OperationalError as error:
            if fault_of(error) is not Fault.CONTENTION:
                raise
            raise Overloaded from error

    return run


def transaction_required(operation: Callable[P, R]) -> Callable[P, R]:
    """Run the operation in its caller's transaction. Raises RuntimeError when there is no transaction."""

    @wraps(operation)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        if not connection.in_atomic_block:
            raise RuntimeError(f"{operation.__qualname__} must run inside a transaction.")
        return operation(*args, **kwargs)

    return run


def write_alone(statement: str, parameters: Sequence[Any]) -> tuple[Any, ...] | None:
    """Run a single statement that commits at once, and return its first row, or None.

    The statement must lock at most one row, because the call does not try again after contention. Raises Overloaded or
    DbUnreachable when too many threads wait for the database. Raises RuntimeError inside a transaction.
    """
    # `atomic(durable=True)` raises the RuntimeError. Outside a transaction it would open one for a single statement.
    with database_slots.taken(), transaction.atomic(durable=True) if connection.in_atomic_block else nullcontext():
        return sql.fetch_one(statement, parameters)


def _attempt(operation: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    try:
        # The thread keeps one slot for the whole transaction. Threads that wait for the transaction's locks may have
        # all other slots. Without its own slot, the thread could not run its next statement.
        with database_slots.taken(), _write_turn(), transaction.atomic(durable=True):
            return operation(*args, **kwargs)
    except IntegrityError as error:
        conflict = _conflict_of(error)
        if conflict is None:
            raise
        # The database's DETAIL contains the conflicting values, such as addresses, so the cause is dropped.
        raise conflict from None


def _conflict_of(error: DatabaseError) -> type[ServiceError] | None:
    if fault_of(error) is Fault.STOPPED:
        return WritesStopped
    diagnostics = getattr(error.__cause__, "diag", None)
    return _conflicts.get(diagnostics.constraint_name if diagnostics else str(error))


@contextmanager
def _write_turn() -> Iterator[None]:
    """Hold this process's turn to write on SQLite for the duration of the block.

    The writers of a process queue here, because SQLite's own busy handler is unfair under load. Raises Overloaded after
    SQLITE_TURN_SECONDS.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    if not _sqlite_turn.acquire(timeout=SQLITE_TURN_SECONDS):
        raise Overloaded
    try:
        yield
    finally:
        _sqlite_turn.release()
