"""Shared parts of all drills: a database, the progress output, and the outcome."""

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

import psycopg

QUIET_SECONDS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of a drill. `lost` has a sentence for each loss and is empty when the drill succeeded."""

    drill: str
    done: str
    lost: Sequence[str]
    figures: str


class Progress:
    """Print the progress of a drill, one line every few seconds."""

    def __init__(self, drill: str) -> None:
        self._drill = drill
        self._started = time.monotonic()
        self._printed_at = -float("inf")

    def report(self, text: str) -> None:
        """Print the text, unless the last line is only a few seconds old."""
        if time.monotonic() - self._printed_at >= QUIET_SECONDS:
            self.report_now(text)

    def wait(self, seconds: float, status: Callable[[], str]) -> None:
        """Wait for the seconds. During this time, print the progress."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.report(status())
            time.sleep(min(left, 1))

    def report_now(self, text: str) -> None:
        """Print the text at once."""
        self._printed_at = time.monotonic()
        sys.stderr.write(f"{self._drill:<16}{self._printed_at - self._started:>6.0f} s  {text}\n")
        sys.stderr.flush()


@contextmanager
def fresh_database(kind: str, *, directory: Path) -> Iterator[str]:
    """Yield the URL of an empty database, `sqlite` or `postgresql`."""
    if kind == "sqlite":
        yield f"sqlite:///{directory}/auth.sqlite3"
        return
    server, name = os.environ["TEST_POSTGRES_URL"], f"drill_{token_hex(4)}"
    with psycopg.connect(server, autocommit=True) as session:
        session.execute(f'CREATE DATABASE "{name}"')
    try:
        yield f"{server.rpartition('/')[0]}/{name}"
    finally:
        with psycopg.connect(server, autocommit=True) as session:
            session.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
