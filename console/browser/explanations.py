"""Flagged events in plain words. The functions are pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from events.vocabulary import EventType
from sessions_app.detection.signals import Signal

_MEANINGS: Mapping[tuple[Signal, ...], str] = {
    (Signal.STOPPED_AT_FACTOR,): (
        "The client entered the right password, but not the second factor. The account does not know the client. "
        "Probably another person knows the password: the owner should choose a new one."
    ),
    (Signal.NEW_IP, Signal.NEW_DEVICE): (
        "The owner may travel or have a new device. Otherwise another person knows the password."
    ),
    (Signal.USER_FAILURE_VELOCITY,): "An attacker guesses this password, or the owner has forgotten it.",
    (Signal.IP_FAILURE_VELOCITY,): (
        "A script tries passwords from this IP address. Many users can also share an address, as in an office."
    ),
    (Signal.TOKEN_REUSE,): (
        "A client used a refresh token twice. A thief may have a copy, or the client lost the answer of a refresh."
    ),
    (Signal.CONCURRENT_SESSIONS,): "Several people may share the account, or a script logs in again and again.",
    (Signal.ACCOUNT_SPRAY,): "An attacker tries one password, or leaked passwords, at many accounts.",
    (Signal.UNKNOWN_ACCOUNT_SPRAY,): (
        "An attacker tries a list of addresses. Some have no account, so the list is of another service."
    ),
}
_SUSPICIONS: Mapping[tuple[Signal, ...], str] = {
    (Signal.STOPPED_AT_FACTOR,): "Another person knows the password",
    (Signal.ACCOUNT_SPRAY, Signal.UNKNOWN_ACCOUNT_SPRAY): "This address attacks accounts",
    (Signal.IP_FAILURE_VELOCITY,): "A script guesses passwords from this address",
    (Signal.TOKEN_REUSE,): "A thief has a copy of a token",
    (Signal.NEW_IP, Signal.NEW_DEVICE): "This login was not the owner's",
    (Signal.USER_FAILURE_VELOCITY,): "Another person guesses this password",
    (Signal.CONCURRENT_SESSIONS,): "The account is shared or misused",
}
"""The meaning of a confirmation, by signal. The first entry with a signal of the event counts."""
_OUTCOMES: Mapping[str, str] = {
    EventType.LOGIN_SUCCESS: "The login succeeded",
    EventType.LOGIN_FAILED: "The login failed",
    EventType.LOGIN_STOPPED_AT_FACTOR: "The account was not opened",
}


def reasons_of(metadata: Mapping[str, Any]) -> str:
    """Return the reasons for which detection flagged the event, such as `New IP address and new device`."""
    signals = _signals_of(metadata)
    within = f" within {metadata['window_minutes']} minutes" if "window_minutes" in metadata else ""
    reasons = [
        reason
        for reason in (_stopped(signals, metadata), _origins(signals), _tried(signals, metadata, within))
        if reason
    ]
    if Signal.USER_FAILURE_VELOCITY in signals:
        reasons.append(f"{_count(metadata, 'user_failures', 'failed login')} to this account{within}")
    if Signal.IP_FAILURE_VELOCITY in signals:
        reasons.append(f"{_count(metadata, 'ip_failures', 'failed login')} from this IP address{within}")
    if Signal.TOKEN_REUSE in signals:
        span = f" in the last {_count(metadata, 'reuse_hours', 'hour')}" if "reuse_hours" in metadata else ""
        reasons.append(f"A refresh token of the account was used twice{span}")
    if Signal.CONCURRENT_SESSIONS in signals:
        reasons.append(f"{_count(metadata, 'sessions', 'live session')} of this account")
    # An event of another version of the service may have signals that this version does not know.
    known = [str(signal) for signal in Signal]
    reasons += [str(signal).replace("_", " ") for signal in signals if signal not in known]
    return ". ".join(reason[:1].upper() + reason[1:] for reason in reasons) or "Flagged without a reason"


def meanings_of(metadata: Mapping[str, Any]) -> list[str]:
    """Return what the signals of the event can mean, as sentences."""
    signals = set(_signals_of(metadata))
    return [meaning for about, meaning in _MEANINGS.items() if not signals.isdisjoint(about)]


def suspicion_of(metadata: Mapping[str, Any]) -> str:
    """Return what an operator confirms about the event, such as `Another person knows the password`."""
    signals = set(_signals_of(metadata))
    found = (suspicion for about, suspicion in _SUSPICIONS.items() if not signals.isdisjoint(about))
    return next(found, "The event is suspicious")


def outcome_of(metadata: Mapping[str, Any]) -> str:
    """Return whether the flagged login succeeded; "" when the event is not about one login."""
    return _OUTCOMES.get(str(metadata.get("event", "")), "")


def _signals_of(metadata: Mapping[str, Any]) -> Sequence[str]:
    signals = metadata.get("signals", ())
    return [str(signal) for signal in signals] if isinstance(signals, list) else []


def _stopped(signals: Sequence[str], metadata: Mapping[str, Any]) -> str:
    if Signal.STOPPED_AT_FACTOR not in signals:
        return ""
    after = f" after {_count(metadata, 'wrong_codes', 'wrong code')}" if metadata.get("wrong_codes") else ""
    return f"Password right, stopped at the second factor{after}"


def _origins(signals: Sequence[str]) -> str:
    names = {Signal.NEW_IP: "new IP address", Signal.NEW_DEVICE: "new device"}
    return " and ".join(name for signal, name in names.items() if signal in signals)


def _tried(signals: Sequence[str], metadata: Mapping[str, Any], within: str) -> str:
    targets = []
    if Signal.ACCOUNT_SPRAY in signals:
        targets.append(_count(metadata, "accounts", "account"))
    if Signal.UNKNOWN_ACCOUNT_SPRAY in signals:
        number = metadata.get("unknown_accounts")
        targets.append("1 unknown address" if number == 1 else f"{number or 'several'} unknown addresses")
    return f"This IP address failed at {' and '.join(targets)}{within}" if targets else ""


def _count(metadata: Mapping[str, Any], figure: str, noun: str) -> str:
    """Return the figure with its noun, such as `20 failed logins`. An unknown figure becomes `several`."""
    number = metadata.get(figure)
    return f"1 {noun}" if number == 1 else f"{number or 'several'} {noun}s"
