"""The counter of attempts within one process."""

from array import array
from collections.abc import Hashable

from .windows import end_of_window

SLOTS = 2**16


class LocalCounter:
    """Counts attempts per key and window in a fixed 512 KiB of memory.

    Every key has one of a fixed number of slots. Keys with the same slot are counted together, so a count is never too
    low. A million addresses cannot fill the memory. They also cannot remove another key's count, which is possible in a
    table with eviction. Two keys share a slot with a probability of 1 in 65,536. An attacker cannot choose a key with
    the same slot as another key. Each process seeds Python's hashes at random.
    """

    def __init__(self) -> None:
        self._ends = array("I", bytes(4 * SLOTS))
        self._counts = array("I", bytes(4 * SLOTS))

    def add(self, key: Hashable, *, seconds: int, second: int, attempts: int = 1) -> tuple[int, int]:
        """Count the attempts. Return the window's count, with these included, and the second of the window's end.

        `seconds` is the length of the window. `second` is the current time. Times are seconds since the epoch.
        """
        # The method uses no lock, because a fork could leave the lock locked for ever. Without a lock, a switch of
        # threads within these few bytecodes loses one attempt at most.
        slot = hash(key) % SLOTS
        ends_at = end_of_window(second, seconds=seconds, offset=slot)
        current = self._ends[slot]
        # A late request from the previous window counts in the current window; otherwise it would reset the slot. A
        # time further back means that the clock was set back, so a new window starts.
        if not current - seconds <= ends_at <= current:
            self._ends[slot] = current = ends_at
            self._counts[slot] = 0
        self._counts[slot] = count = self._counts[slot] + attempts
        return count, current
