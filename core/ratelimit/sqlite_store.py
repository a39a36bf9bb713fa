"""The store of the counters in a separate SQLite file beside the file of the database."""

import sqlite3
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from django.db.backends.sqlite3.creation import DatabaseCreation

from .windows import Window

BUSY_SECONDS = 1

# The primary key starts with `ends_at`, so that the prune finds expired windows without another index.
_CREATE_SQL = """
CREATE TABLE IF NOT EXISTS attempts (
    ends_at INTEGER NOT NULL, key BLOB NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (ends_at, key)
) WITHOUT ROWID
"""
_ADD_SQL = """
INSERT INTO attempts (ends_at, key, count) VALUES {rows}
ON CONFLICT (ends_at, key) DO UPDATE SET count = count + 1
RETURNING key, count
"""
_PRUNE_SQL = """
DELETE FROM attempts WHERE (ends_at, key) IN (SELECT ends_at, key FROM attempts WHERE ends_at < ? LIMIT ?)
"""


class SqliteStore:
    """The store of a deployment on SQLite. All processes of the machine share exact counts.

    A write does not wait for the disk, so a power failure may lose counts.
    """

    failures: ClassVar[tuple[type[Exception], ...]] = (sqlite3.Error,)

    def __init__(self, database: str | Path) -> None:
        # A database in memory belongs to one process, so its counters also stay in memory.
        self._path = ":memory:" if DatabaseCreation.is_in_memory_db(database) else f"{database}.limits"
        self._connection: sqlite3.Connection | None = None

    def add(self, windows: Collection[Window], *, second: int) -> Mapping[bytes, int]:
        rows = ", ".join(["(?, ?, 1)"] * len(windows))
        values = [value for window in windows for value in window]
        return dict(self._connect().execute(_ADD_SQL.format(rows=rows), values).fetchall())

    def prune(self, *, ended_before: int, at_most: int) -> None:
        self._connect().execute(_PRUNE_SQL, (ended_before, at_most))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connect(self) -> sqlite3.Connection:
        if self._connection is None:
            # The connection runs in autocommit. The threads take turns, so they may share the connection.
            opened = sqlite3.connect(self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            try:
                opened.execute("PRAGMA synchronous = NORMAL")
                opened.execute(_CREATE_SQL)
                # The file stores the mode. If two processes set the mode at once, SQLite rejects one of them at once.
                with suppress(sqlite3.OperationalError):
                    opened.execute("PRAGMA journal_mode = WAL")
            except sqlite3.Error:
                opened.close()
                raise
            self._connection = opened
        return self._connection
