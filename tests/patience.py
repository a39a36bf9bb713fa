"""Limits in seconds for tests that wait for a process, a server or a lock.

A limit is for a quiet machine of the usual speed. A slow or busy machine gets a longer limit. A run of tests lists the
tests that needed more than half of one of their limits.
"""

import os
import time
from functools import cache

USUAL_SECONDS = 0.03
"""The processor time that `_work` takes on a machine of the usual speed."""

FACTOR_MAX = 4.0
"""The largest factor of a limit. With a larger factor, a test could not tell a service that hangs from a slow one."""

_shares: list[float] = []


def patient(seconds: float) -> float:
    """Return the limit on this machine under its present load."""
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    return seconds * min(_slowness() * max(1.0, load), FACTOR_MAX)


def is_soon(seconds: float, *, limit: float) -> bool:
    """Return whether the time is below the limit on this machine. Record the share of the limit."""
    share = seconds / patient(limit)
    _shares.append(share)
    return share < 1


def take_largest_share() -> float:
    """Return the largest recorded share since the last call, or 0."""
    largest = max(_shares, default=0.0)
    _shares.clear()
    return largest


@cache
def _slowness() -> float:
    """Return how many times longer than usual a fixed piece of work takes here, and at least 1."""
    started = time.thread_time()
    _work()
    return max(1.0, (time.thread_time() - started) / USUAL_SECONDS)


def _work() -> int:
    return sum(number * number % 7 for number in range(400_000))
