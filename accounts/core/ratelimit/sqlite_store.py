"""Counters in a SQLite file of their own, beside that of the database."""

import sqlite3
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from django.db.backends.sqlite3.creation import DatabaseCreation

from .windows import Window

BUSY_SECONDS = 1

# Ordered by end, so that what is over lies at one end of the table and needs no index besides.
_CREATE = """
CREATE TABLE IF NOT EXISTS attempts (
    ends_at INTEGER NOT NULL, key BLOB NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (ends_at, key)
) WITHOUT ROWID
"""
_ADD = """
INSERT INTO attempts (ends_at, key, count) VALUES {rows}
ON CONFLICT (ends_at, key) DO UPDATE SET count = count + 1
RETURNING key, count
"""
_PRUNE = """
DELETE FROM attempts WHERE (ends_at, key) IN (SELECT ends_at, key FROM attempts WHERE ends_at < ? LIMIT ?)
"""


class SqliteStore:
    """Shared exactly by every process of a machine. Nothing waits for the disk: a power cut may cost the counts."""

    failures: ClassVar[tuple[type[Exception], ...]] = (sqlite3.Error,)

    def __init__(self, database: str | Path) -> None:
        # A database in memory belongs to one process, and so do its counters.
        self._path = ":memory:" if DatabaseCreation.is_in_memory_db(database) else f"{database}.limits"
        self._connection: sqlite3.Connection | None = None

    def add(self, windows: Collection[Window], *, second: int) -> Mapping[bytes, int]:
        rows = ", ".join(["(?, ?, 1)"] * len(windows))
        values = [value for window in windows for value in window]
        return dict(self._connect().execute(_ADD.format(rows=rows), values).fetchall())

    def prune(self, *, ended_before: int, at_most: int) -> None:
        self._connect().execute(_PRUNE, (ended_before, at_most))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connect(self) -> sqlite3.Connection:
        if self._connection is None:
            # Autocommit; the threads take turns, so the connection may go from one to the other.
            opened = sqlite3.connect(self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            try:
                opened.execute("PRAGMA synchronous = NORMAL")
                opened.execute(_CREATE)
                # The mode is the file's. When two processes set it at once, SQLite refuses one without letting it wait.
                with suppress(sqlite3.OperationalError):
                    opened.execute("PRAGMA journal_mode = WAL")
            except sqlite3.Error:
                opened.close()
                raise
            self._connection = opened
        return self._connection
