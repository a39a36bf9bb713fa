"""The store of the counters in an UNLOGGED table of the database. Its connection runs outside all transactions."""

from collections.abc import Collection, Mapping
from typing import Any, ClassVar

import psycopg

from ..db.postgresql.base import BoundedConnection
from .windows import Window

ANSWER_SECONDS = 1.0

# The table is not a model. With a migration, the host project would back up and restore the table, and its tests would
# flush the table.
_CREATE_SQL = """
CREATE UNLOGGED TABLE IF NOT EXISTS authsvc_rate_limit (
    ends_at bigint, key bytea, count integer NOT NULL, PRIMARY KEY (ends_at, key)
)
"""
# Two sessions can run CREATE TABLE IF NOT EXISTS at once. One of them can then violate a unique index of the catalogue.
_CREATE_IN_TURN_SQL = "SELECT pg_advisory_xact_lock(hashtext('authsvc_rate_limit'))"
_ADD_SQL = """
INSERT INTO authsvc_rate_limit AS kept (ends_at, key, count) VALUES {rows}
ON CONFLICT (ends_at, key) DO UPDATE SET count = kept.count + 1
RETURNING key, count
"""
_PRUNE_SQL = """
DELETE FROM authsvc_rate_limit WHERE (ends_at, key) IN (
    SELECT ends_at, key FROM authsvc_rate_limit WHERE ends_at < %s LIMIT %s FOR UPDATE SKIP LOCKED
)
"""


class PostgresqlStore:
    """The store of a deployment on PostgreSQL. All processes of all machines share exact counts.

    A crash of the database server empties the table.
    """

    failures: ClassVar[tuple[type[Exception], ...]] = (psycopg.Error,)

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        self._parameters = {"connect_timeout": 2, "tcp_user_timeout": 3000, **parameters}
        # Django's cursor class binds parameters on the client, so PostgreSQL could not prepare the statements.
        self._parameters.pop("cursor_factory", None)
        self._connection: BoundedConnection | None = None

    def add(self, windows: Collection[Window], *, second: int) -> Mapping[bytes, int]:
        try:
            return self._add(windows)
        except psycopg.errors.UndefinedTable:
            self._create_table()
        except psycopg.OperationalError:
            # A long idle connection may be closed, which is not an outage, so the store connects once more.
            if self._connection is None or not self._connection.broken:
                raise
            self.close()
        return self._add(windows)

    def prune(self, *, ended_before: int, at_most: int) -> None:
        self._connect().execute(_PRUNE_SQL, (ended_before, at_most))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _add(self, windows: Collection[Window]) -> Mapping[bytes, int]:
        # The statement locks the rows in the order of its values. All processes must use the same order; otherwise
        # deadlocks could occur.
        values = [value for window in sorted(windows) for value in window]
        rows = ", ".join(["(%s, %s, 1)"] * len(windows))
        return dict(self._connect().execute(_ADD_SQL.format(rows=rows), values).fetchall())

    def _create_table(self) -> None:
        session = self._connect()
        with session.transaction():
            session.execute(_CREATE_IN_TURN_SQL)
            session.execute(_CREATE_SQL)

    def _connect(self) -> BoundedConnection:
        if self._connection is None:
            self._connection = BoundedConnection.connect(**self._parameters, autocommit=True)
            self._connection.answer_seconds = ANSWER_SECONDS
        return self._connection
