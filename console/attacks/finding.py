"""The networks that attack, from the latest flagged events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from core.db import sql
from core.db.ids import first_id
from core.http.answers import Described
from events.models import Event
from events.networks import NETWORK_SQL, network_of
from events.vocabulary import EventType

from ..reviews.queue import FlaggedColumns, latest_not_dismissed
from .definition import Ground, grounds_of, is_about_passwords, signed_in, stopped

COUNTED_MAX = 1000
"""The number of flagged events that are read, and the number at which the count of failed logins stops."""
ATTACKS_MAX = 10

_FAILURES = """(
    SELECT count(*) FROM (
        SELECT 1 FROM {table}
        WHERE type = '{failed}' AND {source} AND created_at >= %s AND created_at < %s LIMIT %s
    ) AS counted
)"""
_NAMES = {"table": Event._meta.db_table, "failed": EventType.LOGIN_FAILED}
_OF_ADDRESSES = _FAILURES.format(source="ip = ANY(%s)", **_NAMES)
# An attacker can use each address of an IPv6 /64 once. Its addresses are so many that only the index has them.
_OF_NETWORK = _FAILURES.format(source=f"ip <> '' AND {NETWORK_SQL} = %s::cidr AND id >= %s", **_NAMES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """Flagged events of one network that are an attack: several accounts, an unusual rate, or a reached account."""

    network: Annotated[str, Described("An IPv4 /24 or an IPv6 /64.")]
    grounds: Annotated[
        Sequence[Ground],
        Described("Why it is an attack, the most urgent first. The events of one forgetful person are none."),
    ]
    stopped_accounts: Annotated[
        int, Described("The number of accounts whose password was right, and whose second factor stopped the login.")
    ]
    signed_in_accounts: Annotated[
        int, Described("The number of accounts into which a login from a new place succeeded, after many failures.")
    ]
    reports: Annotated[int, Described("The number of these events in the window.")]
    failed_logins: Annotated[
        int,
        Described(
            "The number of failed logins in the window, from the reported IPv4 addresses or from the IPv6 /64. It stops "
            "at 1,000."
        ),
    ]
    ip: Annotated[str, Described("The IP address of the latest report.")]
    first_at: Annotated[datetime, Described("The time of the earliest report in the window.")]
    last_at: datetime


def find_attacks(*, since: datetime, until: datetime) -> list[Attack]:
    """Return the networks that attack, those with the most urgent ground and the most reports first, at most ATTACKS_MAX.

    Reads the latest COUNTED_MAX flagged events, without those that an operator dismissed.
    """
    found: dict[str, list[FlaggedColumns]] = {}
    for flag in latest_not_dismissed(since=since, limit=COUNTED_MAX):
        network = network_of(flag.ip)
        if network is not None and is_about_passwords(flag):
            found.setdefault(str(network), []).append(flag)
    attacks = {network: (grounds, flags) for network, flags in found.items() if (grounds := grounds_of(flags))}
    order = list(Ground)
    worst = sorted(attacks.items(), key=lambda item: (order.index(item[1][0][0]), -len(item[1][1])))[:ATTACKS_MAX]
    addresses = {network: sorted({flag.ip for flag in flags}) for network, (_, flags) in worst}
    failures = _count_failures(addresses, since, until)
    return [
        Attack(
            network=network,
            grounds=grounds,
            stopped_accounts=len(stopped(flags)),
            signed_in_accounts=len(signed_in(flags)),
            reports=len(flags),
            failed_logins=failed,
            ip=flags[0].ip,
            first_at=flags[-1].created_at,
            last_at=flags[0].created_at,
        )
        for (network, (grounds, flags)), failed in zip(worst, failures, strict=True)
    ]


def _count_failures(addresses: Mapping[str, Sequence[str]], since: datetime, until: datetime) -> tuple[int, ...]:
    """Return the number of failed logins of each network, at most COUNTED_MAX each. `addresses` are those reported."""
    if not addresses:
        return ()
    parts: list[str] = []
    parameters: list[object] = []
    for network, ips in addresses.items():
        is_wide = ":" in network
        parts.append(_OF_NETWORK if is_wide else _OF_ADDRESSES)
        parameters += [network, first_id(since)] if is_wide else [list(ips)]
        parameters += [since, until, COUNTED_MAX]
    return sql.fetch_one(f"SELECT {', '.join(parts)}", parameters) or ()
