"""Flagged events in plain words. The functions are pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_noop, ngettext, pgettext

from events.vocabulary import EventType
from sessions_app.detection.signals import Signal

from ..wording.lists import all_of

_MEANINGS: Mapping[tuple[Signal, ...], str] = {
    (Signal.STOPPED_AT_FACTOR,): gettext_noop(
        "The client entered the right password, but not the second factor. The account does not know the client. "
        "Probably another person knows the password: the owner should choose a new one."
    ),
    (Signal.NEW_IP, Signal.NEW_DEVICE): gettext_noop(
        "The owner may travel or have a new device. Otherwise another person knows the password."
    ),
    (Signal.USER_FAILURE_VELOCITY,): gettext_noop("An attacker guesses this password, or the owner has forgotten it."),
    (Signal.IP_FAILURE_VELOCITY,): gettext_noop(
        "A script tries passwords from this IP address. Many users can also share an address, as in an office."
    ),
    (Signal.TOKEN_REUSE,): gettext_noop(
        "A client used a refresh token twice. A thief may have a copy, or the client lost the answer of a refresh."
    ),
    (Signal.CONCURRENT_SESSIONS,): gettext_noop(
        "Several people may share the account, or a script logs in again and again."
    ),
    (Signal.ACCOUNT_SPRAY,): gettext_noop("An attacker tries one password, or leaked passwords, at many accounts."),
    (Signal.UNKNOWN_ACCOUNT_SPRAY,): gettext_noop(
        "An attacker tries a list of addresses. Some have no account, so the list is of another service."
    ),
}
_SUSPICIONS: Mapping[tuple[Signal, ...], str] = {
    (Signal.STOPPED_AT_FACTOR,): gettext_noop("Another person knows the password"),
    (Signal.ACCOUNT_SPRAY, Signal.UNKNOWN_ACCOUNT_SPRAY): gettext_noop("This address attacks accounts"),
    (Signal.IP_FAILURE_VELOCITY,): gettext_noop("A script guesses passwords from this address"),
    (Signal.TOKEN_REUSE,): gettext_noop("A thief has a copy of a token"),
    (Signal.NEW_IP, Signal.NEW_DEVICE): gettext_noop("This login was not the owner's"),
    (Signal.USER_FAILURE_VELOCITY,): gettext_noop("Another person guesses this password"),
    (Signal.CONCURRENT_SESSIONS,): gettext_noop("The account is shared or misused"),
}
"""The meaning of a confirmation, by signal. The first entry with a signal of the event counts."""
_OUTCOMES: Mapping[str, str] = {
    EventType.LOGIN_SUCCESS: gettext_noop("The login succeeded"),
    EventType.LOGIN_FAILED: gettext_noop("The login failed"),
    EventType.LOGIN_STOPPED_AT_FACTOR: gettext_noop("The account was not opened"),
}


def reasons_of(metadata: Mapping[str, Any]) -> str:
    """Return the reasons for which detection flagged the event, such as `New IP address and new device`."""
    signals = _signals_of(metadata)
    found = [_stopped(signals, metadata), _origins(signals), _tried(signals, metadata)]
    if Signal.USER_FAILURE_VELOCITY in signals:
        found.append(_failures_to_account(metadata))
    if Signal.IP_FAILURE_VELOCITY in signals:
        found.append(_failures_from_address(metadata))
    if Signal.TOKEN_REUSE in signals:
        found.append(_reuse(metadata))
    if Signal.CONCURRENT_SESSIONS in signals:
        found.append(_sessions(metadata))
    # An event of another version of the service may have signals that this version does not know.
    known = [str(signal) for signal in Signal]
    found += [str(signal).replace("_", " ") for signal in signals if signal not in known]
    # Translators: the characters between two reasons.
    between = pgettext("between two reasons", ". ")
    return between.join(capfirst(reason) for reason in found if reason) or gettext("Flagged without a reason")


def meanings_of(metadata: Mapping[str, Any]) -> list[str]:
    """Return what the signals of the event can mean, as sentences."""
    signals = set(_signals_of(metadata))
    return [gettext(meaning) for about, meaning in _MEANINGS.items() if not signals.isdisjoint(about)]


def suspicion_of(metadata: Mapping[str, Any]) -> str:
    """Return what an operator confirms about the event, such as `Another person knows the password`."""
    signals = set(_signals_of(metadata))
    found = (suspicion for about, suspicion in _SUSPICIONS.items() if not signals.isdisjoint(about))
    return gettext(next(found, gettext_noop("The event is suspicious")))


def outcome_of(metadata: Mapping[str, Any]) -> str:
    """Return whether the flagged login succeeded; "" when the event is not about one login."""
    text = _OUTCOMES.get(str(metadata.get("event", "")))
    return gettext(text) if text else ""


def _signals_of(metadata: Mapping[str, Any]) -> Sequence[str]:
    signals = metadata.get("signals", ())
    return [str(signal) for signal in signals] if isinstance(signals, list) else []


def _stopped(signals: Sequence[str], metadata: Mapping[str, Any]) -> str:
    if Signal.STOPPED_AT_FACTOR not in signals:
        return ""
    codes = metadata.get("wrong_codes")
    if not codes:
        return gettext("Password right, stopped at the second factor")
    return ngettext(
        "Password right, stopped at the second factor after %(number)s wrong code",
        "Password right, stopped at the second factor after %(number)s wrong codes",
        _counted(codes),
    ) % {"number": codes}


def _origins(signals: Sequence[str]) -> str:
    names = {Signal.NEW_IP: gettext("new IP address"), Signal.NEW_DEVICE: gettext("new device")}
    found = [name for signal, name in names.items() if signal in signals]
    return all_of(found) if found else ""


def _tried(signals: Sequence[str], metadata: Mapping[str, Any]) -> str:
    targets = []
    if Signal.ACCOUNT_SPRAY in signals:
        number = metadata.get("accounts")
        targets.append(
            ngettext("%(number)s account", "%(number)s accounts", _counted(number)) % {"number": _figure(number)}
        )
    if Signal.UNKNOWN_ACCOUNT_SPRAY in signals:
        number = metadata.get("unknown_accounts")
        text = ngettext("%(number)s unknown address", "%(number)s unknown addresses", _counted(number))
        targets.append(text % {"number": _figure(number)})
    if not targets:
        return ""
    if "window_minutes" in metadata:
        text = gettext("This IP address failed at %(targets)s within %(minutes)s minutes")
    else:
        text = gettext("This IP address failed at %(targets)s")
    return text % {"targets": all_of(targets), "minutes": metadata.get("window_minutes")}


def _failures_to_account(metadata: Mapping[str, Any]) -> str:
    number = metadata.get("user_failures")
    if "window_minutes" in metadata:
        text = ngettext(
            "%(number)s failed login to this account within %(minutes)s minutes",
            "%(number)s failed logins to this account within %(minutes)s minutes",
            _counted(number),
        )
    else:
        text = ngettext(
            "%(number)s failed login to this account", "%(number)s failed logins to this account", _counted(number)
        )
    return text % {"number": _figure(number), "minutes": metadata.get("window_minutes")}


def _failures_from_address(metadata: Mapping[str, Any]) -> str:
    number = metadata.get("ip_failures")
    if "window_minutes" in metadata:
        text = ngettext(
            "%(number)s failed login from this IP address within %(minutes)s minutes",
            "%(number)s failed logins from this IP address within %(minutes)s minutes",
            _counted(number),
        )
    else:
        text = ngettext(
            "%(number)s failed login from this IP address",
            "%(number)s failed logins from this IP address",
            _counted(number),
        )
    return text % {"number": _figure(number), "minutes": metadata.get("window_minutes")}


def _reuse(metadata: Mapping[str, Any]) -> str:
    if "reuse_hours" not in metadata:
        return gettext("A refresh token of the account was used twice")
    hours = metadata["reuse_hours"]
    return ngettext(
        "A refresh token of the account was used twice in the last %(number)s hour",
        "A refresh token of the account was used twice in the last %(number)s hours",
        _counted(hours),
    ) % {"number": _figure(hours)}


def _sessions(metadata: Mapping[str, Any]) -> str:
    number = metadata.get("sessions")
    text = ngettext(
        "%(number)s live session of this account", "%(number)s live sessions of this account", _counted(number)
    )
    return text % {"number": _figure(number)}


def _counted(figure: Any) -> int:
    """Return the figure that decides about the plural."""
    return figure if isinstance(figure, int) and figure else 2


def _figure(number: Any) -> str:
    """Return the figure. An event without it has `several`."""
    return str(number) if number else gettext("several")
