"""Detection of suspicious logins, which reports to the operators. It never blocks a login or changes a response.

A login with a new device in a new network is also reported to the account owner, by mail.

Detection reports each signal of an account once per window. It reports an IP address that tries many accounts once per
cooldown. The rules are pure functions; `facts` queries the database.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, TypeAlias

from accounts.state.owner_mails import mail_owner
from core.db.transactions import transaction_required
from core.http.client import Client
from events.audit import record
from events.vocabulary import EventType
from mail.compose import MailTemplate

from ..conf import DetectionSettings, detection_settings
from . import facts


class Signal(StrEnum):
    """Reasons why a login, an account or an IP address is suspicious."""

    NEW_IP = "new_ip"
    NEW_DEVICE = "new_device"
    USER_FAILURE_VELOCITY = "user_failure_velocity"
    IP_FAILURE_VELOCITY = "ip_failure_velocity"
    TOKEN_REUSE = "token_reuse"  # noqa: S105 - a signal's name
    CONCURRENT_SESSIONS = "concurrent_sessions"
    ACCOUNT_SPRAY = "account_spray"
    UNKNOWN_ACCOUNT_SPRAY = "unknown_account_spray"
    STOPPED_AT_FACTOR = "stopped_at_factor"


FoundSignals: TypeAlias = Mapping[Signal, Mapping[str, int]]
"""Signals, each with the named figures that support it."""


def detect_login_signals(seen: facts.LoginFacts, *, limits: DetectionSettings) -> FoundSignals:
    """Return the suspicious signals of a successful login."""
    found: dict[Signal, Mapping[str, int]] = {}
    if seen.known_logins >= limits.min_history:
        if not seen.ip_is_known:
            found[Signal.NEW_IP] = {"known_logins": seen.known_logins}
        if not seen.device_is_known:
            found[Signal.NEW_DEVICE] = {"known_logins": seen.known_logins}
    found |= _detect_user_failures(seen.user_failures, limits=limits)
    found |= _detect_ip_failures(seen.ip_failures, limits=limits)
    if seen.token_was_reused:
        found[Signal.TOKEN_REUSE] = {"reuse_hours": limits.reuse_hours}
    if seen.sessions > limits.max_sessions:
        found[Signal.CONCURRENT_SESSIONS] = {"sessions": seen.sessions}
    return found


def detect_failure_signals(seen: facts.FailureFacts, *, limits: DetectionSettings) -> FoundSignals:
    """Return the suspicious signals of the account at which a login failed.

    An IP address that tries many accounts gets one report of its own. A further report for each of these accounts would
    flood the operators.
    """
    found = dict(_detect_user_failures(seen.user_failures, limits=limits))
    if not detect_spray(seen, limits=limits):
        found |= _detect_ip_failures(seen.ip_failures, limits=limits)
    return found


def detect_spray(seen: facts.FailureFacts, *, limits: DetectionSettings) -> FoundSignals:
    """Return which accounts the IP address tries: known ones, unknown ones, or both.

    Empty until the IP address has tried `stuffing_accounts` different accounts in total.
    """
    if seen.accounts + seen.unknown_accounts < limits.stuffing_accounts:
        return {}
    tried = {
        Signal.ACCOUNT_SPRAY: {"accounts": seen.accounts},
        Signal.UNKNOWN_ACCOUNT_SPRAY: {"unknown_accounts": seen.unknown_accounts},
    }
    return {signal: figures for signal, figures in tried.items() if any(figures.values())}


def is_from_new_client(seen: facts.LoginFacts) -> bool:
    """Return whether the account logged in before, but neither with this device nor in this network."""
    return seen.known_logins > 0 and not seen.device_is_known and not seen.network_is_known


@transaction_required
def record_login(
    *,
    account_id: Any,
    method: str,
    client: Client,
    now: datetime,
    second_factor: str | None = None,
    provider: str | None = None,
) -> None:
    """Record a completed login by `method`, with an optional provider and second factor, and report suspicious signals.

    A login with an unknown device in an unknown network also mails the account owner. The login's session is already
    open. Needs the lock on the account's row. So the second of two concurrent logins sees the events of the
    first.
    """
    limits = detection_settings()
    # Gather the facts before this login is recorded, so that it does not count as an earlier login.
    seen = facts.gather_at_login(account_id=account_id, client=client, limits=limits, now=now) if limits.is_on else None
    user_id = str(account_id)
    details = {"method": method, "provider": provider, "second_factor": second_factor}
    metadata = {name: detail for name, detail in details.items() if detail}
    record(event=EventType.LOGIN_SUCCESS, user_id=user_id, client=client, now=now, metadata=metadata)
    if seen is None:
        return
    if found := detect_login_signals(seen, limits=limits):
        report_anomaly(found, user_id=user_id, event=EventType.LOGIN_SUCCESS, client=client, limits=limits, now=now)
    if is_from_new_client(seen):
        mail_owner(account_id=account_id, template=MailTemplate.NEW_SIGN_IN, values={}, client=client, now=now)


class ReportFailures:
    """Listener that reports suspicious failed logins.

    The code that records a failure calls this listener in the same transaction.
    """

    @transaction_required
    def login_failed(self, *, user_id: str | None, client: Client, now: datetime) -> None:
        """Report suspicious signals of the account, and of the IP address if it tries many accounts."""
        limits = detection_settings()
        if not limits.is_on:
            return
        seen = facts.gather_at_failure(user_id=user_id, client=client, limits=limits, now=now)
        if user_id is not None and (found := detect_failure_signals(seen, limits=limits)):
            report_anomaly(found, user_id=user_id, event=EventType.LOGIN_FAILED, client=client, limits=limits, now=now)
        else:
            # The statement of a report, for no account. Otherwise the time of a refusal would show an account.
            facts.find_reported_signals(user_id="", since=now)
        # The account's report comes first, because the account's row is locked before any other lock.
        _report_stuffing(detect_spray(seen, limits=limits), client=client, limits=limits, now=now)


@transaction_required
def report_anomaly(
    found: FoundSignals, *, user_id: str, event: EventType, client: Client, limits: DetectionSettings, now: datetime
) -> None:
    """Report the signals that were not reported within the window. `event` is the type of the event that shows them.

    Needs a transaction, and the lock on the account's row.
    """
    reported = facts.find_reported_signals(user_id=user_id, since=now - timedelta(minutes=limits.window_minutes))
    fresh = {signal: figures for signal, figures in found.items() if signal not in reported}
    if fresh:
        metadata = _metadata(fresh, window_minutes=limits.window_minutes) | {"event": event}
        record(event=EventType.ANOMALY_DETECTED, user_id=user_id, client=client, now=now, metadata=metadata)


def _report_stuffing(found: FoundSignals, *, client: Client, limits: DetectionSettings, now: datetime) -> None:
    since = now - timedelta(minutes=limits.stuffing_cooldown_minutes)
    if not found or facts.was_stuffing_reported(ip=client.ip, since=since):
        return
    facts.hold_ip(ip=client.ip)
    # Check again under the lock, because a concurrent failure may have reported this IP address since the first check.
    if not facts.was_stuffing_reported(ip=client.ip, since=since):
        metadata = _metadata(found, window_minutes=limits.stuffing_window_minutes)
        record(event=EventType.CREDENTIAL_STUFFING_DETECTED, user_id=None, client=client, now=now, metadata=metadata)


def _detect_user_failures(failures: int, *, limits: DetectionSettings) -> FoundSignals:
    return {Signal.USER_FAILURE_VELOCITY: {"user_failures": failures}} if failures >= limits.user_failures else {}


def _detect_ip_failures(failures: int, *, limits: DetectionSettings) -> FoundSignals:
    return {Signal.IP_FAILURE_VELOCITY: {"ip_failures": failures}} if failures >= limits.ip_failures else {}


def _metadata(found: FoundSignals, *, window_minutes: int) -> dict[str, Any]:
    figures = {name: figure for several in found.values() for name, figure in several.items()}
    return {"signals": list(found), "window_minutes": window_minutes, **figures}
