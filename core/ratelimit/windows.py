"""The windows of the rate limits: their ends and their keys."""

from typing import NamedTuple

from django.utils.crypto import salted_hmac

from .conf import Rate


class Window(NamedTuple):
    """A period in which the attempts of one key are counted. `ends_at` is in seconds since the epoch."""

    ends_at: int
    key: bytes


def window_of(name: str, key: str, *, rate: Rate, second: int) -> Window:
    """Return the window that contains the second. The window's key is a digest of 16 bytes.

    The digest reveals neither the name of the limit nor the key.
    """
    # The digest is keyed, because an attacker could find the address behind a plain hash by trying addresses.
    digest = salted_hmac("authsvc.ratelimit", f"{name}:{key}", algorithm="sha256").digest()[:16]
    return Window(end_of_window(second, seconds=rate.seconds, offset=int.from_bytes(digest)), digest)


def end_of_window(second: int, *, seconds: int, offset: int) -> int:
    """Return the end of the window that contains the second, in seconds since the epoch.

    Offsets differ between keys, so that the windows of refused clients do not all end at the same time.
    """
    return second + seconds - (second - offset) % seconds
