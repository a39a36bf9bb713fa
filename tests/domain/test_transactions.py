import sqlite3
from typing import Any

import psycopg.errors
import pytest
from django.db import IntegrityError, OperationalError, transaction

from core.db.transactions import transaction_required, write, write_alone
from core.errors import Overloaded
from events.models import Event

pytestmark = pytest.mark.django_db(transaction=True)


def contention() -> OperationalError:
    error = OperationalError("deadlock detected")
    error.__cause__ = psycopg.errors.DeadlockDetected()
    return error


def outage() -> OperationalError:
    cause = sqlite3.OperationalError("disk I/O error")
    cause.sqlite_errorcode = sqlite3.SQLITE_IOERR
    error = OperationalError("disk I/O error")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("failures", "attempts", "end"),
    [
        ([contention()], 2, None),
        ([contention(), contention()], 2, Overloaded),
        ([outage()], 1, OperationalError),
        ([contention(), outage()], 2, OperationalError),
        ([ValueError()], 1, ValueError),
    ],
)
def test_only_contention_is_retried_and_only_once(
    failures: list[Exception], attempts: int, end: type[Exception] | None
) -> None:
    waiting, calls = list(failures), []

    @write
    def work() -> str:
        calls.append(1)
        if waiting:
            raise waiting.pop(0)
        return "done"

    if end is None:
        assert work() == "done"
    else:
        with pytest.raises(end):
            work()
    assert len(calls) == attempts


def test_a_transaction_does_not_nest_in_another() -> None:
    @write
    def work() -> None:
        pass

    with pytest.raises(RuntimeError), transaction.atomic():
        work()


def test_a_self_committing_statement_does_not_nest_in_a_transaction() -> None:
    assert write_alone("SELECT %s", ["done"]) == ("done",)
    with pytest.raises(RuntimeError), transaction.atomic():
        write_alone("SELECT %s", ["done"])


def test_a_joining_function_requires_a_transaction() -> None:
    @transaction_required
    def work() -> str:
        return "done"

    with pytest.raises(RuntimeError, match="work must run inside a transaction"):
        work()
    with transaction.atomic():
        assert work() == "done"


def test_a_violated_constraint_without_a_declared_error_stays_an_integrity_error() -> None:
    @write
    def work() -> None:
        nothing: Any = None
        Event.objects.create(type=nothing, created_at=nothing)

    with pytest.raises(IntegrityError):
        work()
