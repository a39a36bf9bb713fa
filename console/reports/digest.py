"""Digests: texts for operators about the events of a window."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar

from django.utils.translation import gettext, gettext_noop

from core.http.examples import EARLIER, MOMENT
from events.rollup import count_events
from events.vocabulary import EventType
from sessions_app.logins.second_factors import gating_factors

from ..attacks.finding import Attack, find_attacks
from ..attacks.wording import figures, headline
from ..examples import DIGEST_TEXT
from ..people.users import count_users
from ..reviews.queue import find_unreviewed
from ..wording.numbers import at_least, number
from .window import Window

UNREVIEWED_MAX = 1000

_FACTORS = gettext_noop("Second factors")
_SECTIONS: Mapping[str, tuple[tuple[EventType, str], ...]] = {
    gettext_noop("Signing in"): (
        (EventType.LOGIN_SUCCESS, gettext_noop("logins")),
        (EventType.LOGIN_FAILED, gettext_noop("failed logins")),
        (EventType.ACCOUNT_LOCKED, gettext_noop("locks after failed attempts")),
        (EventType.ACCOUNT_UNLOCKED, gettext_noop("locks ended by operators")),
        (EventType.MAGIC_LINK_REQUESTED, gettext_noop("magic links requested")),
        (EventType.PASSWORD_RESET_REQUESTED, gettext_noop("password resets requested")),
    ),
    gettext_noop("Accounts"): (
        (EventType.SIGNUP_SUCCESS, gettext_noop("sign-ups")),
        (EventType.ACCOUNT_IMPORTED, gettext_noop("accounts imported")),
        (EventType.ACCOUNT_DELETED, gettext_noop("accounts deleted")),
        (EventType.ACCOUNT_DEACTIVATED, gettext_noop("accounts deactivated")),
        (EventType.ACCOUNT_REACTIVATED, gettext_noop("accounts reactivated")),
        (EventType.ACCOUNT_TAKEN_OVER, gettext_noop("accounts taken over by their mailbox")),
        (EventType.PASSWORD_CHANGED, gettext_noop("passwords changed")),
        (EventType.EMAIL_CHANGED, gettext_noop("addresses changed")),
        (EventType.EMAIL_CHANGE_UNDONE, gettext_noop("changes of an address undone")),
    ),
    _FACTORS: (
        (EventType.RECOVERY_CODE_USED, gettext_noop("recovery codes used")),
        (EventType.RECOVERY_COMPLETED, gettext_noop("recoveries that removed all factors")),
    ),
    gettext_noop("Machines"): (
        (EventType.API_KEY_CREATED, gettext_noop("API keys created")),
        (EventType.API_KEY_REVOKED, gettext_noop("API keys revoked")),
    ),
    gettext_noop("Suspicious"): (
        (
            EventType.LOGIN_STOPPED_AT_FACTOR,
            gettext_noop("logins with the right password, stopped at the second factor"),
        ),
        (EventType.ANOMALY_DETECTED, gettext_noop("suspicious logins or accounts")),
        (EventType.CREDENTIAL_STUFFING_DETECTED, gettext_noop("IP addresses that tried many accounts")),
        (EventType.TOKEN_REUSE_DETECTED, gettext_noop("refresh tokens used twice")),
        (EventType.PASSWORD_BREACH_REJECTED, gettext_noop("breached passwords refused")),
    ),
}


def sections() -> Mapping[str, Sequence[tuple[EventType, str]]]:
    """Return the event types of each heading with their nouns. The lines of the registered second factors come first.

    Headings and nouns have the language of the reader.
    """
    added, removed = gettext("%(factors)s added"), gettext("%(factors)s removed")
    changes = [
        line
        for factor in gating_factors()
        for line in (
            (factor.enrolled_event, added % {"factors": gettext(factor.label_plural)}),
            (factor.removed_event, removed % {"factors": gettext(factor.label_plural)}),
        )
    ]
    found = {heading: [(event, gettext(noun)) for event, noun in lines] for heading, lines in _SECTIONS.items()}
    found[_FACTORS] = [*changes, *found[_FACTORS]]
    return {gettext(heading): lines for heading, lines in found.items()}


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
    title = gettext("Gatehouse, %(since)s to %(until)s UTC (%(length)s)")
    span = {"since": _minute(window.since), "until": _minute(window.until), "length": window.length()}
    blocks = [title % span]
    if facts.attacks:
        blocks.append(
            "\n".join([gettext("Attacks"), *(f"  {headline(attack)} ({figures(attack)})" for attack in facts.attacks)])
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
        blocks.append(gettext("No events."))
    blocks.append(gettext("Total users: %(number)s") % {"number": number(facts.total_users)})
    if facts.unreviewed:
        is_more = facts.unreviewed == UNREVIEWED_MAX
        count = at_least(facts.unreviewed) if is_more else number(facts.unreviewed)
        blocks.append(gettext("Flagged events without a review: %(number)s") % {"number": count})
    return "\n\n".join(blocks) + "\n"


def _line(noun: str, count: int, before: int) -> str:
    return f"  {number(count):>9}  {noun} ({_change(count, before)})"


def _change(count: int, before: int) -> str:
    if count == before:
        return gettext("as before")
    if before == 0:
        return gettext("none before")
    percent = round((count - before) * 100 / before)
    change = f"{'+' if percent >= 0 else ''}{number(percent)}"
    return gettext("%(before)s before, %(percent)s %%") % {"before": number(before), "percent": change}


def _minute(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M}"
