"""Limits on the number of threads that do the same kind of work at the same time.

A thread takes a slot, does the work and releases the slot. Each kind of work has its own slots:

- `BodySlots` for the waits for a client's body, and `ResourceSlots` for the waits for the database. A client that sends
  its body slowly keeps a thread waiting, and so does a database that hangs. These slots and the slots of ask-AI leave
  two threads free. The free threads answer requests that wait for nothing, such as health. Only `manage.py serve` limits
  these slots, because the number of threads of other servers is not known.
- `Slots` for password hashes, refused logins, calls to OAuth providers or an old system, and questions of ask-AI.
- `SharedSlots` for the password hashes of all web processes.

A thread that gets no slot in time gets Overloaded.
"""

import fcntl
import math
import os
import select
from collections import deque
from collections.abc import Iterator, MutableSequence
from contextlib import contextmanager, suppress
from mmap import mmap
from tempfile import TemporaryFile
from threading import Event, Lock, get_ident
from time import monotonic

from django.db import connection

from .body_slots import BodySlots
from .errors import DbUnreachable, Overloaded, ServiceError

THREADS = 24
"""The number of requests that a web process handles in parallel. Each thread keeps a connection to the database."""

BODY_THREADS = 4
NETWORK_BODY_THREADS = BODY_THREADS - 1
"""The number of threads that may wait for bodies of one network. One slow network then leaves a slot for all others.

Each body of another network takes that slot for less than a millisecond. With two slots, a process whose requests all
come from one address took a tenth more time for a refresh.
"""

BODY_SECONDS = 15.0
"""The longest time in seconds that a client may take to send a body."""

HASH_THREADS = 2 * THREADS // 3
"""The number of threads that may compute a hash, wait for a slot, or delay a refusal."""

REFUSAL_THREADS = THREADS // 3
"""The number of refused logins that may wait. At the limit, new logins get Overloaded before any work."""

PROVIDER_THREADS = THREADS // 3
"""The number of logins that may wait for OAuth providers.

Otherwise a slow provider could occupy all threads, and logins by password would wait.
"""

FALLBACK_THREADS = THREADS // 6
"""The number of logins that may wait for the old system of LOGIN_FALLBACK_URL. As many more may wait for their turn."""

QUESTION_THREADS = 6
"""The number of questions of ask-AI that a process works on at once.

A slow model or database holds a thread for seconds, and other requests need threads too.
"""

DATABASE_THREADS = 12
DATABASE_SECONDS = 5.0
"""The longest time in seconds that a web process waits for the answer to one statement.

The slowest report takes 0.3 s.
"""

STUCK_SECONDS = 1.0
"""A resource is stuck when all its slots are taken and none is taken or released for this many seconds."""

FAILED_SECONDS = DATABASE_SECONDS + STUCK_SECONDS
"""The time in seconds for which a failure counts, unless the resource answers earlier.

By then the threads that have slots have failed again.
"""

QUEUE_SECONDS = 3.0
"""The longest time in seconds that a thread waits for a slot of a resource that is not stuck."""

RECHECK_SECONDS = 0.1
"""The longest time for which a thread does not notice that the kernel released the slot of a killed process."""


class ResourceSlots:
    """A limit on the number of threads that wait for one resource. There is no limit until `limit()` is called.

    A thread takes a slot before it waits for the resource. If all slots are taken, the thread queues for a slot. After
    QUEUE_SECONDS in the queue the thread gets Overloaded.

    If the resource is stuck, a queued thread gets the `refusal` at once and can then serve other requests. The resource
    is stuck if no thread took or released a slot for STUCK_SECONDS. After `fail()` it is stuck for at most
    FAILED_SECONDS, or until a thread whose wait succeeded releases its slot.
    """

    def __init__(self, *, refusal: type[ServiceError]) -> None:
        self._refusal = refusal
        self.seconds: float | None = None
        """The longest time that a thread may keep its slot; None means no limit.

        The slots do not enforce this time. The code that waits for the resource enforces it.
        """
        self._slots: int | None = None
        # Maps each thread to the time at which it took its slot. A single operation on a dict needs no lock.
        self._taken_since: dict[int, float] = {}
        # The threads in `_taken_since` whose wait failed.
        self._failed: set[int] = set()
        self._failed_at = -math.inf
        self._changed_at: MutableSequence[float] | memoryview[float] = [0.0]
        self._lock = Lock()
        self._queue: deque[tuple[int, Event]] = deque()

    def limit(self, *, slots: int, seconds: float, refusal: type[ServiceError] | None = None) -> None:
        """Limit the resource to this many slots, each taken for at most `seconds`. Call this while no thread waits.

        `refusal` replaces the refusal of the slots.
        """
        self._slots, self.seconds = slots, seconds
        self._refusal = refusal or self._refusal

    def follow(self, changed_at: "memoryview[float]") -> None:
        """Count the slots that other processes release as changes of these slots, through shared memory.

        All processes that follow the same memory write the time of each release to it.
        """
        self._changed_at = changed_at

    def take(self) -> bool:
        """Take a slot for the calling thread and return True. The thread must then call `release()`.

        Returns False when the thread has a slot already or there is no limit. Raises the refusal when the resource is
        stuck. Raises Overloaded when the thread gets no slot within QUEUE_SECONDS.
        """
        if self._slots is None:
            return False
        thread = get_ident()
        if thread in self._taken_since:
            return False
        self._taken_since[thread] = monotonic()
        if len(self._taken_since) > self._slots or self._queue:
            del self._taken_since[thread]
            self._await_slot(thread)
        return True

    def fail(self) -> None:
        """Record that the resource did not answer the calling thread.

        When this thread releases its slot, the release does not count as progress.
        """
        thread = get_ident()
        if thread in self._taken_since:
            self._failed.add(thread)
            self._failed_at = monotonic()

    def release(self) -> None:
        """Release the slot of the calling thread."""
        thread = get_ident()
        del self._taken_since[thread]
        if thread in self._failed:
            self._failed.remove(thread)
        else:
            self._changed_at[0] = monotonic()
        if self._queue:
            with self._lock:
                self._grant_slots()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Take a slot for the duration of the block. Raises the same errors as `take()`."""
        is_taken = self.take()
        try:
            yield
        finally:
            if is_taken:
                self.release()

    @contextmanager
    def taken_beyond(self) -> Iterator[None]:
        """Take a slot for the duration of the block, even when all slots are taken.

        This is for a thread that answers no request itself.
        """
        thread = get_ident()
        self._taken_since[thread] = monotonic()
        try:
            yield
        except BaseException:
            # The failed wait does not show progress. It also does not show that the other threads wait in vain.
            self._failed.add(thread)
            raise
        finally:
            self.release()

    def _await_slot(self, thread: int) -> None:
        granted = Event()
        deadline = monotonic() + QUEUE_SECONDS
        with self._lock:
            self._queue.append((thread, granted))
            # A slot may have been released before this thread joined the queue; `release()` then did not see the thread.
            self._grant_slots()
        while not granted.wait(min(deadline, self._stuck_at()) - monotonic()):
            is_stuck = monotonic() >= self._stuck_at()
            if not is_stuck and monotonic() < deadline:
                continue
            with self._lock:
                if granted.is_set():
                    return
                self._queue.remove((thread, granted))
            raise self._refusal if is_stuck else Overloaded

    def _grant_slots(self) -> None:
        """Give the free slots to the queued threads, the longest waiting first. Needs the lock."""
        while self._queue and self._slots is not None and len(self._taken_since) < self._slots:
            thread, granted = self._queue.popleft()
            self._taken_since[thread] = monotonic()
            granted.set()

    def _stuck_at(self) -> float:
        """Return the time from which the resource counts as stuck, unless a thread takes or releases a slot before.

        After a failure the resource is stuck from the time of the failure.
        """
        if self._changed_at[0] < self._failed_at and monotonic() < self._failed_at + FAILED_SECONDS:
            return self._failed_at
        return max(self._changed_at[0], *self._taken_since.copy().values()) + STUCK_SECONDS


class Slots:
    """A limit on the number of threads of this process that work at the same time.

    Further threads wait in the order of their arrival.
    """

    def __init__(self) -> None:
        self.clear()
        os.register_at_fork(after_in_child=self.clear)

    def clear(self) -> None:
        """Reset the slots and the queue. A forked child calls it, because the other threads do not exist there."""
        self._lock = Lock()
        self._inside = 0
        self._working = 0
        self._waiting: deque[Event] = deque()

    @contextmanager
    def taken(self, *, at_once: int, threads: int, seconds: float) -> Iterator[None]:
        """Take a slot for the duration of the block, and wait for it up to `seconds` if necessary.

        `at_once` is the number of slots. `threads` is the number of threads that may work, wait or be counted. Raises
        Overloaded at once when that many threads work, wait or are counted. Raises it also when the wait was too long.
        """
        self._enter(at_once, threads, seconds)
        try:
            yield
        finally:
            self._leave()

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count the thread during the block as one of `threads`. It takes no slot."""
        with self._lock:
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1

    def check_room(self, *, threads: int) -> None:
        """Raise Overloaded when that many threads work, wait or are counted."""
        if self._inside >= threads:
            raise Overloaded

    def _enter(self, at_once: int, threads: int, seconds: float) -> None:
        with self._lock:
            self.check_room(threads=threads)
            self._inside += 1
            if self._working < at_once:
                self._working += 1
                return
            turn = Event()
            self._waiting.append(turn)
        if turn.wait(seconds):
            return
        with self._lock:
            # The thread may have got a slot since the wait ended.
            if turn.is_set():
                return
            self._waiting.remove(turn)
            self._inside -= 1
        raise Overloaded

    def _leave(self) -> None:
        with self._lock:
            self._inside -= 1
            if self._waiting:
                # The slot goes directly to the first waiting thread. A free slot could go to a new thread instead.
                self._waiting.popleft().set()
            else:
                self._working -= 1


class SharedSlots:
    """A limit on the concurrent work of a process and of all processes that are forked from it later.

    Each slot is a byte of a file that has no name. A process locks the byte while it has the slot. The kernel
    releases the locks of a process that ends, even when the process is killed.
    """

    def __init__(self) -> None:
        # The file in memory needs no writable directory. Systems other than Linux have no such files.
        if hasattr(os, "memfd_create"):
            self._file = os.memfd_create("slots")
        else:
            with TemporaryFile() as file:
                self._file = os.dup(file.fileno())
        self._released, self._announcements = os.pipe()
        os.set_blocking(self._released, False)
        os.set_blocking(self._announcements, False)
        self.clear()
        os.register_at_fork(after_in_child=self.clear)

    def clear(self) -> None:
        """Forget the slots of the parent process. A forked child calls it, because it inherits no locks."""
        self._lock = Lock()
        self._taken: set[int] = set()

    @contextmanager
    def taken(self, *, at_once: int, seconds: float) -> Iterator[None]:
        """Take one of `at_once` slots for the duration of the block, and wait for it up to `seconds` if necessary.

        Threads of all processes compete for a released slot. Raises Overloaded when the wait was too long.
        """
        slot = self._acquire(at_once, deadline=monotonic() + seconds)
        try:
            yield
        finally:
            self._release(slot)

    def _acquire(self, at_once: int, *, deadline: float) -> int:
        slot = self._find_free(at_once)
        has_waited = slot is None
        while slot is None:
            left = deadline - monotonic()
            if left <= 0:
                raise Overloaded
            self._await_release(min(left, RECHECK_SECONDS))
            slot = self._find_free(at_once)
        if has_waited:
            # This thread may have read the announcements of several slots.
            self._announce()
        return slot

    def _release(self, slot: int) -> None:
        with self._lock:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, slot)
            self._taken.remove(slot)
        self._announce()

    def _find_free(self, at_once: int) -> int | None:
        with self._lock:
            for slot in range(at_once):
                # The kernel's lock belongs to the process, so it does not exclude other threads of the process.
                if slot in self._taken:
                    continue
                with suppress(BlockingIOError, PermissionError):
                    fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, slot)
                    self._taken.add(slot)
                    return slot
        return None

    def _await_release(self, seconds: float) -> None:
        poll = select.poll()
        poll.register(self._released, select.POLLIN)
        if poll.poll(seconds * 1000):
            with suppress(BlockingIOError):
                os.read(self._released, select.PIPE_BUF)

    def _announce(self) -> None:
        # In a full pipe, enough announcements wait already.
        with suppress(BlockingIOError):
            os.write(self._announcements, b"\0")


body_slots = BodySlots()
"""The slots of the threads that wait for a request's body."""

database_slots = ResourceSlots(refusal=DbUnreachable)
"""The slots of the threads that wait for the database or for their turn to write to it."""


# The memory is created before the web processes are forked, so that all of them share it.
_last_change_of_all = memoryview(mmap(-1, 8)).cast("d")


def set_limits() -> None:
    """Set the limits of bodies and of the database in this web process."""
    body_slots.limit(slots=BODY_THREADS, share=NETWORK_BODY_THREADS, seconds=BODY_SECONDS)
    # Web processes can block each other for seconds, although the database does not hang: on SQLite with each write, on
    # PostgreSQL with the lock of a row.
    database_slots.follow(_last_change_of_all)
    # On SQLite, threads wait only for their turn to write. That is a wait for a lock, and no outage.
    refusal = Overloaded if connection.vendor == "sqlite" else None
    database_slots.limit(slots=DATABASE_THREADS, seconds=DATABASE_SECONDS, refusal=refusal)
