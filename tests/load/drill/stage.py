"""What every drill needs: a database of its own, a voice, and a verdict."""

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
    """What became of a drill: a sentence for each thing that was lost, none when it survived."""

    drill: str
    done: str
    lost: Sequence[str]
    figures: str


class Progress:
    """Says how far a drill is, a line every few seconds."""

    def __init__(self, drill: str) -> None:
        self._drill = drill
        self._started = time.monotonic()
        self._told_at = -float("inf")

    def tell(self, text: str) -> None:
        """Say it, unless something was said only just now."""
        if time.monotonic() - self._told_at >= QUIET_SECONDS:
            self.tell_now(text)

    def wait(self, seconds: float, tell: Callable[[], str]) -> None:
        """Let so many seconds go by, and say meanwhile what there is to tell."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.tell(tell())
            time.sleep(min(left, 1))

    def tell_now(self, text: str) -> None:
        """Say it."""
        self._told_at = time.monotonic()
        sys.stderr.write(f"{self._drill:<16}{self._told_at - self._started:>6.0f} s  {text}\n")
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
