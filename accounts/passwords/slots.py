"""A bound on what a process does at once."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock

from ..core.errors import Overloaded


class Slots:
    """A bound on how many work at once: some wait, first come first served, and the next is turned away."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget everybody who works or waits: in a forked child none of them exists."""
        self._lock = Lock()
        self._working = 0
        self._waiting: deque[Event] = deque()

    @contextmanager
    def taken(self, *, at_once: int, places: int) -> Iterator[None]:
        """Hold a slot for the length of the block. Raises Overloaded, at once, when all slots and waiting places are taken."""
        self._enter(at_once, places)
        try:
            yield
        finally:
            self._leave()

    def check_room(self, *, places: int) -> None:
        """Raise Overloaded when all slots and waiting places are taken at the moment."""
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
                # Handed over, not freed: a newcomer would snatch it from those who wait.
                self._waiting.popleft().set()
            else:
                self._working -= 1
