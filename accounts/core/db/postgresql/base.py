"""The PostgreSQL engine of Django, with a bound on every wait: `"ENGINE": "accounts.core.db.postgresql"`.

The time limits of PostgreSQL and of TCP do not help against a server process that is stopped: its kernel still
acknowledges what it receives. So the client itself gives up, by closing the connection.
"""

from time import monotonic
from typing import Any, ClassVar, TypeVar

import psycopg
from django.db.backends.postgresql import base
from psycopg.abc import PQGen
from psycopg.pq import TransactionStatus

from ...errors import DbUnreachable, Overloaded
from ...threads import database

T = TypeVar("T")

WAKE_SECONDS = 0.1
"""How often a waiting psycopg looks at the clock; its own default."""

IDLE_SECONDS = 0.1
"""A connection that was looked at within this time is not looked at again: no server restarts that fast."""


class BoundedConnection(psycopg.Connection[Any]):
    """A connection that is closed when an answer is overdue, so that a late COMMIT is never taken for a success."""

    answer_seconds: float | None = None
    """How long an answer may take. None: as long as `threads.database` says."""

    opened_at: float = 0.0
    """When the connection was opened, in seconds of the monotonic clock."""

    looked_at: float = 0.0
    """When the connection last was known to be open, in seconds of the monotonic clock."""

    lost_at: ClassVar[float] = 0.0
    """When an answer on any connection of this process last was overdue: the older ones may lead nowhere, too."""

    def wait(self, gen: PQGen[T], interval: float = WAKE_SECONDS, timeout: float | None = None) -> T:
        """Return the outcome of the exchange. Raises OperationalError when it is overdue or no thread may wait."""
        try:
            entered = database.enter()
        except (DbUnreachable, Overloaded):
            # As Django and psycopg expect it of a connection: a rollback that is refused closes the connection.
            raise psycopg.OperationalError("too many threads wait for the database already") from None
        try:
            if timeout is not None:
                return super().wait(gen, interval, timeout)
            try:
                return super().wait(gen, interval, self.answer_seconds or database.seconds)
            except psycopg.errors._WaitTimeout:  # noqa: SLF001 - the documented error of wait(), under no other name
                self.close()
                BoundedConnection.lost_at = monotonic()
                database.fail()
                raise psycopg.OperationalError("the database did not answer in time") from None
        finally:
            if entered:
                database.leave()


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, on bounded connections. A connection that ended while idle is replaced before its next statement."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> BoundedConnection:
        try:
            with database.place():
                connection = self._connect(conn_params)
        except (DbUnreachable, Overloaded):
            raise psycopg.OperationalError("too many threads wait for the database already") from None
        # Django has no option for the class of a connection.
        connection.__class__ = BoundedConnection
        connection.opened_at = connection.looked_at = monotonic()
        return connection  # type: ignore[no-any-return]  # the stubs leave it open

    def _connect(self, conn_params: dict[str, Any]) -> Any:
        try:
            return super().get_new_connection(conn_params)
        except psycopg.errors.ConnectionTimeout:
            database.fail()
            raise

    def close_if_health_check_failed(self) -> None:
        """Close the connection if it ended while it was idle. Django calls this before a statement or transaction."""
        if self.connection is None or self.in_atomic_block:
            return
        now = monotonic()
        if now - self.connection.looked_at < IDLE_SECONDS and self.connection.opened_at > BoundedConnection.lost_at:
            return
        if self.is_usable():
            self.connection.looked_at = now
        else:
            self.close()

    def is_usable(self) -> bool:
        """Tell, without a round trip, whether the connection is open, idle and newer than the last overdue answer."""
        if self.connection.opened_at < BoundedConnection.lost_at:
            return False
        link = self.connection.pgconn
        try:
            # The first call may read the last words of the server. Only the second then finds the end.
            link.consume_input()
            link.consume_input()
        except psycopg.Error:
            return False
        return link.transaction_status == TransactionStatus.IDLE  # type: ignore[no-any-return]  # the stubs leave it open
