"""What detection needs to know of an account's and an address's past, in as few statements as it can be asked.

The types stand in the statements as they are: neither database finds a partial index by a parameter. Every count ends
at a limit, so that it costs no more on an account, or an address, with a long past.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import orjson
from django.db import connection

from accounts import users
from accounts.core import ratelimit
from accounts.core.db import sql
from accounts.core.http.client import Client
from accounts.events.models import Event
from accounts.events.vocabulary import EventType
from accounts.models import Account

from .conf import KNOWN_LOGINS, DetectionSettings
from .devices import describe
from .models import Family

_EVENT = Event._meta.db_table

COUNTED_TIMES = 10
"""Counts are exact up to so many times the figure that is suspicious."""

SAMPLED_TIMES = 100
"""Credential stuffing is looked for in so many failures of an address, the latest, for each account that makes it one."""

_LAST_LOGINS = f"""
    SELECT ip, user_agent FROM {_EVENT}
    WHERE user_id = %s AND type = '{EventType.LOGIN_SUCCESS}'
    ORDER BY created_at DESC LIMIT {KNOWN_LOGINS}
"""  # noqa: S608 - a table's own name

_USER_FAILURES = f"""
    (SELECT COUNT(*) FROM (
        SELECT 1 FROM {_EVENT} WHERE user_id = %s AND type = '{EventType.LOGIN_FAILED}' AND created_at > %s LIMIT %s
    ) AS failures)
"""  # noqa: S608 - a table's own name

_IP_FAILURES = f"""
    (SELECT COUNT(*) FROM (
        SELECT 1 FROM {_EVENT} WHERE ip = %s AND type = '{EventType.LOGIN_FAILED}' AND created_at > %s LIMIT %s
    ) AS failures)
"""  # noqa: S608 - a table's own name

_AT_LOGIN = f"""
    SELECT {_USER_FAILURES}, {_IP_FAILURES},
    EXISTS (
        SELECT 1 FROM {_EVENT}
        WHERE user_id = %s AND type = '{EventType.TOKEN_REUSE_DETECTED}' AND created_at > %s
    ),
    (SELECT COUNT(*) FROM (
        SELECT 1 FROM {Family._meta.db_table}
        WHERE account_id = %s AND revoked_at IS NULL AND idle_expires_at > %s AND absolute_expires_at > %s LIMIT %s
    ) AS live)
"""  # noqa: S608 - tables' own names

# What is known of an unknown address is its keyed digest, and the metadata holds nothing else.
_AT_FAILURE = f"""
    SELECT {_USER_FAILURES}, {_IP_FAILURES},
        COUNT(DISTINCT user_id), COUNT(DISTINCT CASE WHEN user_id IS NULL THEN metadata END)
    FROM (
        SELECT user_id, metadata FROM {_EVENT}
        WHERE ip = %s AND type = '{EventType.LOGIN_FAILED}' AND created_at > %s
        ORDER BY created_at DESC LIMIT %s
    ) AS latest
"""  # noqa: S608 - a table's own name

_REPORTED = f"""
    SELECT metadata FROM {_EVENT}
    WHERE user_id = %s AND type = '{EventType.ANOMALY_DETECTED}' AND created_at > %s
"""  # noqa: S608 - a table's own name


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginFacts:
    """The account and the address around a login: the logins before it, and the sessions with its own among them."""

    known_logins: int
    ip_is_known: bool
    device_is_known: bool
    user_failures: int
    ip_failures: int
    token_was_reused: bool
    sessions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureFacts:
    """The account and the address around a failure, which is among the failures; the accounts are those of the address.

    `unknown_accounts` counts the different addresses tried that no account has.
    """

    user_failures: int
    ip_failures: int
    accounts: int
    unknown_accounts: int


def gather_at_login(*, account_id: Any, client: Client, limits: DetectionSettings, now: datetime) -> LoginFacts:
    """Return what is known at a login whose session is open already and that is not recorded yet. Two statements."""
    user_id = str(account_id)
    logins = sql.fetch_all(_LAST_LOGINS, (user_id,))
    parameters = (
        *_failure_parameters(user_id, client, limits=limits, now=now),
        *(user_id, now - timedelta(hours=limits.reuse_hours)),
        *(account_id, now, now, COUNTED_TIMES * limits.max_sessions),
    )
    [(user_failures, ip_failures, was_reused, sessions)] = sql.fetch_all(_AT_LOGIN, parameters)
    return LoginFacts(
        known_logins=len(logins),
        ip_is_known=_is_known_ip(client.ip, {ip for ip, _ in logins}),
        device_is_known=_is_known_device(client.user_agent, {agent for _, agent in logins}),
        user_failures=user_failures,
        ip_failures=ip_failures,
        token_was_reused=bool(was_reused),
        sessions=sessions,
    )


def gather_at_failure(*, user_id: str | None, client: Client, limits: DetectionSettings, now: datetime) -> FailureFacts:
    """Return what is known at a failure that is recorded already. One statement, the same for an unknown account."""
    parameters = (
        *_failure_parameters(user_id, client, limits=limits, now=now),
        *(client.ip or None, now - timedelta(minutes=limits.stuffing_window_minutes)),
        SAMPLED_TIMES * limits.stuffing_accounts,
    )
    [(user_failures, ip_failures, accounts, unknown_accounts)] = sql.fetch_all(_AT_FAILURE, parameters)
    return FailureFacts(
        user_failures=user_failures, ip_failures=ip_failures, accounts=accounts, unknown_accounts=unknown_accounts
    )


def find_reported_signals(*, user_id: str, since: datetime) -> set[str]:
    """Return the signals that were reported of the account after `since`."""
    return {
        signal for (text,) in sql.fetch_all(_REPORTED, (user_id, since)) for signal in orjson.loads(text)["signals"]
    }


def was_stuffing_reported(*, ip: str, since: datetime) -> bool:
    """Tell whether credential stuffing was reported of the address after `since`."""
    return Event.objects.filter(type=EventType.CREDENTIAL_STUFFING_DETECTED, ip=ip, created_at__gt=since).exists()


def hold_account(*, user_id: str) -> None:
    """Let nobody else report about the account until the commit; on SQLite there is nobody else."""
    rows = Account.objects.select_for_update(no_key=True).filter(pk=users.to_account_id(user_id))
    list(rows.values_list("pk"))


def hold_ip(*, ip: str) -> None:
    """Let nobody else report about the address until the commit; on SQLite there is nobody else."""
    if connection.vendor == "postgresql":
        sql.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (f"authsvc.stuffing {ip}",))


def _failure_parameters(
    user_id: str | None, client: Client, *, limits: DetectionSettings, now: datetime
) -> tuple[Any, ...]:
    since = now - timedelta(minutes=limits.window_minutes)
    # A caller without an address, on a local socket, shares it with nobody: NULL equals nothing.
    return (
        *(user_id, since, COUNTED_TIMES * limits.user_failures),
        *(client.ip or None, since, COUNTED_TIMES * limits.ip_failures),
    )


def _is_known_ip(ip: str, known: Collection[str]) -> bool:
    """Tell whether the address was seen before; an IPv6 host changes its own within one network every day."""
    return not ip or ip in known or ratelimit.network_key(ip) in {ratelimit.network_key(other) for other in known}


def _is_known_device(user_agent: str, known: Collection[str]) -> bool:
    """Tell whether the device was seen before, in whatever version of its browser."""
    return user_agent in known or describe(user_agent) in {describe(other) for other in known}
