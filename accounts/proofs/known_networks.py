"""The networks in which an account has logged in."""

from datetime import datetime, timedelta
from typing import Any

from core import ratelimit
from core.db import sql
from events.models import Event
from events.vocabulary import EventType

MEMORY_PERIOD = timedelta(days=30)
LOGINS_MAX = 200
"""The number of latest logins that the query reads.

Without this bound, the response time would show how often an account logs in.
"""

_LATEST_IPS = f"""
    SELECT DISTINCT ip FROM (
        SELECT ip FROM {Event._meta.db_table}
        WHERE user_id = %s AND type = '{EventType.LOGIN_SUCCESS}' AND created_at > %s
        ORDER BY created_at DESC LIMIT {LOGINS_MAX}
    ) AS latest
"""  # noqa: S608 - only constants are interpolated


def is_known_network(*, account_id: Any | None, ip: str, now: datetime) -> bool:
    """Return whether the account completed a login in the network of the IP address within MEMORY_PERIOD.

    A network is an IPv4 /24 or an IPv6 /64. Returns False for an empty IP address. Also returns False without an
    account, after the same statement.
    """
    user_id = None if account_id is None else str(account_id)
    known = {network_of(seen) for (seen,) in sql.fetch_all(_LATEST_IPS, (user_id, now - MEMORY_PERIOD)) if seen}
    return bool(ip) and network_of(ip) in known


def network_of(ip: str) -> str:
    """Return the network of the IP address: an IPv4 /24 or an IPv6 /64, such as `203.0.113.0/24`."""
    return ratelimit.network_key(ip) if ":" in ip else f"{ip.rpartition('.')[0]}.0/24"
