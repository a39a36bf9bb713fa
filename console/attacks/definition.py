"""The definition of an attack. The functions are pure.

An attack is a network whose flagged events give at least one ground. Wrong passwords for one account are no ground: the
owner may have forgotten the password. Such an event only waits for a review.
"""

from collections.abc import Sequence
from enum import StrEnum

from events.vocabulary import EventType
from sessions_app.detection.signals import Signal

from ..reviews.queue import FlaggedColumns

ACCOUNTS_MIN = 3
"""The number of accounts with many wrong passwords from which on a network is no person who forgot one."""

_FAILURES = {Signal.USER_FAILURE_VELOCITY, Signal.IP_FAILURE_VELOCITY}
_NEW_PLACE = {Signal.NEW_IP, Signal.NEW_DEVICE}


class Ground(StrEnum):
    """Reasons why the flagged events of a network are an attack, the most urgent first."""

    SIGNED_IN = "signed_in"
    """A login succeeded after many failures, in a place that is new to the account."""
    STOPPED_AT_FACTOR = "stopped_at_factor"
    """A password was right, and the login stopped at the second factor."""
    SEVERAL_ACCOUNTS = "several_accounts"
    """The network failed at several accounts."""
    UNUSUAL_RATE = "unusual_rate"
    """One IP address failed more often than a person does."""


def is_about_passwords(flag: FlaggedColumns) -> bool:
    """Return whether the flagged event is about guessed or stolen passwords."""
    return (
        flag.type == EventType.CREDENTIAL_STUFFING_DETECTED or is_stop(flag) or not _FAILURES.isdisjoint(flag.signals)
    )


def is_stop(flag: FlaggedColumns) -> bool:
    """Return whether a login with the right password stopped at the second factor."""
    return Signal.STOPPED_AT_FACTOR in flag.signals


def is_sign_in(flag: FlaggedColumns) -> bool:
    """Return whether a login from a new place succeeded after many failures."""
    return (
        flag.metadata.get("event") == EventType.LOGIN_SUCCESS
        and not _FAILURES.isdisjoint(flag.signals)
        and not _NEW_PLACE.isdisjoint(flag.signals)
    )


def grounds_of(flags: Sequence[FlaggedColumns]) -> tuple[Ground, ...]:
    """Return the grounds on which the flagged events of one network are an attack, the most urgent first."""
    guessed = {flag.user_id for flag in flags if Signal.USER_FAILURE_VELOCITY in flag.signals}
    found = {
        Ground.SIGNED_IN: bool(signed_in(flags)),
        Ground.STOPPED_AT_FACTOR: bool(stopped(flags)),
        Ground.SEVERAL_ACCOUNTS: len(guessed) >= ACCOUNTS_MIN
        or any(flag.type == EventType.CREDENTIAL_STUFFING_DETECTED for flag in flags),
        Ground.UNUSUAL_RATE: any(Signal.IP_FAILURE_VELOCITY in flag.signals for flag in flags),
    }
    return tuple(ground for ground, is_given in found.items() if is_given)


def stopped(flags: Sequence[FlaggedColumns]) -> frozenset[str]:
    """Return the ids of the accounts whose password was right, and whose second factor stopped the login."""
    return frozenset(flag.user_id for flag in flags if flag.user_id and is_stop(flag))


def signed_in(flags: Sequence[FlaggedColumns]) -> frozenset[str]:
    """Return the ids of the accounts into which a login from a new place succeeded, after many failures."""
    return frozenset(flag.user_id for flag in flags if flag.user_id and is_sign_in(flag))
