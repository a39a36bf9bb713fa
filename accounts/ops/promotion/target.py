"""The PostgreSQL database that gets the data: its checks, and the one transaction that fills it."""

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

import psycopg
from django.apps import apps
from django.db.backends.postgresql.features import DatabaseFeatures
from psycopg import sql

from .lines import Table
from .source import Unfit

T = TypeVar("T")

BLOCK_ROWS = 1_000
PATIENCE_SECONDS = 10.0
_POLL_SECONDS = 0.2

_MARK = "authsvc_promotion"
"""The table of a promotion that was committed, and whose source does not refuse writes yet. It names the transaction."""

_KEYS = "authsvc_changed"
_FOREIGN_KEYS_SQL = """
    WITH moved AS (SELECT name::regclass AS id FROM unnest(%s::text[]) AS name)
    SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE contype = 'f' AND (conrelid IN (SELECT id FROM moved) OR confrelid IN (SELECT id FROM moved))
"""
"""The keys of the tables, and of the tables that only PostgreSQL has and that refer to them."""

_SETTINGS = {
    "TimeZone": "UTC",
    "DateStyle": "ISO",
    "bytea_output": "hex",
    "client_encoding": "UTF8",
    "statement_timeout": "0",
    "lock_timeout": "0",
    "idle_in_transaction_session_timeout": "0",
    "transaction_timeout": "0",
}
_SET_SQL = "SELECT set_config(name, %s, false) FROM pg_settings WHERE name = %s"
_FACTS_SQL = """
    SELECT current_setting('server_encoding'), current_setting('transaction_read_only') = 'on', current_schema(),
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false), has_database_privilege(current_database(), 'TEMPORARY')
"""
_PLACE = re.compile(r"COPY \w+, line \d+(, column \w+)?")


class Target:
    """A connection to the database. `name` identifies the database for people, without a password."""

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        """Connect. Raises Unfit when the database does not answer."""
        # Django's cursor class belongs to its own connections.
        plain = {name: value for name, value in parameters.items() if name != "cursor_factory"}
        with _faults():
            self._session: psycopg.Connection[Any] = psycopg.connect(**plain, autocommit=True)
        info = self._session.info
        self.name = f"{info.dbname} on {info.host}, port {info.port}"
        self.version = info.server_version // 10_000

    def close(self) -> None:
        self._session.close()

    def check(self) -> None:
        """Raise Unfit when the server or the rights of this user cannot carry the service."""
        [least] = DatabaseFeatures.minimum_database_version or (0,)
        if self.version < least:
            raise Unfit(
                f"The server is PostgreSQL {self.version}, and the service needs {least} or newer. Update the server."
            )
        with _faults():
            encoding, is_read_only, schema, may_create, may_make_temporary = self._one(_FACTS_SQL)
        if encoding != "UTF8":
            raise Unfit(
                f"The database has the encoding {encoding}, which lacks characters of users. Create it with ENCODING 'UTF8'."
            )
        if is_read_only:
            raise Unfit("The database accepts no writes. Use the address of the primary server.")
        if schema is None or not may_create:
            raise Unfit(
                "This user may not create tables there. Make the user the owner of the database, or grant CREATE on the schema."
            )
        if not may_make_temporary:
            raise Unfit("This user may not create temporary tables there. Grant TEMPORARY on the database to the user.")

    def take(self, *, lock: int, patience: float = PATIENCE_SECONDS) -> None:
        """Take the advisory lock as `take_turn` does, until this connection ends."""
        with _faults():
            take_turn(self._session, lock=lock, patience=patience)

    @contextmanager
    def filled(self, tables: Sequence[Table]) -> Iterator["Filling"]:
        """Yield the transaction that fills the tables. Without `Filling.commit()`, it changes nothing.

        Raises Unfit when a table has rows. Rows of a promotion that died between its commit and its end do not count,
        as long as no other program wrote a row since.
        """
        names = [model._meta.db_table for model in apps.get_models(include_auto_created=True) if model._meta.managed]
        with _faults():
            for name, value in _SETTINGS.items():
                self._session.execute(_SET_SQL, (value, name))
            self._session.autocommit = False
            try:
                self._lock(names)
                self._check_empty(names)
                yield Filling(self._session, tables=tables)
            finally:
                if not self._session.closed:
                    self._session.rollback()
                    self._session.autocommit = True

    def end(self) -> None:
        """Remove the mark of the promotion, because the source refuses writes now."""
        with _faults():
            self._session.execute(f"DROP TABLE {_MARK}")

    def _lock(self, names: Sequence[str]) -> None:
        """Let no other program write to the tables before the end of the transaction."""
        every = sql.SQL(", ").join(map(sql.Identifier, names))
        try:
            self._session.execute(sql.SQL("LOCK TABLE {} IN EXCLUSIVE MODE NOWAIT").format(every))
        except psycopg.errors.LockNotAvailable:
            raise Unfit(
                "Another program writes to the tables of the target. Stop the service that runs on it."
            ) from None

    def _check_empty(self, names: Sequence[str]) -> None:
        [mark] = self._one("SELECT to_regclass(%s)", _MARK)
        if mark is None:
            for name in names:
                [has_rows] = self._one(sql.SQL("SELECT EXISTS (SELECT FROM {})").format(sql.Identifier(name)))
                if has_rows:
                    raise Unfit(
                        f"The table {name} of the target has rows already. Give a new, empty database, and start no service "
                        "on it before the promotion."
                    )
            return
        marked = self._session.execute(f"SELECT name, rows, xid FROM {_MARK}").fetchall()  # noqa: S608 - only a constant
        counts = {name: (rows, xid) for name, rows, xid in marked}
        for name in names:
            rows, xid = counts.get(name, (0, ""))
            query = sql.SQL("SELECT count(*), count(*) FILTER (WHERE xmin::text = %s) FROM {}")
            # A row that another transaction changed has another `xmin`.
            if self._one(query.format(sql.Identifier(name)), xid) != (rows, rows):
                raise Unfit(
                    f"An earlier promotion filled the target, but did not end, and another program changed {name} since. "
                    "Give a new, empty database."
                )
        every = sql.SQL(", ").join(map(sql.Identifier, names))
        self._session.execute(sql.SQL("TRUNCATE {}").format(every))
        self._session.execute(f"DROP TABLE {_MARK}")

    def _one(self, query: Any, *parameters: Any) -> Any:
        return self._session.execute(query, parameters).fetchone()


def take_turn(session: "psycopg.Connection[Any]", *, lock: int, patience: float = PATIENCE_SECONDS) -> None:
    """Take the advisory lock until the connection ends. Raises Unfit when another program keeps it.

    PostgreSQL first finishes the statement of a program that was killed. Therefore the call waits `patience` seconds.
    """
    deadline = time.monotonic() + patience
    while True:
        row = session.execute("SELECT pg_try_advisory_lock(%s)", (lock,)).fetchone()
        if row is not None and row[0]:
            return
        if time.monotonic() > deadline:
            raise Unfit(
                "Another program prepares this database: a promotion, or a service that starts. Wait for it, or stop it."
            )
        time.sleep(_POLL_SECONDS)


class Filling:
    """The open transaction. Only it sees its rows, and no other transaction can write to the tables.

    It drops the foreign keys at its beginning and adds them at its end. With them, a replaced row could delete the rows
    that refer to it. PostgreSQL checks all rows when a key is added.
    """

    def __init__(self, session: psycopg.Connection[Any], *, tables: Sequence[Table]) -> None:
        self._session = session
        self._tables = tables
        names = [table.name for table in tables]
        self._foreign_keys = session.execute(_FOREIGN_KEYS_SQL, (names,)).fetchall()
        for table, key, _ in self._foreign_keys:
            session.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{key}"')

    def add(self, table: Table, lines: Iterable[bytes]) -> None:
        """Add the rows of the lines."""
        self._read(table.name, table.column_list, lines)

    def lines(self, table: Table) -> Iterator[bytes]:
        """Yield the lines of the table in the order of the primary key."""
        return self._write(f'SELECT {table.column_list} FROM "{table.name}" ORDER BY {table.order}')  # noqa: S608 - names of the models

    def replace(self, table: Table, *, keys: Iterable[bytes], lines: Sequence[bytes]) -> set[bytes]:
        """Replace the rows with these keys by the rows of the lines. Return the lines that the keys have afterwards."""
        key = f'"{table.columns[0]}"'
        self._session.execute(f'CREATE TEMPORARY TABLE {_KEYS} AS SELECT {key} AS key FROM "{table.name}" WITH NO DATA')  # noqa: S608 - see above
        self._read(_KEYS, "key", keys)
        # Without the statistics PostgreSQL could compare each row with each key.
        self._session.execute(f"ANALYZE {_KEYS}")
        self._session.execute(f'DELETE FROM "{table.name}" WHERE {key} IN (SELECT key FROM {_KEYS})')  # noqa: S608 - see above
        self.add(table, lines)
        found = self._write(f'SELECT {table.column_list} FROM "{table.name}" WHERE {key} IN (SELECT key FROM {_KEYS})')  # noqa: S608 - see above
        replaced = set(found)
        self._session.execute(f"DROP TABLE {_KEYS}")
        return replaced

    def count(self, table: Table) -> int:
        """Return the number of rows."""
        row = self._session.execute(f'SELECT count(*) FROM "{table.name}"').fetchone()  # noqa: S608 - see above
        return int(row[0]) if row else 0

    def analyze(self) -> None:
        """Count the values of each table, so that the first statements of the service get good plans."""
        for table in self._tables:
            self._session.execute(f'ANALYZE "{table.name}"')

    def complete(self) -> None:
        """Add the foreign keys, and let the sequences continue after the largest keys."""
        for table, key, definition in self._foreign_keys:
            self._session.execute(f'ALTER TABLE {table} ADD CONSTRAINT "{key}" {definition}')
        for one in self._tables:
            if one.serial:
                key = one.columns[0]
                query = f'SELECT setval(pg_get_serial_sequence(%s, %s), max("{key}")) FROM "{one.name}" HAVING max("{key}") > 0'  # noqa: S608 - see above
                self._session.execute(query, (f'"{one.name}"', key))

    def commit(self, *, counts: Mapping[str, int]) -> None:
        """Commit all rows, together with a mark that the promotion has not ended."""
        self._session.execute(f"CREATE TABLE {_MARK} (name text, rows bigint, xid text)")
        insert = f"INSERT INTO {_MARK} SELECT *, pg_current_xact_id()::xid::text FROM unnest(%s::text[], %s::bigint[])"  # noqa: S608 - only a constant
        self._session.execute(insert, (list(counts), list(counts.values())))
        self._session.commit()

    def _read(self, table: str, columns: str, lines: Iterable[bytes]) -> None:
        with self._session.cursor() as cursor, cursor.copy(f'COPY "{table}" ({columns}) FROM STDIN') as copy:
            for block in batches(lines):
                copy.write(b"".join(block))

    def _write(self, query: str) -> Iterator[bytes]:
        with self._session.cursor() as cursor, cursor.copy(f"COPY ({query}) TO STDOUT") as rows:
            yield from map(bytes, rows)


def batches(items: Iterable[T]) -> Iterator[list[T]]:
    """Yield the items in lists of BLOCK_ROWS."""
    remaining = iter(items)
    while batch := list(islice(remaining, BLOCK_ROWS)):
        yield batch


@contextmanager
def _faults() -> Iterator[None]:
    """Raise Unfit for an error of PostgreSQL during the block."""
    try:
        yield
    except psycopg.errors.InsufficientPrivilege as error:
        raise Unfit(
            f"The rights of this user are too few: {_reason(error)}. Make it the owner of the tables."
        ) from None
    except psycopg.OperationalError as error:
        raise Unfit(f"The target does not answer, or cannot store the data: {_reason(error)}.") from None
    except psycopg.Error as error:
        place = _PLACE.search(error.diag.context or "")
        raise Unfit(f"The target refused the data: {_reason(error)}{f' ({place[0]})' if place else ''}.") from None


def _reason(error: psycopg.Error) -> str:
    return (error.diag.message_primary or str(error).strip().partition("\n")[0]).rstrip(".")
