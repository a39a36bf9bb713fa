import logging
import sqlite3

import psycopg
import pytest
from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError, ProgrammingError
from django.http import Http404, UnreadablePostError

from core.db import outage
from tests.client import Api

from .failing_site import SECRET, Fail

pytestmark = pytest.mark.urls("tests.api.conventions.failing_site")


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


def locked() -> Exception:
    cause = sqlite3.OperationalError("database is locked")
    cause.sqlite_errorcode = sqlite3.SQLITE_BUSY
    return caused(OperationalError("database is locked"), cause)


def full_disk() -> Exception:
    cause = sqlite3.OperationalError("database or disk is full")
    cause.sqlite_errorcode, cause.sqlite_errorname = sqlite3.SQLITE_FULL, "SQLITE_FULL"
    return cause


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize(
    "failure",
    [
        RuntimeError(SECRET),
        KeyError(SECRET),
        AssertionError(SECRET),
        RecursionError(SECRET),
        MemoryError(SECRET),
        UnicodeError(SECRET),
        IntegrityError(SECRET),
        ProgrammingError(SECRET),
        DatabaseError(SECRET),
    ],
    ids=lambda failure: type(failure).__name__,
)
def test_an_unexpected_failure_shows_no_details_and_is_logged(
    api: Api, caplog: pytest.LogCaptureFixture, settings: object, failure: Exception, debug: bool
) -> None:
    settings.DEBUG = debug  # type: ignore[attr-defined]  # pytest-django's fixture takes every name
    Fail.failure = failure

    with caplog.at_level(logging.ERROR, logger="authsvc.errors"):
        answer = api.get("/v1/fail")

    assert answer.status == 500
    assert answer.body == {
        "error": {
            "code": "internal_error",
            "message": "The service failed unexpectedly. Try again later, or report the value of the X-Request-ID header.",
        }
    }
    assert [record.exc_info[1] for record in caplog.records if record.exc_info] == [failure]


@pytest.mark.parametrize(
    ("failure", "status", "code"),
    [
        (Http404(SECRET), 404, "not_found"),
        (PermissionDenied(SECRET), 400, "bad_request"),
        (SuspiciousOperation(SECRET), 400, "bad_request"),
        (BadRequest(SECRET), 400, "bad_request"),
        (UnreadablePostError(SECRET), 400, "bad_request"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
def test_an_error_that_django_raises_for_a_bad_request_is_no_500(
    api: Api, failure: Exception, status: int, code: str
) -> None:
    Fail.failure = failure

    answer = api.get("/v1/fail")

    assert (answer.status, answer.code) == (status, code)
    assert SECRET not in str(answer.body)


@pytest.mark.parametrize(
    "failure",
    [
        caused(OperationalError(SECRET), psycopg.OperationalError(SECRET)),
        caused(OperationalError(SECRET), psycopg.errors.AdminShutdown(SECRET)),
        InterfaceError(SECRET),
    ],
    ids=["no answer", "shutting down", "connection closed"],
)
def test_an_unreachable_database_is_an_outage(api: Api, caplog: pytest.LogCaptureFixture, failure: Exception) -> None:
    Fail.failure = failure

    answer = api.get("/v1/fail")

    assert (answer.status, answer.code) == (503, "db_unreachable")
    assert answer.headers["Retry-After"] == "5"
    assert SECRET not in str(answer.body)
    (line,) = [record for record in caplog.records if record.name == "authsvc.errors"]
    assert line.message == "the database does not answer"
    assert vars(line)["reason"].startswith(type(failure.__cause__ or failure).__name__)


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (caused(OperationalError("full"), psycopg.errors.DiskFull("no space left on device")), "DiskFull (53100)"),
        (caused(OperationalError("full"), full_disk()), "SQLITE_FULL"),
    ],
    ids=["postgresql", "sqlite"],
)
def test_a_database_that_refuses_writes_is_an_outage_with_a_reason(
    api: Api, caplog: pytest.LogCaptureFixture, failure: Exception, reason: str
) -> None:
    Fail.failure = failure

    answer = api.get("/v1/fail")

    assert (answer.status, answer.code) == (503, "db_unreachable")
    assert answer.body["error"]["message"] == "The service cannot write to its database. Try again in a few seconds."
    assert outage.has_refused_write()
    (line,) = [record for record in caplog.records if record.name == "authsvc.errors"]
    assert (line.message, vars(line)["reason"]) == ("the database cannot be written", reason)
    assert vars(line)["detail"] == str(failure.__cause__)
    outage.note_write()


@pytest.mark.parametrize(
    "failure",
    [caused(OperationalError(SECRET), psycopg.errors.SerializationFailure(SECRET)), locked()],
    ids=["postgresql", "sqlite"],
)
def test_a_busy_database_is_reported_as_overloaded(api: Api, failure: Exception) -> None:
    Fail.failure = failure

    answer = api.get("/v1/fail")

    assert (answer.status, answer.code) == (503, "overloaded")
    assert answer.headers["Retry-After"] == "1"
