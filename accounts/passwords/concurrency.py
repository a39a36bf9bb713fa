"""Limits on concurrent work, in one process and in all processes of a service."""

import fcntl
import os
import select
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryFile
from threading import Event, Lock
from time import monotonic

from core.errors import Overloaded

RECHECK_SECONDS = 0.1
"""The longest time for which a thread does not notice that the kernel released the slot of a killed process."""


class Slots:
    """A limit on the number of threads of this process that work at the same time.

    Further threads wait in the order of their arrival.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Reset the slots and the queue. A forked child calls it, because the other threads do not exist there."""
        self._lock = Lock()
        self._inside = 0
        self._working = 0
        self._waiting: deque[Event] = deque()

    @contextmanager
    def taken(self, *, at_once: int, threads: int, seconds: float) -> Iterator[None]:
        """Hold a slot during the block, and wait for it up to `seconds` if necessary.

        `at_once` is the number of slots. `threads` is the number of threads that may work, wait or be beside the slots.
        Raises Overloaded immediately when that many threads do so, and when the wait was too long.
        """
        self._enter(at_once, threads, seconds)
        try:
            yield
        finally:
            self._leave()

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Count the thread during the block as one of `threads`. It takes no slot."""
        with self._lock:
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1

    def check_room(self, *, threads: int) -> None:
        """Raise Overloaded when that many threads work, wait or are beside the slots."""
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

    Each slot is a byte of a file that has no name. A process locks the byte while it holds the slot. The kernel
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

    def clear(self) -> None:
        """Forget the slots of the parent process. A forked child calls it, because it inherits no locks."""
        self._lock = Lock()
        self._held: set[int] = set()

    @contextmanager
    def taken(self, *, at_once: int, seconds: float) -> Iterator[None]:
        """Hold one of `at_once` slots during the block, and wait for it up to `seconds` if necessary.

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
            self._held.remove(slot)
        self._announce()

    def _find_free(self, at_once: int) -> int | None:
        with self._lock:
            for slot in range(at_once):
                # The kernel's lock belongs to the process, so it does not exclude other threads of the process.
                if slot in self._held:
                    continue
                with suppress(BlockingIOError, PermissionError):
                    fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, slot)
                    self._held.add(slot)
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
