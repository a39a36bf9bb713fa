"""Counting within one process."""

from array import array
from collections.abc import Hashable

from .windows import end_of_window

SLOTS = 2**16


class LocalCounter:
    """Counts attempts per key and window, for good in the same 512 KiB.

    Every key has one of a fixed number of slots, and keys that meet in one are counted together. So a million
    addresses neither fill the memory nor push anyone's count out of it, which any table with eviction would let them
    do; a count is never too low. That a stranger shares one's slot is a chance of 1 in 65,536 that nobody can work
    towards, since Python's hashes are seeded by process.
    """

    def __init__(self) -> None:
        self._ends = array("I", bytes(4 * SLOTS))
        self._counts = array("I", bytes(4 * SLOTS))

    def add(self, key: Hashable, *, seconds: int, second: int) -> tuple[int, int]:
        """Count one attempt; return how many the window has now, and when it ends."""
        # No lock: a fork could leave it locked for ever, and what a switch of threads within these few bytecodes
        # loses is one attempt.
        slot = hash(key) % SLOTS
        ends_at = end_of_window(second, seconds=seconds, offset=slot)
        current = self._ends[slot]
        # A request that came in before its window ended counts in the current one: it must not bring the old one back.
        # Further back than that is no request but the clock that was set.
        if not current - seconds <= ends_at <= current:
            self._ends[slot] = current = ends_at
            self._counts[slot] = 0
        self._counts[slot] = count = self._counts[slot] + 1
        return count, current
