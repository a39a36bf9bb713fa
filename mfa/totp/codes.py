"""Time-based one-time codes (RFC 6238) with SHA-1, six digits and steps of thirty seconds."""

from collections.abc import Iterator
from datetime import datetime
from hmac import compare_digest

import pyotp

DIGITS = 6
STEP_SECONDS = 30
WINDOW = 1
"""Codes of this many steps before and after the present step are also valid, because clocks differ."""


def matching_steps(secret: str, code: str, *, now: datetime) -> Iterator[int]:
    """Yield the time steps within the window whose code equals `code`, oldest first.

    Each comparison takes constant time.
    """
    present = int(now.timestamp()) // STEP_SECONDS
    codes = pyotp.HOTP(secret)
    for step in range(present - WINDOW, present + WINDOW + 1):
        if compare_digest(codes.at(step).encode(), code.encode()):
            yield step
