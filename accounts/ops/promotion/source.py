"""The SQLite file that is promoted: its checks, its lines, and the stop of its writes."""

import fcntl
import os
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

from core.db import write_stop

from . import change_log
from .lines import CHANGE_LOG, JSON_FUNCTION, Table, jsonb_text

RENEWAL_SECONDS = 1
BUSY_SECONDS = 10
OWN_TABLES = ("django_migrations", write_stop.TABLE, CHANGE_LOG)
"""The tables that the target gets by its own migrations, or does not need."""


class Unfit(Exception):
    """The promotion cannot begin or go on. The message states the reason and what to do."""


class Source:
    """An SQLite database. One promotion at a time has it. `path` is the file."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Keep other promotions of this file out. The lock ends with the process. Raises Unfit when one runs already."""
        # The lock is on a separate file, because SQLite manages the locks on the database file.
        descriptor = os.open(f"{self.path}.promotion", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise Unfit("Another promotion of this database is running. Wait for its end, or end it first.") from None
        try:
            yield
        finally:
            os.close(descriptor)

    def open(self) -> sqlite3.Connection:
        """Return a new connection in autocommit."""
        return sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)

    @contextmanager
    def snapshot(self) -> Iterator["Snapshot"]:
        """Yield the present state of the database. Writers go on meanwhile, and the snapshot does not see them."""
        database = self.open()
        try:
            database.text_factory = bytes
            database.create_function(JSON_FUNCTION, 1, jsonb_text, deterministic=True)
            database.execute("PRAGMA query_only = ON")
            database.execute("BEGIN")
            yield Snapshot(database)
        finally:
            database.close()

    def check(self) -> None:
        """Raise Unfit after an earlier promotion, and when the copy would keep the writers waiting."""
        database = self.open()
        try:
            target = write_stop.find_kept(database)
            [mode] = database.execute("PRAGMA journal_mode").fetchone()
        finally:
            database.close()
        if target is not None:
            raise Unfit(
                f"This database was promoted to {target} already. Set DATABASE_URL to that database. To go on with this "
                "one, run manage.py promote --cancel."
            )
        if mode != "wal":
            raise Unfit(f"The journal mode of {self.path} is {mode}. Start the service once, which sets it to wal.")

    def find_left_behind(self, tables: list[Table]) -> list[str]:
        """Return the names of the file's tables that are not among the tables."""
        known = {table.name for table in tables} | set(OWN_TABLES)
        database = self.open()
        try:
            rows = database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
            ).fetchall()
        finally:
            database.close()
        return sorted(name for (name,) in rows if name not in known)

    def resume(self) -> str | None:
        """Let the database accept writes again. Return the name of the target of a promotion, or None without one."""
        database = self.open()
        try:
            target = write_stop.find_kept(database)
            write_stop.end(database)
            change_log.end(database)
        finally:
            database.close()
        return target

    @contextmanager
    def claimed(self, tables: Sequence[Table]) -> Iterator["Claim"]:
        """Log all changes during the block, until `Claim.stop` stops the writes.

        They go on after the block, unless `Claim.keep` was called. When this process dies, they go on within
        STOP_SECONDS.
        """
        claim = Claim(self.open())
        try:
            claim.begin(tables)
            yield claim
        finally:
            claim.end()


class Snapshot:
    """One state of the database."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def count(self, table: Table) -> int:
        """Return the number of rows."""
        [count] = self._database.execute(f'SELECT count(*) FROM "{table.name}"').fetchone()  # noqa: S608 - a model's table
        return int(count)

    def lines(self, table: Table) -> Iterator[bytes]:
        """Yield the lines of the table in the order of the primary key."""
        return (line for (line,) in self._database.execute(table.all_lines))

    def last_change(self) -> int:
        """Return the id of the last entry of the change log."""
        [last] = self._database.execute(f"SELECT coalesce(max(id), 0) FROM {CHANGE_LOG}").fetchone()  # noqa: S608 - only a constant
        return int(last)

    def changes(self, table: Table, *, since: int) -> tuple[list[bytes], list[bytes]]:
        """Return the keys of the rows that changed since the entry of the log, and the lines of those that exist."""
        keys = [key for (key,) in self._database.execute(table.changed_keys, (since,))]
        return keys, [line for (line,) in self._database.execute(table.changed_lines, (since,))] if keys else []


class Claim:
    """The claim of a promotion on the file. A thread renews it."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._owner = secrets.token_hex(8)
        self._database = database
        self._over = Event()
        self._renewals = Thread(target=self._renew, daemon=True)
        self._is_kept = False

    def begin(self, tables: Sequence[Table]) -> None:
        """Claim the file, and log all changes from now on."""
        write_stop.claim(self._database, owner=self._owner)
        change_log.begin(self._database, tables)
        self._renewals.start()

    def stop(self) -> None:
        """Stop all writes. Return when no earlier write still runs. Raises Unfit when the claim has ended."""
        _demand(write_stop.stop(self._database, owner=self._owner))

    def check(self) -> None:
        """Raise Unfit when the claim has ended, for example because the machine slept."""
        _demand(write_stop.renew(self._database, owner=self._owner))

    def keep(self, *, reason: str) -> None:
        """Keep the stop after the end of this process. Raises Unfit when it has ended."""
        self._end_renewals()
        _demand(write_stop.keep(self._database, owner=self._owner, reason=reason))
        self._is_kept = True

    def end(self) -> None:
        """Remove the log, and the stop too if it is not kept."""
        self._end_renewals()
        try:
            if not self._is_kept:
                write_stop.end(self._database)
            change_log.end(self._database)
        finally:
            self._database.close()

    def _end_renewals(self) -> None:
        self._over.set()
        if self._renewals.is_alive():
            self._renewals.join()

    def _renew(self) -> None:
        while not self._over.wait(RENEWAL_SECONDS):
            # A claim that is not renewed ends. Then `check`, `stop` and `keep` fail.
            with suppress(sqlite3.Error):
                write_stop.renew(self._database, owner=self._owner)


def _demand(is_claimed: bool) -> None:
    if not is_claimed:
        raise Unfit(
            "The claim on the file ended too early, because this machine was busy or slept. Run the command again."
        )
