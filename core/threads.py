"""Limits on the number of threads of a web process that wait for the same resource.

A client that sends its body slowly keeps a thread waiting. So does a database that hangs. Therefore request bodies and
the database each have a share of the threads and a deadline. The two shares and the threads that ask-AI may occupy leave
two threads free. The free threads answer requests that wait for nothing, such as health. Only `manage.py serve` limits
the shares, because the number of threads of other servers is not known.
"""

import math
from collections import deque
from collections.abc import Iterator, Mapping, MutableSequence
from contextlib import contextmanager
from mmap import mmap
from threading import Event, Lock, get_ident
from time import monotonic

from django.db import connection

from .errors import DbUnreachable, Overloaded, ServiceError

THREADS = 24
"""The number of requests that a web process handles in parallel. Each thread keeps a connection to the database."""

BODY_THREADS = 4
BODY_SECONDS = 15.0
"""The longest time in seconds that a client may take to send a body."""

HASH_THREADS = 2 * THREADS // 3
"""The number of threads that may compute a hash, wait for a slot, or delay a refusal."""

DATABASE_THREADS = 12
DATABASE_SECONDS = 5.0
"""The longest time in seconds that a web process waits for the answer to one statement.

The slowest report takes 0.3 s.
"""

STUCK_SECONDS = 1.0
"""A share is stuck when all its places are taken and none is taken or released for this many seconds."""

FAILED_SECONDS = DATABASE_SECONDS + STUCK_SECONDS
"""The time in seconds for which a failure counts, unless the resource answers earlier.

By then the threads that hold places have failed again.
"""

QUEUE_SECONDS = 3.0
"""The longest time in seconds that a thread waits for a place in a share that is not stuck."""


class Share:
    """A limit on the number of threads that wait for one resource. There is no limit until `limit()` is called.

    A thread takes a place in the share before it waits for the resource. If all places are taken, the thread queues for
    a place. After QUEUE_SECONDS in the queue the thread gets Overloaded.

    If the share is stuck, a queued thread gets the share's `refusal` at once and can then serve other requests. The
    share is stuck if no thread took or released a place for STUCK_SECONDS. After `fail()` it is stuck for at most
    FAILED_SECONDS, or until a thread whose wait succeeded releases its place.
    """

    def __init__(self, *, refusal: type[ServiceError]) -> None:
        self._refusal = refusal
        self.seconds: float | None = None
        """The longest time that a thread may hold its place; None means no limit.

        The share does not enforce this time. The code that waits for the resource enforces it.
        """
        self._places: int | None = None
        # Maps each thread to the time at which it took its place. A single operation on a dict needs no lock.
        self._held_since: dict[int, float] = {}
        # The threads in `_held_since` whose wait failed.
        self._failed: set[int] = set()
        self._failed_at = -math.inf
        self._changed_at: MutableSequence[float] | memoryview[float] = [0.0]
        self._lock = Lock()
        self._queue: deque[tuple[int, Event]] = deque()

    def limit(self, *, places: int, seconds: float) -> None:
        """Limit the share to this many places, each held for at most `seconds`. Call this while no thread waits."""
        self._places, self.seconds = places, seconds

    def follow(self, changed_at: "memoryview[float]") -> None:
        """Count released places of other processes as changes of this share, through shared memory.

        All processes that follow the same memory write the time of each release to it.
        """
        self._changed_at = changed_at

    def is_full(self) -> bool:
        """Return whether all places are taken."""
        return self._places is not None and len(self._held_since) >= self._places

    def held_since(self) -> Mapping[int, float]:
        """Return the time at which each thread took its place, by thread identifier.

        The times are seconds of the monotonic clock.
        """
        return self._held_since.copy()

    def enter(self) -> bool:
        """Take a place for the calling thread and return True. The thread must then call `leave()`.

        Returns False when the thread has a place already or the share has no limit. Raises the share's refusal when the
        share is stuck. Raises Overloaded when the thread gets no place within QUEUE_SECONDS.
        """
        if self._places is None:
            return False
        thread = get_ident()
        if thread in self._held_since:
            return False
        self._held_since[thread] = monotonic()
        if len(self._held_since) > self._places or self._queue:
            del self._held_since[thread]
            self._await_place(thread)
        return True

    def fail(self) -> None:
        """Record that the resource did not answer the calling thread.

        When this thread releases its place, the share does not count the release as progress.
        """
        thread = get_ident()
        if thread in self._held_since:
            self._failed.add(thread)
            self._failed_at = monotonic()

    def leave(self) -> None:
        """Release the place of the calling thread."""
        thread = get_ident()
        del self._held_since[thread]
        if thread in self._failed:
            self._failed.remove(thread)
        else:
            self._changed_at[0] = monotonic()
        if self._queue:
            with self._lock:
                self._grant_places()

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold a place for the duration of the block. Raises the same errors as `enter()`."""
        entered = self.enter()
        try:
            yield
        finally:
            if entered:
                self.leave()

    @contextmanager
    def extra_place(self) -> Iterator[None]:
        """Hold a place for the duration of the block, even when all places are taken.

        This is for a thread that answers no request itself.
        """
        thread = get_ident()
        self._held_since[thread] = monotonic()
        try:
            yield
        except BaseException:
            # The failed wait does not show progress. It also does not show that the other threads wait in vain.
            self._failed.add(thread)
            raise
        finally:
            self.leave()

    def _await_place(self, thread: int) -> None:
        granted = Event()
        deadline = monotonic() + QUEUE_SECONDS
        with self._lock:
            self._queue.append((thread, granted))
            # A place may have been released before this thread joined the queue; `leave()` then did not see the thread.
            self._grant_places()
        while not granted.wait(min(deadline, self._stuck_at()) - monotonic()):
            is_stuck = monotonic() >= self._stuck_at()
            if not is_stuck and monotonic() < deadline:
                continue
            with self._lock:
                if granted.is_set():
                    return
                self._queue.remove((thread, granted))
            raise self._refusal if is_stuck else Overloaded

    def _grant_places(self) -> None:
        """Give the free places to the queued threads, the longest waiting first. The caller holds the lock."""
        while self._queue and not self.is_full():
            thread, granted = self._queue.popleft()
            self._held_since[thread] = monotonic()
            granted.set()

    def _stuck_at(self) -> float:
        """Return the time from which the share counts as stuck, unless a thread takes or releases a place before.

        After a failure the share is stuck from the time of the failure.
        """
        if self._changed_at[0] < self._failed_at and monotonic() < self._failed_at + FAILED_SECONDS:
            return self._failed_at
        return max(self._changed_at[0], *self._held_since.copy().values()) + STUCK_SECONDS


bodies = Share(refusal=Overloaded)
"""The share of the threads that wait for a request's body."""

database = Share(refusal=DbUnreachable)
"""The share of the threads that wait for the database or for their turn to write to it."""


# The memory is created before the web processes are forked, so that all of them share it.
_last_change_of_all = memoryview(mmap(-1, 8)).cast("d")


def set_limits() -> None:
    """Set the limits of both shares in this web process."""
    bodies.limit(places=BODY_THREADS, seconds=BODY_SECONDS)
    database.limit(places=DATABASE_THREADS, seconds=DATABASE_SECONDS)
    if connection.vendor == "sqlite":
        # On SQLite the web processes can block each other's writes for seconds, although the database does not hang.
        database.follow(_last_change_of_all)
