"""Digests: texts for operators about the events of a window."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar

from core.http.examples import EARLIER, MOMENT
from events.rollup import count_events
from events.vocabulary import EventType
from sessions_app.logins.second_factors import gating_factors

from ..attacks.finding import Attack, find_attacks
from ..attacks.wording import figures, headline
from ..examples import DIGEST_TEXT
from ..people.users import count_users
from ..reviews.queue import find_unreviewed
from .window import Window

UNREVIEWED_MAX = 1000

_FACTORS = "Second factors"
_SECTIONS: Mapping[str, tuple[tuple[EventType, str], ...]] = {
    "Signing in": (
        (EventType.LOGIN_SUCCESS, "logins"),
        (EventType.LOGIN_FAILED, "failed logins"),
        (EventType.ACCOUNT_LOCKED, "locks after failed attempts"),
        (EventType.ACCOUNT_UNLOCKED, "locks ended by operators"),
        (EventType.MAGIC_LINK_REQUESTED, "magic links requested"),
        (EventType.PASSWORD_RESET_REQUESTED, "password resets requested"),
    ),
    "Accounts": (
        (EventType.SIGNUP_SUCCESS, "sign-ups"),
        (EventType.ACCOUNT_IMPORTED, "accounts imported"),
        (EventType.ACCOUNT_DELETED, "accounts deleted"),
        (EventType.ACCOUNT_DEACTIVATED, "accounts deactivated"),
        (EventType.ACCOUNT_REACTIVATED, "accounts reactivated"),
        (EventType.ACCOUNT_TAKEN_OVER, "accounts taken over by their mailbox"),
        (EventType.PASSWORD_CHANGED, "passwords changed"),
        (EventType.EMAIL_CHANGED, "addresses changed"),
        (EventType.EMAIL_CHANGE_UNDONE, "changes of an address undone"),
    ),
    _FACTORS: (
        (EventType.RECOVERY_CODE_USED, "recovery codes used"),
        (EventType.RECOVERY_COMPLETED, "recoveries that removed all factors"),
    ),
    "Machines": (
        (EventType.API_KEY_CREATED, "API keys created"),
        (EventType.API_KEY_REVOKED, "API keys revoked"),
    ),
    "Suspicious": (
        (EventType.LOGIN_STOPPED_AT_FACTOR, "logins with the right password, stopped at the second factor"),
        (EventType.ANOMALY_DETECTED, "suspicious logins or accounts"),
        (EventType.CREDENTIAL_STUFFING_DETECTED, "IP addresses that tried many accounts"),
        (EventType.TOKEN_REUSE_DETECTED, "refresh tokens used twice"),
        (EventType.PASSWORD_BREACH_REJECTED, "breached passwords refused"),
    ),
}


def sections() -> Mapping[str, Sequence[tuple[EventType, str]]]:
    """Return the event types of each heading with their nouns. The lines of the registered second factors come first."""
    changes = [
        line
        for factor in gating_factors()
        for line in (
            (factor.enrolled_event, f"{factor.label_plural} added"),
            (factor.removed_event, f"{factor.label_plural} removed"),
        )
    ]
    return {**_SECTIONS, _FACTORS: [*changes, *_SECTIONS[_FACTORS]]}


def counted_types() -> Sequence[EventType]:
    """Return the types of events that a digest counts."""
    return [event for lines in sections().values() for event, _ in lines]


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """A rendered digest of a window."""

    example: ClassVar = {"since": EARLIER, "until": MOMENT, "window_days": 7, "text": DIGEST_TEXT}

    since: datetime
    until: datetime
    window_days: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The facts of a digest. `counts` and `counts_before` are by event type, in the window and in the one before it.

    `unreviewed` is the number of flagged events without a review, at most UNREVIEWED_MAX. `attacks` are those of the
    window.
    """

    counts: Mapping[EventType, int]
    counts_before: Mapping[EventType, int]
    total_users: int
    unreviewed: int
    attacks: Sequence[Attack] = ()


def digest(*, window_days: int, now: datetime) -> Digest:
    """Return a fresh digest of the last `window_days` days. Records nothing."""
    window = Window.ending(now, days=window_days)
    text = render(gather(window), window)
    return Digest(since=window.since, until=window.until, window_days=window_days, text=text)


def gather(window: Window) -> Facts:
    """Return the facts of the window, from the database."""
    before = window.before()
    return Facts(
        counts=count_events(types=counted_types(), since=window.since, until=window.until),
        counts_before=count_events(types=counted_types(), since=before.since, until=before.until),
        total_users=count_users(now=window.until),
        unreviewed=find_unreviewed(limit=UNREVIEWED_MAX).count,
        attacks=find_attacks(since=window.since, until=window.until),
    )


def render(facts: Facts, window: Window) -> str:
    """Return the digest as text. Each line compares a count with the count of the window before.

    The text leaves out events that happened in neither window.
    """
    blocks = [f"Gatehouse, {_minute(window.since)} to {_minute(window.until)} UTC ({window.length()})"]
    if facts.attacks:
        blocks.append(
            "\n".join(["Attacks", *(f"  {headline(attack)} ({figures(attack)})" for attack in facts.attacks)])
        )
    for heading, lines in sections().items():
        shown = [
            _line(noun, facts.counts[event], facts.counts_before[event])
            for event, noun in lines
            if facts.counts[event] or facts.counts_before[event]
        ]
        if shown:
            blocks.append("\n".join([heading, *shown]))
    if len(blocks) == 1:
        blocks.append("No events.")
    blocks.append(f"Total users: {facts.total_users:,}")
    if facts.unreviewed:
        more = " or more" if facts.unreviewed == UNREVIEWED_MAX else ""
        blocks.append(f"Flagged events without a review: {facts.unreviewed:,}{more}")
    return "\n\n".join(blocks) + "\n"


def _line(noun: str, count: int, before: int) -> str:
    return f"  {count:>9,}  {noun} ({_change(count, before)})"


def _change(count: int, before: int) -> str:
    if count == before:
        return "as before"
    if before == 0:
        return "none before"
    percent = round((count - before) * 100 / before)
    return f"{before:,} before, {percent:+,} %"


def _minute(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M}"
