"""The counter that all processes of the deployment share, and its behaviour while the store does not answer."""

import logging
import threading
from collections.abc import Collection, Mapping
from typing import ClassVar, Protocol

from django.db import connection

from ..db.outage import reason_of
from ..errors import DbUnreachable, Overloaded
from ..threads import database_slots
from .conf import settings
from .windows import Window

logger = logging.getLogger("authsvc.ratelimit")

TURN_SECONDS = 1
"""The longest time in seconds that an attempt waits for its turn. A store that works answers within this time."""

REST_SECONDS = 5
"""The time in seconds for which a store that did not answer is not called. Otherwise each request would wait for it."""

WARN_SECONDS = 60

PRUNE_INTERVAL = 100
PRUNE_BATCH = 1_000
"""The store is pruned every PRUNE_INTERVAL attempts, and a prune deletes at most PRUNE_BATCH rows.

The batch is far larger than the number of rows that PRUNE_INTERVAL attempts can create.
"""

COUNT_LIFETIME_SECONDS = 60
"""The time in seconds for which the store keeps a window after its end. The clock of a machine may be slow."""


class Store(Protocol):
    """A store of the counts. It connects when it is first used. Only one thread at a time may call its methods."""

    failures: ClassVar[tuple[type[Exception], ...]]
    """The exceptions that the methods raise when the store is not reachable or does not work."""

    def add(self, windows: Collection[Window], *, second: int) -> Mapping[bytes, int]:
        """Count one attempt in each window in one round trip. Return the counts by key, with this attempt included."""

    def prune(self, *, ended_before: int, at_most: int) -> None:
        """Remove at most `at_most` windows that ended before the second `ended_before`."""

    def close(self) -> None:
        """Close the connection if there is one."""


class SharedCounter:
    """The store of this deployment, with one connection per process.

    One connection is enough. A count takes a fraction of a millisecond, and its request does slower work, such as a
    password hash. One connection per thread would double the deployment's share of PostgreSQL's `max_connections`.
    """

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._url = ""
        self._store: Store | None = None
        self._failed_at: int | None = None
        self._warned_at = 0
        self._attempts = 0

    def add(self, windows: Collection[Window], *, second: int) -> Mapping[bytes, int] | None:
        """Count one attempt in each window and return the counts by key.

        Returns None when the store does not answer, or has not answered within the last REST_SECONDS.
        """
        if self._is_resting(second):
            return None
        try:
            with database_slots.taken():
                return self._add_in_turn(windows, second)
        except (DbUnreachable, Overloaded):
            self._fail(second, reason="timeout")
            return None

    def close(self) -> None:
        """Close the connection. The next attempt opens a new one."""
        self.halt()
        self.resume()

    def halt(self) -> None:
        """Close the connection and block new ones until `resume()`, so that a fork copies no connection.

        A child process could not safely close a copied connection to SQLite, because SQLite tracks file locks by
        process.
        """
        self._turn.acquire()
        if self._store is not None:
            self._store.close()
        self._store = None
        self._failed_at = None

    def resume(self) -> None:
        """Permit connections again after `halt()`."""
        self._turn.release()

    def _add_in_turn(self, windows: Collection[Window], second: int) -> Mapping[bytes, int] | None:
        if not self._turn.acquire(timeout=TURN_SECONDS):
            self._fail(second, reason="timeout")
            return None
        try:
            if not self._is_resting(second):
                return self._add_to_store(windows, second)
            database_slots.fail()
            return None
        finally:
            self._turn.release()

    def _add_to_store(self, windows: Collection[Window], second: int) -> Mapping[bytes, int] | None:
        if self._failed_at is not None:
            # Only this attempt tests the store. The other threads see a resting store and do not wait.
            self._failed_at = second
        store = self._store_in_use()
        try:
            counts = store.add(windows, second=second)
            self._attempts += 1
            if self._attempts % PRUNE_INTERVAL == 0:
                store.prune(ended_before=second - COUNT_LIFETIME_SECONDS, at_most=PRUNE_BATCH)
        except store.failures as error:
            store.close()
            self._fail(second, reason=reason_of(error))
            return None
        self._failed_at = None
        return counts

    def _store_in_use(self) -> Store:
        url = settings().cache_url
        if self._store is None or url != self._url:
            if self._store is not None:
                self._store.close()
            self._store, self._url = _open_store(url), url
        return self._store

    def _is_resting(self, second: int) -> bool:
        # Read the attribute only once, because the thread that has the turn can change it between two reads.
        failed_at = self._failed_at
        return failed_at is not None and abs(second - failed_at) < REST_SECONDS

    def _fail(self, second: int, *, reason: str) -> None:
        self._failed_at = second
        database_slots.fail()
        if not self._warned_at <= second < self._warned_at + WARN_SECONDS:
            self._warned_at = second
            logger.warning("the rate limit store does not answer, each process counts alone", extra={"reason": reason})


def _open_store(url: str) -> Store:
    # Only the driver in use is imported, because each driver takes about 20 MB.
    if url:
        from .redis_store import RedisStore  # noqa: PLC0415

        return RedisStore(url)
    if connection.vendor == "postgresql":
        from .postgresql_store import PostgresqlStore  # noqa: PLC0415

        return PostgresqlStore(connection.get_connection_params())
    from .sqlite_store import SqliteStore  # noqa: PLC0415

    return SqliteStore(connection.settings_dict["NAME"])
