"""How a web process divides its threads between the things that they wait for.

A client that sends its body slowly and a database that hangs both keep a thread waiting. Each of the two has a share of
the threads and a deadline. Together with the threads that ask-AI may hold, they leave two threads free: these answer
requests that wait for nothing, such as health. Only `manage.py serve` turns the shares on: elsewhere the number of
threads is not known.
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
"""Requests that a web process works on at once; each thread keeps a connection to the database."""

BODY_THREADS = 4
BODY_SECONDS = 15.0
"""How long a client may take to send a body."""

DATABASE_THREADS = 12
DATABASE_SECONDS = 5.0
"""How long a web process waits for the answer to one statement. The slowest report takes 0.3 s."""

STUCK_SECONDS = 1.0
"""When no place changes hands for this long, although all are taken, the thing does not answer."""

FAILED_SECONDS = DATABASE_SECONDS + STUCK_SECONDS
"""How long a failure counts, unless the thing answers before. The threads that hold places fail again by then."""

QUEUE_SECONDS = 3.0
"""How long a thread waits for a place while places change hands."""


class Share:
    """The threads that may wait for one thing at the same time; any number until `limit()` is called.

    A thread that finds no free place waits for one for at most QUEUE_SECONDS, then gets Overloaded. It gets the share's
    own refusal as soon as no place has changed hands for STUCK_SECONDS: then more waiting threads would only be missing
    elsewhere. After `fail()` it gets the refusal at once, until a place is given back that did not fail.
    """

    def __init__(self, *, refusal: type[ServiceError]) -> None:
        self._refusal = refusal
        self.seconds: float | None = None
        """How long a thread may hold its place, None for ever. The code that waits for the thing enforces it."""
        self._places: int | None = None
        # When each thread began to wait. A single operation on a dict needs no lock.
        self._began: dict[int, float] = {}
        # The threads among them whose wait was in vain.
        self._failed: set[int] = set()
        self._failed_at = -math.inf
        self._changed_at: MutableSequence[float] | memoryview[float] = [0.0]
        self._lock = Lock()
        self._queue: deque[tuple[int, Event]] = deque()

    def limit(self, *, places: int, seconds: float) -> None:
        """Let at most this many threads wait, each for at most this long. Call it while no thread waits."""
        self._places, self.seconds = places, seconds

    def follow(self, changed_at: "memoryview[float]") -> None:
        """Let a place that changes hands in any process which follows the same memory count as a change here."""
        self._changed_at = changed_at

    def is_full(self) -> bool:
        """Tell whether no place is free."""
        return self._places is not None and len(self._began) >= self._places

    def began(self) -> Mapping[int, float]:
        """Return when each waiting thread began, by thread identifier, in seconds of the monotonic clock."""
        return self._began.copy()

    def enter(self) -> bool:
        """Take a place for the calling thread, which must `leave()` it. False: it has one already, or needs none.

        Raises the share's refusal or Overloaded when there is no place.
        """
        if self._places is None:
            return False
        thread = get_ident()
        if thread in self._began:
            return False
        self._began[thread] = monotonic()
        if len(self._began) > self._places or self._queue:
            del self._began[thread]
            self._await_place(thread)
        return True

    def fail(self) -> None:
        """Note that the thing did not answer the calling thread: the return of its place is no sign of life."""
        thread = get_ident()
        if thread in self._began:
            self._failed.add(thread)
            self._failed_at = monotonic()

    def leave(self) -> None:
        """Give back the place of the calling thread."""
        thread = get_ident()
        del self._began[thread]
        if thread in self._failed:
            self._failed.remove(thread)
        else:
            self._changed_at[0] = monotonic()
        if self._queue:
            with self._lock:
                self._give_places()

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold a place for the length of the block. Raises the share's refusal or Overloaded when there is no place."""
        entered = self.enter()
        try:
            yield
        finally:
            if entered:
                self.leave()

    @contextmanager
    def place_beyond(self) -> Iterator[None]:
        """Hold a place even when all are taken: for a thread that answers no request itself."""
        thread = get_ident()
        self._began[thread] = monotonic()
        try:
            yield
        except BaseException:
            # No sign of life, but no proof either that others wait in vain.
            self._failed.add(thread)
            raise
        finally:
            self.leave()

    def _await_place(self, thread: int) -> None:
        turn = Event()
        deadline = monotonic() + QUEUE_SECONDS
        with self._lock:
            self._queue.append((thread, turn))
            # A place that was given back before this thread stood in the queue is found here.
            self._give_places()
        while not turn.wait(min(deadline, self._stuck_at()) - monotonic()):
            is_stuck = monotonic() >= self._stuck_at()
            if not is_stuck and monotonic() < deadline:
                continue
            with self._lock:
                if turn.is_set():
                    return
                self._queue.remove((thread, turn))
            raise self._refusal if is_stuck else Overloaded

    def _give_places(self) -> None:
        """Give the free places to those who wait, first come first served. Needs the lock."""
        while self._queue and not self.is_full():
            thread, turn = self._queue.popleft()
            self._began[thread] = monotonic()
            turn.set()

    def _stuck_at(self) -> float:
        """Return when the thing counts as stuck, unless a place changes hands before. After a failure it does now."""
        if self._changed_at[0] < self._failed_at and monotonic() < self._failed_at + FAILED_SECONDS:
            return self._failed_at
        return max(self._changed_at[0], *self._began.copy().values()) + STUCK_SECONDS


bodies = Share(refusal=Overloaded)
"""The threads that wait for a request's body."""

database = Share(refusal=DbUnreachable)
"""The threads that wait for the database, or for their turn to write to it."""


# Made before the web processes are forked, so all of them have the same.
_last_change_of_all = memoryview(mmap(-1, 8)).cast("d")


def share_out() -> None:
    """Turn the shares of this web process on."""
    bodies.limit(places=BODY_THREADS, seconds=BODY_SECONDS)
    database.limit(places=DATABASE_THREADS, seconds=DATABASE_SECONDS)
    if connection.vendor == "sqlite":
        # The web processes keep each other from writing for seconds, which is no hang.
        database.follow(_last_change_of_all)
