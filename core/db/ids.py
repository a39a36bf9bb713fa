"""Row ids: UUIDs of version 7 (RFC 9562, section 5.7), so that ids sort by their time of creation."""

import os
import threading
import uuid
from datetime import UTC, datetime

from ..clock import now

TEXT_LENGTH = 36
"""The number of characters of an id in its canonical form."""

_COUNTER_BITS = 42
_COUNTER_MAX = (1 << _COUNTER_BITS) - 1


class _Sequence:
    """The milliseconds and the counter of this process's last id. The counter orders ids of the same millisecond."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.milliseconds = 0
        self.counter = 0

    def advance(self) -> tuple[int, int]:
        """Return a pair that is greater than every pair returned before."""
        milliseconds = int(now().timestamp() * 1000)
        with self.lock:
            if milliseconds > self.milliseconds:
                self.milliseconds = milliseconds
                # The counter's top bit starts at zero, so that the counter can rise in a burst (RFC 9562, section 6.2).
                self.counter = int.from_bytes(os.urandom(6)) & (_COUNTER_MAX >> 1)
            elif self.counter < _COUNTER_MAX:
                self.counter += 1
            else:
                self.milliseconds += 1
                self.counter = 0
            return self.milliseconds, self.counter


_sequence = _Sequence()


def new_id() -> uuid.UUID:
    """Return a UUID of version 7 that is greater than every earlier one of this process."""
    milliseconds, counter = _sequence.advance()
    value = (milliseconds & 0xFFFF_FFFF_FFFF) << 80
    value |= 0x7 << 76
    value |= (counter >> 30) << 64
    value |= 0b10 << 62
    value |= (counter & 0x3FFF_FFFF) << 32
    value |= int.from_bytes(os.urandom(4))
    return uuid.UUID(int=value)


def made_at(value: uuid.UUID) -> datetime:
    """Return the time of creation that a UUID of version 7 contains, in UTC, to the millisecond."""
    return datetime.fromtimestamp((value.int >> 80) / 1000, tz=UTC)


def first_id(moment: datetime) -> uuid.UUID:
    """Return the smallest UUID of version 7 for the moment. Every smaller id is older than the moment's millisecond.

    A moment before 1970 counts as the start of 1970. A UUID of version 7 cannot contain an earlier time.
    """
    return uuid.UUID(int=(max(0, int(moment.timestamp() * 1000)) << 80) | (0x7 << 76) | (0b10 << 62))


def parse_id(text: str) -> uuid.UUID | None:
    """Return the id of the text, or None when the text is not a UUID in its canonical lower-case form."""
    try:
        value = uuid.UUID(text)
    except ValueError:
        return None
    return value if str(value) == text else None
