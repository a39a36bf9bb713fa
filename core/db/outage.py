"""The record of a database outage: the fields of its log line, and a flag that the database refuses writes."""

import mmap

from django.db import DatabaseError, InterfaceError, connection

from .failures import is_write_refused

# All processes that one `serve` forks share this byte, because each of them reports the health of all.
_refused = mmap.mmap(-1, 1)


def note(error: DatabaseError | InterfaceError) -> dict[str, str]:
    """Return the fields of the log line about the outage. If the error is a refused write, set the shared flag."""
    if is_write_refused(error):
        _refused[0] = 1
    # The detail may contain an address, so `detail` is not one of the fields that log shipping sends.
    return {"reason": reason_of(error), "detail": str(error.__cause__ or error).partition("\n")[0]}


def reason_of(error: Exception) -> str:
    """Return the name of the error's cause.

    The name is SQLite's name of the error code, or the name of the exception's class. The SQLSTATE follows in
    parentheses when there is one.
    """
    cause = error.__cause__ or error
    name: str = getattr(cause, "sqlite_errorname", None) or type(cause).__name__
    state = getattr(cause, "sqlstate", None)
    return f"{name} ({state})" if state else name


def describe(error: Exception) -> str:
    """Return the first line of the error, for an operator at a terminal. It names the file of an SQLite database."""
    # SQLite's own errors name no file.
    file = f"{connection.settings_dict['NAME']}: " if connection.vendor == "sqlite" else ""
    return file + str(error).partition("\n")[0]


def has_refused_write() -> bool:
    """Return whether the database has refused a write since the last call of `note_write()`."""
    return _refused[0] == 1


def note_write() -> None:
    """Clear the flag, because the database accepted a write."""
    _refused[0] = 0
