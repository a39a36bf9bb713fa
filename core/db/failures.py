"""The classification of database errors: contention, an outage, or a defect of the service."""

import sqlite3
from enum import Enum

from django.db import DatabaseError, IntegrityError, InterfaceError


class Fault(Enum):
    """The class of a database error.

    CONTENTION: the database rolled the transaction back, and a second attempt may succeed. OUTAGE: the database is not
    reachable or not writable. STOPPED: a stop of all writes refused the change, see `write_stop`. DEFECT: every other
    error.
    """

    CONTENTION = "contention"
    OUTAGE = "outage"
    STOPPED = "stopped"
    DEFECT = "defect"


REFUSAL_OF_STOP = "authsvc: the writes are stopped"
"""The message of SQLite's error for a change that a stop refused."""

# serialization_failure, deadlock_detected, lock_not_available
_CONTENTION_STATES = {"40001", "40P01", "55P03"}
# connection exceptions, insufficient resources (disk full, too many connections), operator intervention,
# system error, and the read-only transaction of a server in recovery
_OUTAGE_CLASSES = {"08", "53", "57", "58"}
_OUTAGE_STATES = {"25006"}
# disk full, I/O error, read-only transaction
_REFUSED_WRITE_STATES = {"53100", "58030", "25006"}
_SQLITE_REFUSED_WRITE = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}
_SQLITE_CONTENTION = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_SQLITE_OUTAGE = {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_READONLY,
}


def fault_of(error: DatabaseError | InterfaceError) -> Fault:
    """Return the class of an error of PostgreSQL or SQLite."""
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        if str(cause) == REFUSAL_OF_STOP:
            return Fault.STOPPED
        code = _sqlite_code(cause)
        if code in _SQLITE_CONTENTION:
            return Fault.CONTENTION
        return Fault.OUTAGE if code in _SQLITE_OUTAGE else Fault.DEFECT
    state = getattr(cause, "sqlstate", None)
    if state in _CONTENTION_STATES:
        return Fault.CONTENTION
    if state is None:
        # An error without a SQLSTATE does not come from the server: the connection failed or was lost.
        lost = not isinstance(error, IntegrityError) and type(cause).__name__ in {
            "OperationalError",
            "ConnectionTimeout",
        }
        return Fault.OUTAGE if lost or isinstance(error, InterfaceError) else Fault.DEFECT
    return Fault.OUTAGE if state[:2] in _OUTAGE_CLASSES or state in _OUTAGE_STATES else Fault.DEFECT


def is_write_refused(error: DatabaseError | InterfaceError) -> bool:
    """Return whether PostgreSQL or SQLite reported that it cannot store data.

    The causes are a full disk, an I/O error and a read-only database.
    """
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return _sqlite_code(cause) in _SQLITE_REFUSED_WRITE
    return getattr(cause, "sqlstate", None) in _REFUSED_WRITE_STATES


def _sqlite_code(error: sqlite3.Error) -> int:
    # The low byte is the primary code. Extended codes, such as SQLITE_BUSY_SNAPSHOT, also use the higher bytes.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
