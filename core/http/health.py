"""The health check: it reports within three seconds whether the database answers and accepts writes."""

import threading
from concurrent.futures import Future
from dataclasses import dataclass
from typing import ClassVar, Literal

from django.db import DatabaseError, Error, connection

from ..db import outage
from ..db.failures import Fault, fault_of
from ..db.transactions import write
from ..errors import DbUnreachable, Overloaded
from ..threads import database_slots
from .call import Call
from .schema import ServiceSchema
from .view import Auth, ServiceView, operation

DEADLINE_SECONDS = 1.6

_TEMPORARY_MEBIBYTE = (
    "CREATE TEMPORARY TABLE authsvc_write_probe (filler text) ON COMMIT DROP",
    "INSERT INTO authsvc_write_probe SELECT repeat('x', 1000) FROM generate_series(1, 1000)",
)
# SQLite stores temporary tables in another file, so this check uses a regular table.
_SHORT_LIVED_TABLE = (
    "CREATE TABLE authsvc_write_probe (filler)",
    "INSERT INTO authsvc_write_probe VALUES (zeroblob(65536))",
    "DROP TABLE authsvc_write_probe",
)


class _Probe:
    """A check of the database. At most one check runs in a process. Callers that arrive during the check share its result.

    Therefore a database that hangs blocks only one probe thread, and not one per health request. After a failed check
    only the caller that starts the next check waits for its result. The others get the last failure at once; otherwise
    each of them would hold a thread.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: Future[None] | None = None
        self._failure: DbUnreachable | None = None

    def check(self) -> None:
        """Return when the database answers. After a refused write the database must also accept writes again.

        Raises DbUnreachable when the check fails or takes longer than DEADLINE_SECONDS.
        """
        with self._lock:
            if self._running is None or self._running.done():
                self._running = Future()
                threading.Thread(target=_run_check, args=(self._running,), daemon=True).start()
            elif self._failure is not None:
                raise self._failure.with_traceback(None)
            running = self._running
        try:
            running.result(timeout=DEADLINE_SECONDS)
        except (Error, TimeoutError):
            self._failure = DbUnreachable()
            raise self._failure from None
        except DbUnreachable as failure:
            self._failure = failure
            raise
        self._failure = None


def _run_check(outcome: Future[None]) -> None:
    try:
        with database_slots.taken_beyond():
            _select_one()
            # The probe writes only after a refused write, because a write costs more than most requests.
            if outage.has_refused_write():
                _check_writes()
    except Exception as error:  # noqa: BLE001 - the callers get the error
        outcome.set_exception(error)
    else:
        outcome.set_result(None)
    finally:
        connection.close()


def _select_one() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _check_writes() -> None:
    """Return when the database accepts writes again. Raises DbUnreachable when the database still refuses writes."""
    try:
        _write_and_free_space()
    except Overloaded:
        raise DbUnreachable.for_writes() from None
    except DatabaseError as error:
        # Other errors come from a database role that may not create tables. They do not mean that writes are refused.
        if fault_of(error) is not Fault.DEFECT:
            raise DbUnreachable.for_writes() from None
    outage.note_write()


@write
def _write_and_free_space() -> None:
    """Write enough data to need new disk space, and release the space again."""
    with connection.cursor() as cursor:
        for statement in _TEMPORARY_MEBIBYTE if connection.vendor == "postgresql" else _SHORT_LIVED_TABLE:
            cursor.execute(statement)


_probe = _Probe()


def check_database() -> None:
    """Return within three seconds if the database answers and accepts writes. Raises DbUnreachable otherwise."""
    _probe.check()


@dataclass(frozen=True, slots=True, kw_only=True)
class Healthy:
    """The result of a successful check."""

    component: ClassVar = "Health"
    example: ClassVar = {"status": "ok"}

    status: Literal["ok"] = "ok"


class CheckHealth(ServiceView):
    """Check that the service works."""

    auth = Auth.PUBLIC
    any_host = True
    unlimited = "Load balancers ask often, and callers share one check."
    schema = ServiceSchema(common=())

    @operation(output=Healthy, errors=(DbUnreachable,))
    def get(self, call: Call) -> Healthy:
        """Return `ok` within three seconds if the database answers and accepts writes. Any Host header is accepted."""
        check_database()
        return Healthy()
