"""Counting that all processes of the deployment share, and what happens while it cannot be done."""

import logging
import threading
from collections.abc import Collection, Mapping
from typing import ClassVar, Protocol

from django.db import connection

from ..db.outage import reason_of
from ..errors import DbUnreachable, Overloaded
from ..threads import database
from .conf import conf
from .windows import Window

logger = logging.getLogger("authsvc.ratelimit")

TURN_SECONDS = 1
"""How long an attempt waits for those before it: as long as a store that answers at all takes at most."""

REST_SECONDS = 5
"""How long a store that did not answer is left alone, so that not every request waits for it."""

WARN_SECONDS = 60

PRUNE_EVERY = 100
PRUNE_BATCH = 1_000
"""Attempts between two clean-ups, and rows that one takes at most: far more than the attempts can have made."""

PRUNE_AFTER_SECONDS = 60
"""How long a window outlives its end, for machines whose clock is late."""


class Store(Protocol):
    """Where the counts are. Connects by itself when there is something to do. Callers take turns."""

    failures: ClassVar[tuple[type[Exception], ...]]
    """What its methods raise when the store is not there or does not work."""

    def add(self, windows: Collection[Window], *, second: int) -> Mapping[bytes, int]:
        """Count one attempt in each window, in one round trip; return the counts by key, this attempt included."""

    def prune(self, *, ended_before: int, at_most: int) -> None:
        """Remove windows that are over."""

    def close(self) -> None:
        """Give up the connection, if there is one."""


class SharedCounter:
    """The store of this deployment, with one connection a process.

    One is enough, since a count takes a fraction of a millisecond and goes with a password hash or the like; a
    connection a thread would double what the deployment takes of PostgreSQL's `max_connections`.
    """

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._url = ""
        self._store: Store | None = None
        self._failed_at: int | None = None
        self._warned_at = 0
        self._attempts = 0

    def add(self, windows: Collection[Window], *, second: int) -> Mapping[bytes, int] | None:
        """Count one attempt in each window and return the counts by key; None when the store does not answer."""
        if self._is_resting(second):
            return None
        try:
            with database.place():
                return self._take_turn(windows, second)
        except (DbUnreachable, Overloaded):
            self._fail(second, reason="timeout")
            return None

    def close(self) -> None:
        """Give up the connection; the next attempt makes a new one."""
        self.halt()
        self.resume()

    def halt(self) -> None:
        """Give up the connection and let nobody make a new one, so that a fork finds none.

        A child could not even close one of SQLite's, which keeps account of its file locks by process.
        """
        self._turn.acquire()
        if self._store is not None:
            self._store.close()
        self._store = None
        self._failed_at = None

    def resume(self) -> None:
        """Go on after `halt()`."""
        self._turn.release()

    def _take_turn(self, windows: Collection[Window], second: int) -> Mapping[bytes, int] | None:
        if not self._turn.acquire(timeout=TURN_SECONDS):
            self._fail(second, reason="timeout")
            return None
        try:
            if not self._is_resting(second):
                return self._try(windows, second)
            database.fail()
            return None
        finally:
            self._turn.release()

    def _try(self, windows: Collection[Window], second: int) -> Mapping[bytes, int] | None:
        if self._failed_at is not None:
            # Only this attempt finds out whether the store is back: nobody else waits for that.
            self._failed_at = second
        store = self._store_in_use()
        try:
            counts = store.add(windows, second=second)
            self._attempts += 1
            if self._attempts % PRUNE_EVERY == 0:
                store.prune(ended_before=second - PRUNE_AFTER_SECONDS, at_most=PRUNE_BATCH)
        except store.failures as error:
            store.close()
            self._fail(second, reason=reason_of(error))
            return None
        self._failed_at = None
        return counts

    def _store_in_use(self) -> Store:
        url = conf().cache_url
        if self._store is None or url != self._url:
            if self._store is not None:
                self._store.close()
            self._store, self._url = _open_store(url), url
        return self._store

    def _is_resting(self, second: int) -> bool:
        # Read once: whoever has the turn may change it meanwhile.
        failed_at = self._failed_at
        return failed_at is not None and abs(second - failed_at) < REST_SECONDS

    def _fail(self, second: int, *, reason: str) -> None:
        self._failed_at = second
        database.fail()
        if not self._warned_at <= second < self._warned_at + WARN_SECONDS:
            self._warned_at = second
            logger.warning("rate limit store does not answer, each process counts alone", extra={"reason": reason})


def _open_store(url: str) -> Store:
    # Only the driver in use is imported: each is some 20 MB.
    if url:
        from .redis_store import RedisStore  # noqa: PLC0415

        return RedisStore(url)
    if connection.vendor == "postgresql":
        from .postgresql_store import PostgresqlStore  # noqa: PLC0415

        return PostgresqlStore(connection.get_connection_params())
    from .sqlite_store import SqliteStore  # noqa: PLC0415

    return SqliteStore(connection.settings_dict["NAME"])
