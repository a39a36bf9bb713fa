"""How long a refused login takes: as long for an unknown address as for any account.

A stored hash may be of another kind than those that are made today, and verifying it takes longer or shorter. Where
such hashes are stored, each refused login takes as long as the most expensive kind. The service waits for the
difference, without a hash slot and outside any transaction. Where all hashes are of today's kind it waits for nothing.
"""

import os
import re
import threading
import time
from collections import deque
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from math import prod

from .core.errors import Overloaded
from .hash_kinds import find_kinds, note_kind
from .passwords import hashing
from .passwords.hashing import Verification

RENEW_SECONDS = 300.0
"""After that a process reads the stored kinds again and measures them again."""

SAMPLES = 5
"""A refusal follows the slowest of so many verifications of a kind, the latest ones."""

MARGIN = 1.1
"""Times what a refusal takes: ordinary jitter then stays below it."""

MOST_SECONDS = 2.0
"""No refusal is held back for longer than this: it holds a thread."""

HELD_MAX = 8
"""Refusals that one process holds back at once, a third of its threads; then logins get Overloaded before any work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pace:
    """What a refusal takes where other kinds of hashes than today's are stored; `hashes` is empty where none is.

    `hashes` holds the seconds of the latest verifications of each kind that counts. `rest` holds the seconds of the
    latest refusals without their hashes and without their time in the queue for a slot.
    """

    today: str
    renewed_at: float
    stored: frozenset[str] = frozenset()
    hashes: dict[str, deque[float]] = field(default_factory=dict)
    rest: deque[float] = field(default_factory=lambda: deque([0.0], maxlen=SAMPLES))

    def is_fresh(self) -> bool:
        return self.today == hashing.todays_kind() and time.perf_counter() < self.renewed_at + RENEW_SECONDS

    def seconds(self, *, forms: int) -> float:
        """Return how long a refusal takes after so many hashes, one for each form of the password."""
        slowest = max(max(seconds) for seconds in self.hashes.values())
        return min(MARGIN * (slowest * forms + max(self.rest)), MOST_SECONDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """What is known before the password of a login is verified: when the login began, and what a refusal takes."""

    began: float
    pace: _Pace

    def hold(self, verification: Verification, *, now: datetime) -> None:
        """Return when a refusal of any other address would be answered too. Call it outside transactions."""
        elapsed = time.perf_counter() - self.began - verification.queued
        _note_kind(verification.kind, now=now)
        if not self.pace.hashes:
            return
        if verification.kind in self.pace.hashes:
            self.pace.hashes[verification.kind].append(verification.spent)
        self.pace.rest.append(elapsed - verification.spent * verification.forms)
        wait = self.pace.seconds(forms=verification.forms) - elapsed
        if wait > 0:
            with _held.one():
                time.sleep(wait)


class _Held:
    """Counts the refusals that wait in this process."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._lock = threading.Lock()
        self.count = 0

    @contextmanager
    def one(self) -> Iterator[None]:
        with self._lock:
            self.count += 1
        try:
            yield
        finally:
            with self._lock:
                self.count -= 1


_held = _Held()
_renewal = threading.Lock()
_pace: _Pace | None = None


def expect() -> Refusal:
    """Return how a refusal of the login that begins now is held back, whichever account it is for.

    Reads the stored kinds and measures them once in a while. Raises Overloaded when hashes wait for slots already.
    """
    pace = _pace
    if pace is None or not pace.is_fresh():
        pace = _renew(pace)
    return Refusal(began=time.perf_counter(), pace=pace)


def check_room() -> None:
    """Raise Overloaded while as many refusals wait as may."""
    if _held.count >= HELD_MAX:
        raise Overloaded


def forget() -> None:
    """Forget what was measured and who waits: a forked child has no other threads. Tests begin anew."""
    global _pace, _renewal
    _pace, _renewal = None, threading.Lock()
    _held.clear()


os.register_at_fork(after_in_child=forget)


def _renew(last: _Pace | None) -> _Pace:
    """Return a fresh pace. One thread measures it: the others go on with the last one, and without any they wait."""
    global _pace  # noqa: PLW0603 - one for the process
    if not _renewal.acquire(blocking=last is None) and last is not None:
        return last
    try:
        pace = _pace
        if pace is None or not pace.is_fresh():
            pace = _pace = _measure()
        return pace
    finally:
        _renewal.release()


def _measure() -> _Pace:
    today, stored = hashing.todays_kind(), find_kinds()
    counting = {today, *_costliest(stored - {today})} if stored - {today} else set[str]()
    hashes = {kind: deque([hashing.measure(kind)], maxlen=SAMPLES) for kind in counting}
    return _Pace(today=today, renewed_at=time.perf_counter(), stored=stored, hashes=hashes)


def _costliest(kinds: Collection[str]) -> list[str]:
    """Return the kind of each algorithm that costs the most: the product of its figures grows with the cost."""
    by_cost = sorted(kinds, key=lambda kind: prod(map(int, re.findall(r"\d+", kind))))
    return list({kind.partition("$")[0]: kind for kind in by_cost}.values())


def _note_kind(kind: str, *, now: datetime) -> None:
    """Keep a kind that was not known to be stored; the next login measures it."""
    global _pace  # noqa: PLW0603 - see above
    pace = _pace
    if pace is not None and kind not in pace.stored and kind != pace.today:
        note_kind(kind=kind, now=now)
        _pace = None
