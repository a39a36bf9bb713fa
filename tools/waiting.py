"""A wait for a condition that another process fulfils."""

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")

_PAUSE_SECONDS = 0.02


def until(find: Callable[[], Found | None], *, seconds: float, missing: str) -> Found:
    """Return the first result of `find` that is not None. Raises TimeoutError with the text `missing` after the seconds."""
    deadline = time.monotonic() + seconds
    while (found := find()) is None:
        if time.monotonic() > deadline:
            raise TimeoutError(missing)
        time.sleep(_PAUSE_SECONDS)
    return found
