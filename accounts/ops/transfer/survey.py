"""The first reading of an input: how many users it has, and how long the wrapping of weak hashes takes."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .hashes import is_weak, seconds_to_wrap
from .records import Record

_LONG_SECONDS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """`weak` counts the users whose hash must be wrapped, which takes `seconds` on all `processors`.

    `left_out` counts the users of whom the reader left something out, by its name.
    """

    records: int
    weak: int
    seconds: float
    processors: int
    left_out: Mapping[str, int]

    def describe_wrapping(self) -> str:
        """Return the time of the wrapping for people."""
        if self.seconds < 1:
            return "one second"
        if self.seconds < _LONG_SECONDS:
            return f"{self.seconds:.0f} seconds"
        return f"{self.seconds / 60:.0f} minutes"


def survey(records: Iterator[Record]) -> Survey:
    """Read all records once. Raises BrokenInput, as their reader does."""
    count = weak = 0
    left_out: Counter[str] = Counter()
    for record in records:
        count += 1
        left_out.update(set(record.left_out))
        weak += is_weak(record.value.get("password_hash") if record.value else None)
    processors = os.cpu_count() or 1
    seconds = weak * seconds_to_wrap() / processors if weak else 0.0
    return Survey(records=count, weak=weak, seconds=seconds, processors=processors, left_out=left_out)
