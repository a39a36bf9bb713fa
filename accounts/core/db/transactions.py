"""A word for each intent: `@write` opens the one transaction of an operation, `@join` demands to be inside one.

Reads stay outside, in autocommit. Nothing nests, so that "commit, then raise" can never turn into a rollback:
an operation that must persist and also fail returns a value from inside and its caller raises.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import DatabaseError, IntegrityError, OperationalError, connection, transaction

from ..errors import Overloaded, ServiceError
from ..threads import database
from . import sql
from .failures import Fault, fault_of

P = ParamSpec("P")
R = TypeVar("R")

SQLITE_TURN_SECONDS = 10
"""How long a writer waits for its turn on SQLite before it is told to come back; the busy timeout is the same."""

_sqlite_turn = threading.Lock()
_conflicts: dict[str, type[ServiceError]] = {}


def declare_conflict(*, constraint: str, columns: str, error: type[ServiceError]) -> None:
    """Let a violation of the named unique constraint surface as the error.

    `columns` is how SQLite, which names no constraint, spells it: `table.column, table.column`.
    """
    _conflicts[constraint] = _conflicts[f"UNIQUE constraint failed: {columns}"] = error


def write(operation: Callable[P, R]) -> Callable[P, R]:
    """Run the operation in a transaction of its own and commit before returning.

    Contention (deadlock, serialization failure, lock timeout, busy) is tried once more, then raises `Overloaded`;
    correctness never rests on that. A COMMIT whose answer was lost is never repeated. Raises DbUnreachable when
    too many threads wait for the database. Calling it inside another transaction is a RuntimeError.
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


def join(operation: Callable[P, R]) -> Callable[P, R]:
    """Run the operation in its caller's transaction; outside one it is a RuntimeError."""

    @wraps(operation)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        if not connection.in_atomic_block:
            raise RuntimeError(f"{operation.__qualname__} must run inside a transaction.")
        return operation(*args, **kwargs)

    return run


def write_alone(statement: str, parameters: Sequence[Any]) -> tuple[Any, ...] | None:
    """Run a statement that is a whole write by itself and commits at once; return its first row, or None.

    It must lock one row at most, so that there is nothing to try again. Inside a transaction it is a RuntimeError.
    """
    # What refuses to nest in a transaction is asked only inside one: it would begin another for the one statement.
    with database.place(), transaction.atomic(durable=True) if connection.in_atomic_block else nullcontext():
        return sql.fetch_one(statement, parameters)


def _attempt(operation: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    try:
        # One place for the whole transaction: others may hold theirs only because they wait for its locks.
        with database.place(), _turn(), transaction.atomic(durable=True):
            return operation(*args, **kwargs)
    except IntegrityError as error:
        known = _conflict_of(error)
        if known is None:
            raise
        # The database's DETAIL holds the offending values, addresses among them: it goes nowhere.
        raise known from None


def _conflict_of(error: DatabaseError) -> type[ServiceError] | None:
    diagnostics = getattr(error.__cause__, "diag", None)
    return _conflicts.get(diagnostics.constraint_name if diagnostics else str(error))


@contextmanager
def _turn() -> Iterator[None]:
    """Let the writers of this process queue up on SQLite, whose own busy handler is unfair under load."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    if not _sqlite_turn.acquire(timeout=SQLITE_TURN_SECONDS):
        raise Overloaded
    try:
        yield
    finally:
        _sqlite_turn.release()
