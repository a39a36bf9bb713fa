"""When windows end, and what an attempt is counted under."""

from typing import NamedTuple

from django.utils.crypto import salted_hmac

from .conf import Rate


class Window(NamedTuple):
    """One key's stretch of time that has a count of its own. `ends_at`: in seconds since the epoch."""

    ends_at: int
    key: bytes


def window_of(name: str, key: str, *, rate: Rate, second: int) -> Window:
    """Return the window that the second lies in. Its key is 16 bytes and tells neither the name nor the key."""
    # An address could be guessed from its bare hash.
    digest = salted_hmac("authsvc.ratelimit", f"{name}:{key}", algorithm="sha256").digest()[:16]
    return Window(end_of_window(second, seconds=rate.seconds, offset=int.from_bytes(digest)), digest)


def end_of_window(second: int, *, seconds: int, offset: int) -> int:
    """Return when the window ends. Offsets differ, so that not all who were refused come back at the same moment."""
    return second + seconds - (second - offset) % seconds
