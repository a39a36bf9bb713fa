"""The networks that attack, from the latest flagged events."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from core.db import sql
from core.http.answers import Described
from events.models import Event
from events.networks import network_of
from events.vocabulary import EventType

from ..reviews.queue import FlaggedColumns, latest_not_dismissed
from .definition import Ground, grounds_of, is_about_passwords, signed_in, stopped

COUNTED_MAX = 1000
"""The number of flagged events that are read, and the number at which the count of failed logins stops."""
ATTACKS_MAX = 10

_FAILURES = f"""(
    SELECT count(*) FROM (
        SELECT 1 FROM {Event._meta.db_table}
        WHERE type = '{EventType.LOGIN_FAILED}' AND ip = ANY(%s) AND created_at >= %s AND created_at < %s LIMIT %s
    ) AS counted
)"""  # noqa: S608 - constants only


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
        int, Described("The number of failed logins from the reported IP addresses in the window. It stops at 1,000.")
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
    failures = _count_failures([sorted({flag.ip for flag in flags}) for _, (_, flags) in worst], since, until)
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


def _count_failures(addresses: Sequence[Sequence[str]], since: datetime, until: datetime) -> tuple[int, ...]:
    """Return the number of failed logins from each of the lists of IP addresses, at most COUNTED_MAX each."""
    if not addresses:
        return ()
    parameters = [value for ips in addresses for value in (list(ips), since, until, COUNTED_MAX)]
    return sql.fetch_one("SELECT " + ", ".join([_FAILURES] * len(addresses)), parameters) or ()
