"""A circuit breaker: after several failures in a row, nothing calls the other server for a while."""

from threading import Lock
from time import monotonic

FAILURES = 5
"""The number of failures in a row that open the circuit."""

OPEN_SECONDS = 30.0
"""The time for which an open circuit permits no call. Then it permits one call, whose success closes the circuit."""


class Breaker:
    """The state of one process about another server."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Close the circuit. A forked child calls it, because the parent's lock may be taken."""
        self._lock = Lock()
        self._failures = 0
        self._opened_at: float | None = None

    def is_open(self) -> bool:
        """Return whether the circuit permits no call at this moment."""
        opened_at = self._opened_at
        return opened_at is not None and monotonic() < opened_at + OPEN_SECONDS

    def permits(self) -> bool:
        """Return whether the caller may call the server. It then reports the result by `succeed` or `fail`."""
        with self._lock:
            if self._opened_at is None:
                return True
            if monotonic() < self._opened_at + OPEN_SECONDS:
                return False
            # The other threads wait for the result of this call, or for the end of another period.
            self._opened_at = monotonic()
            return True

    def succeed(self) -> None:
        """Record that the server answered, which closes the circuit."""
        with self._lock:
            self._failures, self._opened_at = 0, None

    def fail(self) -> bool:
        """Record that the server did not answer. Return whether this opened the circuit, or kept it open."""
        with self._lock:
            self._failures += 1
            if self._failures < FAILURES:
                return False
            self._opened_at = monotonic()
            return True
