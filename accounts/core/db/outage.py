"""What the service notes of an outage of its database: a line of the log, and whether writes fail."""

import mmap

from django.db import DatabaseError, InterfaceError

from .failures import is_write_refused

# Shared by all processes that one `serve` forks: each of them answers for the health of all.
_refused = mmap.mmap(-1, 1)


def note(error: DatabaseError | InterfaceError) -> dict[str, str]:
    """Remember when the database refuses writes; return the fields of the log line about the outage."""
    if is_write_refused(error):
        _refused[0] = 1
    # The detail may hold an address, so it is not among the fields that are shipped.
    return {"reason": reason_of(error), "detail": str(error.__cause__ or error).partition("\n")[0]}


def reason_of(error: Exception) -> str:
    """Return the name of what went wrong: SQLite's, or psycopg's with the SQLSTATE, else that of the class."""
    cause = error.__cause__ or error
    name: str = getattr(cause, "sqlite_errorname", None) or type(cause).__name__
    state = getattr(cause, "sqlstate", None)
    return f"{name} ({state})" if state else name


def has_refused_write() -> bool:
    """Tell whether the database has refused a write since one last succeeded for certain."""
    return _refused[0] == 1


def note_write() -> None:
    """Remember that the database takes writes."""
    _refused[0] = 0
