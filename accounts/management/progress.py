"""The progress of a long command on standard error: a bar on a terminal, else a line now and then."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from tqdm import tqdm

LINE_SECONDS = 10.0


class Progress(Protocol):
    """Shows how far a command came."""

    def advance(self, count: int) -> None:
        """Count further units as done."""


@contextmanager
def show_progress(*, total: int, unit: str, done: int = 0) -> Iterator[Progress]:
    """Show a bar, or lines, with the rate and the time left. `done` units were done before."""
    if sys.stderr.isatty():
        with tqdm(
            total=total, initial=done, unit=f" {unit}", file=sys.stderr, unit_scale=False, dynamic_ncols=True
        ) as bar:
            yield _Bar(bar)
    else:
        yield _Lines(total=total, unit=unit, done=done)


class _Bar:
    def __init__(self, bar: "tqdm[None]") -> None:
        self._bar = bar

    def advance(self, count: int) -> None:
        self._bar.update(count)


class _Lines:
    def __init__(self, *, total: int, unit: str, done: int) -> None:
        self._total = total
        self._unit = unit
        self._before = done
        self._done = done
        self._began = self._shown = time.monotonic()

    def advance(self, count: int) -> None:
        self._done += count
        now = time.monotonic()
        if now - self._shown < LINE_SECONDS:
            return
        self._shown = now
        rate = (self._done - self._before) / (now - self._began)
        left = tqdm.format_interval((self._total - self._done) / rate) if rate else "?"
        sys.stderr.write(f"{self._done:,} of {self._total:,} {self._unit}, {rate:,.0f} a second, {left} left\n")
        sys.stderr.flush()
