"""A stop of all writes to an SQLite database, while the reads go on.

Triggers in the file refuse every change of every table. Therefore the stop holds for each process and each release that
has the file open, and for statements that no code of the service runs. One owner claims the file, and then stops the
writes. The claim is a lease: it ends by itself unless its owner renews it, and the stop ends with it. The owner can also
keep the stop for good.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError, InterfaceError, connection

from .failures import REFUSAL_OF_STOP

CLAIM_SECONDS = 15
"""The time in seconds after which a claim ends when its owner does not renew it. Busy writers can delay a renewal."""

STOP_SECONDS = 5
"""The same for a stop. No writer delays its renewal."""

TABLE = "authsvc_write_stop"
_ACTS = ("INSERT", "UPDATE", "DELETE")
_CLAIM_END, _STOP_END = (f"julianday('now', '+{seconds} seconds')" for seconds in (CLAIM_SECONDS, STOP_SECONDS))
# A row without `until` is a stop for good. The upper bound ends a lease also when the clock was set back.
IS_CLAIMED = f"EXISTS (SELECT 1 FROM {TABLE} WHERE until IS NULL OR until BETWEEN julianday('now') AND {_CLAIM_END})"  # noqa: S608 - only constants
"""The condition of a trigger that works while the file is claimed."""

_STATEMENTS = {
    "tables": f"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name <> '{TABLE}'",  # noqa: S608 - only constants
    "triggers": f"SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB '{TABLE}_*'",  # noqa: S608 - only constants
    "exists": f"SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '{TABLE}'",  # noqa: S608 - only constants
    "create": f"CREATE TABLE {TABLE} (owner TEXT PRIMARY KEY, refuses INTEGER NOT NULL, until REAL, reason TEXT)",
    "claim": f"INSERT INTO {TABLE} (owner, refuses, until) SELECT ?, 0, {_CLAIM_END}",
    "renew": f"UPDATE {TABLE} SET until = iif(refuses, {_STOP_END}, {_CLAIM_END}) WHERE owner = ? AND {IS_CLAIMED}",  # noqa: S608 - only constants
    "stop": f"UPDATE {TABLE} SET refuses = 1, until = {_STOP_END} WHERE owner = ? AND {IS_CLAIMED}",  # noqa: S608 - only constants
    "keep": f"UPDATE {TABLE} SET until = NULL, reason = ? WHERE owner = ? AND refuses AND {IS_CLAIMED}",  # noqa: S608 - only constants
    "kept": f"SELECT reason FROM {TABLE} WHERE until IS NULL",  # noqa: S608 - only constants
    "trigger": f"""
        CREATE TRIGGER "{TABLE}_{{act}}_{{table}}" BEFORE {{act}} ON "{{table}}"
        WHEN {IS_CLAIMED} AND (SELECT refuses FROM {TABLE})
        BEGIN SELECT RAISE(ABORT, '{REFUSAL_OF_STOP}'); END
    """,  # noqa: S608 - only constants
}


def claim(database: sqlite3.Connection, *, owner: str) -> None:
    """Claim the file for CLAIM_SECONDS, in place of an earlier claim. Writes go on.

    `database` is a connection in autocommit, here and in the other functions.
    """
    with transaction(database):
        _drop(database)
        database.execute(_STATEMENTS["create"])
        for (table,) in database.execute(_STATEMENTS["tables"]).fetchall():
            for act in _ACTS:
                database.execute(_STATEMENTS["trigger"].format(act=act, table=table))
        database.execute(_STATEMENTS["claim"], (owner,))


def renew(database: sqlite3.Connection, *, owner: str) -> bool:
    """Let the owner's claim or stop last its whole time from now. Return False, and change nothing, when it has ended."""
    return database.execute(_STATEMENTS["renew"], (owner,)).rowcount == 1


def stop(database: sqlite3.Connection, *, owner: str) -> bool:
    """Stop all writes. Return when no earlier write still runs. Later ones fail with REFUSAL_OF_STOP.

    Returns False, and changes nothing, when the owner's claim has ended.
    """
    return database.execute(_STATEMENTS["stop"], (owner,)).rowcount == 1


def keep(database: sqlite3.Connection, *, owner: str, reason: str) -> bool:
    """Keep the owner's stop until `end`. Return False, and change nothing, when it has ended."""
    return database.execute(_STATEMENTS["keep"], (reason, owner)).rowcount == 1


def end(database: sqlite3.Connection) -> None:
    """End the claim and the stop. The file has no trace of them afterwards."""
    with transaction(database):
        _drop(database)


def find_kept(database: sqlite3.Connection) -> str | None:
    """Return the reason of the stop that is kept, or None when there is no such stop."""
    if database.execute(_STATEMENTS["exists"]).fetchone() is None:
        return None
    row = database.execute(_STATEMENTS["kept"]).fetchone()
    return None if row is None else str(row[0])


def find_kept_here() -> str | None:
    """Return the same as `find_kept` for the database of the deployment. PostgreSQL has no stops."""
    if connection.vendor != "sqlite":
        return None
    try:
        connection.ensure_connection()
    except (DatabaseError, InterfaceError):
        return None
    return find_kept(connection.connection)


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Run the block in a transaction that begins with its lock."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        database.execute("ROLLBACK")
        raise


def _drop(database: sqlite3.Connection) -> None:
    for (trigger,) in database.execute(_STATEMENTS["triggers"]).fetchall():
        database.execute(f'DROP TRIGGER "{trigger}"')
    database.execute(f"DROP TABLE IF EXISTS {TABLE}")
