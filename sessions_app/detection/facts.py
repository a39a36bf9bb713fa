"""Facts about the past of an account and of an IP address, for detection, in as few statements as possible.

Event types stand in the statements as literals, because neither database uses a partial index for a parameter. Each
count stops at a limit. So its cost does not grow with the history of the account or the IP address.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import orjson
from django.db import connection

from accounts.host import users
from accounts.models import Account
from accounts.proofs.known_networks import network_of
from core import ratelimit
from core.db import sql
from core.db.ids import first_id
from core.http.client import Client
from events.models import Event
from events.networks import NETWORK_SQL
from events.vocabulary import EventType

from ..conf import KNOWN_LOGINS, DetectionSettings
from ..models import Family, live_condition
from .devices import describe

_EVENT = Event._meta.db_table

COUNTED_TIMES = 10
"""Each count stops at this many times its threshold, so that a query reads a limited number of rows."""

SAMPLED_TIMES = 100
"""The check for credential stuffing reads the latest failures of an IP address.

It reads this many failures for each account in the threshold `stuffing_accounts`.
"""

_REPORTS_READ = 1_000

_LAST_LOGINS = f"""
    SELECT ip, user_agent FROM {_EVENT}
    WHERE user_id = %s AND type = '{EventType.LOGIN_SUCCESS}'
    ORDER BY created_at DESC LIMIT {KNOWN_LOGINS}
"""  # noqa: S608 - only constants are interpolated

_USER_FAILURES = f"""
    (SELECT COUNT(*) FROM (
        SELECT 1 FROM {_EVENT} WHERE user_id = %s AND type = '{EventType.LOGIN_FAILED}' AND created_at > %s LIMIT %s
    ) AS failures)
"""  # noqa: S608 - only constants are interpolated

# The failures of an IPv4 address, or of another caller without a network of its own: the address, and the start.
_OF_ADDRESS = f"FROM {_EVENT} WHERE ip = %s AND type = '{EventType.LOGIN_FAILED}' AND created_at > %s"

# The failures of an IPv6 /64, because a client can use all of its addresses: the network, the least id, and the start.
_OF_NETWORK = f"""
    FROM {_EVENT} WHERE ip <> '' AND {NETWORK_SQL} = %s::cidr
    AND type = '{EventType.LOGIN_FAILED}' AND id >= %s AND created_at > %s
"""

# The same on SQLite, which has no index of networks: the start, and the network. It reads the latest failures of all
# callers, so those of a quiet network can be missed among many others.
_READ_ON_SQLITE = 2_000
_OF_NETWORK_ON_SQLITE = f"""
    FROM (
        SELECT ip, user_id, metadata, created_at FROM {_EVENT}
        WHERE type = '{EventType.LOGIN_FAILED}' AND created_at > %s ORDER BY created_at DESC LIMIT {_READ_ON_SQLITE}
    ) AS recent WHERE authsvc_network(ip) = %s
"""  # noqa: S608 - as above


def _login_facts_sql(failures: str) -> str:
    """Return the statement of a login. `failures` is the source of the failures of the IP address."""
    # One row for each of the last logins, or a single row without a login. Each row repeats the same counts.
    return f"""
        SELECT * FROM (
            SELECT {_USER_FAILURES} AS user_failures,
            (SELECT COUNT(*) FROM (SELECT 1 {failures} LIMIT %s) AS failures) AS ip_failures,
            EXISTS (
                SELECT 1 FROM {_EVENT}
                WHERE user_id = %s AND type = '{EventType.TOKEN_REUSE_DETECTED}' AND created_at > %s
            ) AS was_reused,
            (SELECT COUNT(*) FROM (
                SELECT 1 FROM {Family._meta.db_table} f WHERE f.account_id = %s AND {live_condition()} LIMIT %s
            ) AS live) AS sessions
        ) AS counts LEFT JOIN ({_LAST_LOGINS}) AS logins ON true
    """  # noqa: S608 - only constants are interpolated


def _failure_facts_sql(failures: str, *, newest: str) -> str:
    """Return the statement of a failed login. `newest` is the order that the index of the failures serves."""
    # The metadata of a failure for an unknown e-mail address contains only its keyed digest. So each distinct text is
    # one unknown address.
    return f"""
        SELECT {_USER_FAILURES}, (SELECT COUNT(*) FROM (SELECT 1 {failures} LIMIT %s) AS failures),
            COUNT(DISTINCT user_id), COUNT(DISTINCT CASE WHEN user_id IS NULL THEN metadata END)
        FROM (SELECT user_id, metadata {failures} ORDER BY {newest} DESC LIMIT %s) AS latest
    """  # noqa: S608 - only constants are interpolated


_LOGIN_FACTS_SQL = _login_facts_sql(_OF_ADDRESS)
_FAILURE_FACTS_SQL = _failure_facts_sql(_OF_ADDRESS, newest="created_at")
_LOGIN_FACTS_OF_NETWORK_SQL = _login_facts_sql(_OF_NETWORK)
_FAILURE_FACTS_OF_NETWORK_SQL = _failure_facts_sql(_OF_NETWORK, newest="id")
_LOGIN_FACTS_ON_SQLITE_SQL = _login_facts_sql(_OF_NETWORK_ON_SQLITE)
_FAILURE_FACTS_ON_SQLITE_SQL = _failure_facts_sql(_OF_NETWORK_ON_SQLITE, newest="created_at")

_REPORTED_SIGNALS_SQL = f"""
    SELECT metadata FROM {_EVENT}
    WHERE user_id = %s AND type = '{EventType.ANOMALY_DETECTED}' AND created_at > %s
"""  # noqa: S608 - only constants are interpolated


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginFacts:
    """The history of the account and the IP address at a login. An IPv6 address counts as its /64.

    `known_logins`, `ip_is_known`, `network_is_known` and `device_is_known` refer to earlier logins. A network is an IPv4
    /24 or an IPv6 /64. `sessions` includes the session of this login.
    """

    known_logins: int
    ip_is_known: bool
    network_is_known: bool
    device_is_known: bool
    user_failures: int
    ip_failures: int
    token_was_reused: bool
    sessions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureFacts:
    """The history of the account and the IP address at a failed login. The counts include this failure.

    An IPv6 address counts as its /64.

    `accounts` counts the different accounts at which the IP address failed. `unknown_accounts` counts the different
    e-mail addresses without an account that it tried.
    """

    user_failures: int
    ip_failures: int
    accounts: int
    unknown_accounts: int


def gather_at_login(*, account_id: Any, client: Client, limits: DetectionSettings, now: datetime) -> LoginFacts:
    """Return the facts about a login whose session is already open and whose event is not yet recorded.

    Runs one statement.
    """
    user_id = str(account_id)
    parameters = (
        *_failure_parameters(user_id, client, limits=limits, now=now),
        *(user_id, now - timedelta(hours=limits.reuse_hours)),
        *(account_id, now, now, COUNTED_TIMES * limits.max_sessions),
        user_id,
    )
    rows = sql.fetch_all(_source_of(client).login, parameters)
    user_failures, ip_failures, was_reused, sessions = rows[0][:4]
    logins = [(ip, agent) for *_, ip, agent in rows if ip is not None]
    ips = {ip for ip, _ in logins}
    return LoginFacts(
        known_logins=len(logins),
        ip_is_known=_is_known_ip(client.ip, ips),
        network_is_known=_is_known_network(client.ip, ips),
        device_is_known=_is_known_device(client.user_agent, {agent for _, agent in logins}),
        user_failures=user_failures,
        ip_failures=ip_failures,
        token_was_reused=bool(was_reused),
        sessions=sessions,
    )


def gather_at_failure(*, user_id: str | None, client: Client, limits: DetectionSettings, now: datetime) -> FailureFacts:
    """Return the facts about a failure that is already recorded.

    Runs one statement, which is the same for an unknown account.
    """
    source = _source_of(client)
    parameters = (
        *_failure_parameters(user_id, client, limits=limits, now=now),
        *source.bounds(client, since=now - timedelta(minutes=limits.stuffing_window_minutes)),
        SAMPLED_TIMES * limits.stuffing_accounts,
    )
    [(user_failures, ip_failures, accounts, unknown_accounts)] = sql.fetch_all(source.failure, parameters)
    return FailureFacts(
        user_failures=user_failures, ip_failures=ip_failures, accounts=accounts, unknown_accounts=unknown_accounts
    )


def find_reported_signals(*, user_id: str, since: datetime) -> set[str]:
    """Return the account's signals that were reported after `since`."""
    return {
        signal
        for (text,) in sql.fetch_all(_REPORTED_SIGNALS_SQL, (user_id, since))
        for signal in orjson.loads(text)["signals"]
    }


def was_stuffing_reported(*, ip: str, since: datetime) -> bool:
    """Return whether credential stuffing by the IP address, or by its IPv6 /64, was reported after `since`.

    Of the reports about other addresses of the /64, the latest are read.
    """
    reports = Event.objects.filter(type=EventType.CREDENTIAL_STUFFING_DETECTED, created_at__gt=since)
    if ":" not in ip:
        return reports.filter(ip=ip).exists()
    latest = reports.order_by("-created_at").values_list("ip", flat=True)[:_REPORTS_READ]
    return ratelimit.network_key(ip) in map(ratelimit.network_key, latest)


def hold_account(*, user_id: str) -> None:
    """Lock the account's row, so that no other transaction reports signals of the account until the commit.

    On SQLite, no other transaction writes at the same time.
    """
    rows = Account.objects.select_for_update(no_key=True).filter(pk=users.to_account_id(user_id))
    list(rows.values_list("pk"))


def hold_ip(*, ip: str) -> None:
    """Take a lock on the IP address or its IPv6 /64, so that no other transaction reports it until the commit.

    On SQLite, no other transaction writes at the same time.
    """
    if connection.vendor == "postgresql":
        sql.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (f"authsvc.stuffing {ratelimit.network_key(ip)}",)
        )


def _failure_parameters(
    user_id: str | None, client: Client, *, limits: DetectionSettings, now: datetime
) -> tuple[Any, ...]:
    since = now - timedelta(minutes=limits.window_minutes)
    return (
        *(user_id, since, COUNTED_TIMES * limits.user_failures),
        *(*_source_of(client).bounds(client, since=since), COUNTED_TIMES * limits.ip_failures),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """The statements for the failures of one kind of caller. `bounds` returns the parameters of their source."""

    login: str
    failure: str
    bounds: Callable[..., tuple[Any, ...]]


def _source_of(client: Client) -> _Source:
    """Return the statements that count the failures of the IP address of the client, or of its IPv6 /64."""
    if ":" not in client.ip:
        return _ADDRESS
    if connection.vendor == "postgresql":
        return _NETWORK
    connection.ensure_connection()
    connection.connection.create_function("authsvc_network", 1, ratelimit.network_key, deterministic=True)
    return _NETWORK_ON_SQLITE


def _bounds_of_address(client: Client, *, since: datetime) -> tuple[Any, ...]:
    # A caller on a local socket has no IP address. NULL equals nothing, so such callers are not counted together.
    return client.ip or None, since


def _bounds_of_network(client: Client, *, since: datetime) -> tuple[Any, ...]:
    # The id of an event is made after the time of its request was read.
    return ratelimit.network_key(client.ip), first_id(since), since


def _bounds_on_sqlite(client: Client, *, since: datetime) -> tuple[Any, ...]:
    return since, ratelimit.network_key(client.ip)


_ADDRESS = _Source(login=_LOGIN_FACTS_SQL, failure=_FAILURE_FACTS_SQL, bounds=_bounds_of_address)
_NETWORK = _Source(login=_LOGIN_FACTS_OF_NETWORK_SQL, failure=_FAILURE_FACTS_OF_NETWORK_SQL, bounds=_bounds_of_network)
_NETWORK_ON_SQLITE = _Source(
    login=_LOGIN_FACTS_ON_SQLITE_SQL, failure=_FAILURE_FACTS_ON_SQLITE_SQL, bounds=_bounds_on_sqlite
)


def _is_known_ip(ip: str, known: Collection[str]) -> bool:
    """Return whether the IP address or its IPv6 /64 was seen before. An empty address counts as known.

    An IPv6 host changes its address within its network every day.
    """
    return not ip or ip in known or ratelimit.network_key(ip) in {ratelimit.network_key(other) for other in known}


def _is_known_network(ip: str, known: Collection[str]) -> bool:
    """Return whether the network of the IP address was seen before. An empty address counts as known."""
    return not ip or ip in known or network_of(ip) in {network_of(other) for other in known}


def _is_known_device(user_agent: str, known: Collection[str]) -> bool:
    """Return whether the device was seen before, with any version of its browser."""
    return user_agent in known or describe(user_agent) in {describe(other) for other in known}
