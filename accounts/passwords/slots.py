"""A limit on the concurrent work of a process."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock

from ..core.errors import Overloaded


class Slots:
    """A limit on the number of threads that work at the same time.

    Further threads wait in the order of their arrival. When all waiting places are taken, the next thread gets
    Overloaded.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Reset the slots and the queue. A forked child calls it, because the other threads do not exist there."""
        self._lock = Lock()
        self._working = 0
        self._waiting: deque[Event] = deque()

    @contextmanager
    def taken(self, *, at_once: int, places: int) -> Iterator[None]:
        """Hold a slot during the block, and wait for it if necessary.

        `at_once` is the number of slots, and `places` the number of threads that may wait. Raises Overloaded
        immediately when all slots and waiting places are taken.
        """
        self._enter(at_once, places)
        try:
            yield
        finally:
            self._leave()

    def check_room(self, *, places: int) -> None:
        """Raise Overloaded when all slots and waiting places are taken."""
        if len(self._waiting) >= places:
            raise Overloaded

    def _enter(self, at_once: int, places: int) -> None:
        with self._lock:
            if self._working < at_once:
                self._working += 1
                return
            self.check_room(places=places)
            turn = Event()
            self._waiting.append(turn)
        turn.wait()

    def _leave(self) -> None:
        with self._lock:
            if self._waiting:
                # The slot goes directly to the first waiting thread. A free slot could go to a new thread instead.
                self._waiting.popleft().set()
            else:
                self._working -= 1
