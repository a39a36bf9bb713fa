"""The duration of a refused login. It must be the same for an unknown address and for every account.

A stored hash can be of another kind than new hashes, and its verification can take longer or shorter. When such hashes
are stored, each refused login takes as long as the most expensive kind. The service waits for the difference, without a
hash slot and outside any transaction. When all hashes are of today's kind, the service does not wait.

A login can also ask an old system about an unknown address. Each refused login then takes as long as if it had asked.
"""

import os
import threading
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import datetime
from time import perf_counter, sleep

from core.threads import REFUSAL_THREADS, Slots

from ..passwords import hashing
from ..passwords.hashing import Verification
from .hash_kinds import find_kinds, note_kind

RENEW_SECONDS = 300.0
"""The age at which a process reads the stored kinds and measures them again."""

SAMPLES = 5
"""The number of latest verifications of each kind that a process remembers. A refusal takes as long as the slowest."""

MARGIN = 1.1
"""The factor on the measured duration. Ordinary jitter stays below the resulting duration."""

MOST_SECONDS = 2.0
"""The longest target duration of a refusal, without a question to an old system. A waiting refusal occupies a thread."""

QUESTIONS = 20
"""The number of latest questions that a process remembers. The times of a network vary more than those of a hash."""

UNMEASURED_SECONDS = 1.0
"""The duration of a question before the first one is measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pace:
    """The measured durations from which the duration of a refusal results.

    `hashes` contains the seconds of the latest verifications of each kind that counts. It is empty when all stored hashes
    are of today's kind. `rest` contains the seconds of the latest refusals, without hashing and without the wait for a
    slot. `renewed_at` is a value of `perf_counter()`.
    """

    today: str
    renewed_at: float
    stored: frozenset[str] = frozenset()
    hashes: dict[str, deque[float]] = field(default_factory=dict)
    rest: deque[float] = field(default_factory=lambda: deque([0.0], maxlen=SAMPLES))

    def is_fresh(self) -> bool:
        return perf_counter() < self.renewed_at + RENEW_SECONDS

    def seconds(self, verification: Verification) -> float:
        """Return the target duration of a refusal. Each of the `forms` of the password costs one hash."""
        slowest = max((max(seconds) for seconds in self.hashes.values()), default=verification.spent)
        return min(MARGIN * (slowest * verification.forms + max(self.rest)), MOST_SECONDS)


class _Questions:
    """The durations of the latest questions to an old system, each with its end by `perf_counter()`."""

    def __init__(self) -> None:
        self._latest: deque[tuple[float, float]] = deque(maxlen=QUESTIONS)

    def add(self, seconds: float) -> None:
        self._latest.append((perf_counter(), seconds))

    def clear(self) -> None:
        self._latest.clear()

    def slowest(self) -> float:
        """Return the longest of the durations that are not older than RENEW_SECONDS."""
        oldest = perf_counter() - RENEW_SECONDS
        return max((seconds for at, seconds in self._latest.copy() if at > oldest), default=UNMEASURED_SECONDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """The state from before the password check: the login's start by `perf_counter()`, and the measured durations.

    `asked` is the time in seconds that this login spent on a question to an old system. It is 0 without a question, and
    None when no login asks.
    """

    began: float
    pace: _Pace
    asked: float | None = None

    def with_question(self, *, seconds: float) -> "Refusal":
        """Return the state of a login that asked an old system for this time, or for 0 seconds, and remember the time."""
        if seconds:
            _questions.add(seconds)
        return replace(self, asked=seconds)

    def delay(self, verification: Verification, *, now: datetime) -> None:
        """Wait until the refusal has taken as long as a refusal of any other address. Call it outside transactions.

        Opens its own transaction when it stores a kind of hash that was not known.
        """
        elapsed = perf_counter() - self.began - verification.queued
        _note_kind(verification.kind, now=now)
        if not self.pace.hashes and self.asked is None:
            return
        if verification.kind in self.pace.hashes:
            self.pace.hashes[verification.kind].append(verification.spent)
        self.pace.rest.append(elapsed - verification.spent * verification.forms - (self.asked or 0))
        question = 0 if self.asked is None else MARGIN * _questions.slowest()
        wait = self.pace.seconds(verification) + question - elapsed
        if wait > 0:
            with _slots.counted(), hashing.counted():
                sleep(wait)


_slots = Slots()
_questions = _Questions()
_renewal = threading.Lock()
_pace: _Pace | None = None


def expect() -> Refusal:
    """Return the Refusal of a login that begins now. It does not depend on the account.

    Every RENEW_SECONDS a call reads the stored kinds and measures them. Raises Overloaded when such a call finds that
    too many hashes wait for a slot.
    """
    pace = _pace
    if pace is None or not pace.is_fresh():
        pace = _renew(pace)
    return Refusal(began=perf_counter(), pace=pace)


def check_room() -> None:
    """Raise Overloaded when REFUSAL_THREADS or more refusals wait."""
    _slots.check_room(threads=REFUSAL_THREADS)


def forget() -> None:
    """Reset the measured durations and the count of waiting refusals.

    A forked child calls it, because the waiting threads do not exist in the child. Tests call it too.
    """
    global _pace, _renewal
    _pace, _renewal = None, threading.Lock()
    _slots.clear()
    _questions.clear()


os.register_at_fork(after_in_child=forget)


def _renew(last: _Pace | None) -> _Pace:
    """Return a fresh pace. Only one thread measures at a time.

    Meanwhile the other threads get the last pace. Without a last pace they wait for the new one.
    """
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
    return _Pace(today=today, renewed_at=perf_counter(), stored=stored, hashes=hashes)


def _costliest(kinds: Collection[str]) -> list[str]:
    """Return the most expensive kind of each algorithm and library."""
    return list({hashing.library_of(kind): kind for kind in sorted(kinds, key=hashing.cost_of)}.values())


def _note_kind(kind: str, *, now: datetime) -> None:
    """Store a kind that was not known, and discard the pace. The next login then measures the kind."""
    global _pace  # noqa: PLW0603 - see above
    pace = _pace
    if pace is not None and kind not in pace.stored and kind != pace.today:
        note_kind(kind=kind, now=now)
        _pace = None
