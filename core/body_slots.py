"""The limit on the number of threads that wait for a client's body. No network gets all of the slots."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock, get_ident
from time import monotonic

from .errors import Overloaded

CROWDED_SECONDS = 2.0
"""The longest time in seconds that a body may take while its network has no slot left, or while all slots are taken.

The limit is short, so that slow clients cannot block other clients for long.
"""

PATIENT_THREADS = 4
PATIENT_SECONDS = 3.0
HURRIED_SECONDS = 0.25
"""The longest times in seconds that a thread waits for a slot.

The first PATIENT_THREADS waiting threads of a network wait for PATIENT_SECONDS, which is longer than CROWDED_SECONDS. All
others wait for HURRIED_SECONDS. Otherwise one network could occupy all threads of the process with waits for slots.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """The client of a body. `network` is the key by which limits count, and `peer` is the address of the socket.

    Behind a trusted proxy, `peer` is the address of the proxy. `port` is the port of the server.
    """

    network: str
    peer: str
    port: str


class _Waiter:
    """A thread that waits for a slot. `called` is locked until a slot that the thread may take is free.

    A bare lock wakes the thread faster than an Event, whose wait runs in Python.
    """

    __slots__ = ("called", "sender")

    def __init__(self, sender: Sender) -> None:
        self.sender = sender
        self.called = Lock()
        self.called.acquire()


class BodySlots:
    """A limit on the threads that wait for bodies. There is no limit until `limit()` is called.

    A release calls a thread of the waiting network with the fewest slots, and among equals the one that waited longest.
    Until that thread runs, another thread can take the slot. A slot that was reserved for it would stay idle for
    milliseconds, while most bodies take microseconds.
    """

    def __init__(self) -> None:
        self._slots: int | None = None
        self._share = 0
        self._seconds = 0.0
        self._lock = Lock()
        self._taken: dict[int, tuple[Sender, float]] = {}
        self._waiting: list[_Waiter] = []

    def limit(self, *, slots: int, share: int, seconds: float) -> None:
        """Limit the slots to this number, those of one network to `share`, and each body to `seconds`.

        Call this while no thread reads a body.
        """
        self._slots, self._share, self._seconds = slots, share, seconds

    @contextmanager
    def taken(self, sender: Sender) -> Iterator[None]:
        """Take a slot for the duration of the block. Raises Overloaded when the thread gets no slot in time."""
        if self._slots is None:
            yield
            return
        self._take(sender)
        try:
            yield
        finally:
            self._release()

    def find_overdue(self) -> Sequence[tuple[Sender, float]]:
        """Return the sender of each overdue body, and the number of seconds that the body may take.

        While all slots are taken, the networks with the most slots lose their slots first.
        """
        now = monotonic()
        with self._lock:
            taken = list(self._taken.values())
        counts = Counter(sender.network for sender, _ in taken)
        crowded = self._share if len(taken) != self._slots else max(counts.values())
        allowed = [
            (sender, since, CROWDED_SECONDS if counts[sender.network] >= crowded else self._seconds)
            for sender, since in taken
        ]
        return [(sender, seconds) for sender, since, seconds in allowed if now - since > seconds]

    def _take(self, sender: Sender) -> None:
        with self._lock:
            if self._take_free(sender):
                return
            of_network = sum(waiter.sender.network == sender.network for waiter in self._waiting)
            waiter = _Waiter(sender)
            self._waiting.append(waiter)
        deadline = monotonic() + (PATIENT_SECONDS if of_network < PATIENT_THREADS else HURRIED_SECONDS)
        is_called = True
        while is_called:
            is_called = waiter.called.acquire(timeout=max(0.0, deadline - monotonic()))
            with self._lock:
                if self._take_free(sender):
                    self._waiting.remove(waiter)
                    # Another slot can be free too, and its call may have gone to this thread.
                    self._call_next()
                    return
                if not is_called:
                    self._waiting.remove(waiter)
        raise Overloaded

    def _release(self) -> None:
        with self._lock:
            del self._taken[get_ident()]
            if self._waiting:
                self._call_next()

    def _take_free(self, sender: Sender) -> bool:
        """Take a slot for the calling thread if its network may have one more. Needs the lock."""
        if not self._has_room(sender.network):
            return False
        self._taken[get_ident()] = sender, monotonic()
        return True

    def _call_next(self) -> None:
        """Call the thread that comes next for a free slot. Needs the lock."""
        admissible = [waiter for waiter in self._waiting if self._has_room(waiter.sender.network)]
        if admissible:
            chosen = min(admissible, key=lambda waiter: self._count(waiter.sender.network))
            if chosen.called.locked():
                chosen.called.release()

    def _has_room(self, network: str) -> bool:
        return len(self._taken) < (self._slots or 0) and self._count(network) < self._share

    def _count(self, network: str) -> int:
        return sum(sender.network == network for sender, _ in self._taken.values())
