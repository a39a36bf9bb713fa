"""Django's PostgreSQL engine with a time limit on every wait: `"ENGINE": "core.db.postgresql"`.

The time limits of PostgreSQL and TCP do not help when the server process is stopped. The server's kernel still
acknowledges the packets that it receives. Therefore the client itself stops waiting and closes the connection.
"""

from time import monotonic
from typing import Any, ClassVar, TypeVar

import psycopg
from django.db.backends.postgresql import base
from psycopg.abc import PQGen
from psycopg.pq import TransactionStatus

from ...errors import DbUnreachable, Overloaded
from ...threads import database_slots

T = TypeVar("T")

WAKE_SECONDS = 0.1
"""The interval in seconds at which psycopg checks its time limit while it waits. This is psycopg's default."""

IDLE_SECONDS = 0.1
"""A connection is checked at most once in this many seconds, because no server restarts faster."""


LOCK_SECONDS = 0.9
"""The longest time in seconds that a statement of a web process waits for a lock.

It is shorter than STUCK_SECONDS of `threads`. So threads that wait for locks release their slots before the database
counts as stuck, and a wait for a lock never looks like a database that hangs.
"""


class _Busy(psycopg.errors.LockNotAvailable):
    """The thread got no slot of the database, but other threads got answers in that time."""


class BoundedConnection(psycopg.Connection[Any]):
    """A connection that closes when an answer is overdue. Therefore a late COMMIT never counts as a success."""

    answer_seconds: float | None = None
    """The longest time in seconds that an answer may take; None means the limit of `threads.database`."""

    opened_at: float = 0.0
    """The time at which the connection was opened, in seconds of the monotonic clock."""

    looked_at: float = 0.0
    """The time at which the connection was last known to be open, in seconds of the monotonic clock."""

    lost_at: ClassVar[float] = 0.0
    """The time at which an answer on any connection of this process was last overdue, on the monotonic clock.

    Connections that were opened before this time may also be broken.
    """

    def wait(self, gen: PQGen[T], interval: float = WAKE_SECONDS, timeout: float | None = None) -> T:
        """Return the outcome of the exchange with the server.

        Raises OperationalError when the answer is overdue or too many threads wait for the database.
        """
        try:
            is_taken = database_slots.take()
        except (DbUnreachable, Overloaded) as refusal:
            raise _error_of(refusal) from None
        try:
            if timeout is not None:
                return super().wait(gen, interval, timeout)
            try:
                return super().wait(gen, interval, self.answer_seconds or database_slots.seconds)
            except psycopg.errors._WaitTimeout:  # noqa: SLF001 - the documented error of wait() has no public name
                self.close()
                BoundedConnection.lost_at = monotonic()
                database_slots.fail()
                raise psycopg.OperationalError("the database did not answer in time") from None
        finally:
            if is_taken:
                database_slots.release()


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's wrapper on bounded connections.

    A connection that ended while it was idle is replaced before its next statement.
    """

    def get_new_connection(self, conn_params: dict[str, Any]) -> BoundedConnection:
        try:
            with database_slots.taken():
                connection = self._connect(conn_params)
        except (DbUnreachable, Overloaded) as refusal:
            raise _error_of(refusal) from None
        # Django has no option that selects the class of a connection.
        connection.__class__ = BoundedConnection
        connection.opened_at = connection.looked_at = monotonic()
        return connection  # type: ignore[no-any-return]  # the stubs return Any

    def _connect(self, conn_params: dict[str, Any]) -> Any:
        try:
            return super().get_new_connection(conn_params)
        except psycopg.errors.ConnectionTimeout:
            database_slots.fail()
            raise

    def init_connection_state(self) -> None:
        """Prepare a new connection. In a web process of `serve`, limit its waits for locks."""
        super().init_connection_state()
        # Behind a pooler in transaction mode, for which Django has this setting, other clients would get the limit.
        is_pooled = self.settings_dict["DISABLE_SERVER_SIDE_CURSORS"]
        is_chosen = "lock_timeout" in self.settings_dict["OPTIONS"].get("options", "")
        if database_slots.seconds is not None and not is_pooled and not is_chosen:
            # Many poolers refuse a connection with the startup option `options`.
            self.connection.execute(f"SET lock_timeout = {LOCK_SECONDS * 1000:.0f}", prepare=False)

    def close_if_health_check_failed(self) -> None:
        """Close the connection if it ended while it was idle.

        Django calls this method before a statement or a transaction.
        """
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
        """Return whether the connection is open, idle and newer than the last overdue answer.

        The check makes no round trip to the server.
        """
        if self.connection.opened_at < BoundedConnection.lost_at:
            return False
        pgconn = self.connection.pgconn
        try:
            # The first call may read the server's last message. Only the second call then detects the end.
            pgconn.consume_input()
            pgconn.consume_input()
        except psycopg.Error:
            return False
        return pgconn.transaction_status == TransactionStatus.IDLE  # type: ignore[no-any-return]  # the stubs return Any


def _error_of(refusal: DbUnreachable | Overloaded) -> psycopg.OperationalError:
    """Return the error of a connection for a refusal of the slots.

    Django and psycopg expect an error of this kind: after a failed rollback they close the connection.
    """
    kind = _Busy if isinstance(refusal, Overloaded) else psycopg.OperationalError
    return kind("too many threads wait for the database already")
