"""The state of the deployment in one answer: first the things that need an operator, then the counts behind them.

Every statement reads a bounded number of rows, so the cost does not grow with the number of users or events.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Annotated, ClassVar

from accounts.conf import settings as account_settings
from accounts.core.http.answers import Described
from accounts.core.http.examples import EARLIER, MOMENT
from accounts.core.jobs import jobs
from accounts.events.conf import webhook_settings
from accounts.events.models import Event
from accounts.events.rollup import count_events
from accounts.events.vocabulary import ACCOUNT_EVENTS, EventType
from accounts.known_networks import network_of
from sessions_app.detection import Signal
from sessions_app.second_factors import second_factors

from ..histories import count_failed_deliveries, count_unfinished_deliveries
from ..reviews import count_unreviewed, latest_flagged
from ..users import count_locked, count_users
from . import hash_migration, mfa_adoption
from .hash_migration import HashMigration
from .mfa_adoption import MfaAdoption
from .window import Window

COUNTED_MAX = 1000
"""The number at which the counts of flagged events and of deliveries stop."""
ATTACKS_MAX = 10
LATE = timedelta(minutes=1)
"""A worker that runs starts due work within seconds."""

_ATTACK_SIGNALS = {Signal.USER_FAILURE_VELOCITY, Signal.IP_FAILURE_VELOCITY}


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """Flagged events about guessed passwords from one network."""

    network: Annotated[str, Described("An IPv4 /24 or an IPv6 /64.")]
    reports: Annotated[int, Described("The number of these events in the window.")]
    ip: Annotated[str, Described("The IP address of the latest report.")]
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryCounts:
    """Webhook deliveries: those of the window that failed finally, and all that wait for their next attempt."""

    failed: int
    waiting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LateJob:
    """Work that was due at `due_at`, but that no worker has started."""

    job: str
    due_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The state of the deployment. `counts_before` has the counts of the window before, which is as long.

    The counts of flagged events and of deliveries stop at 1,000.
    """

    example: ClassVar = {
        "since": EARLIER,
        "until": MOMENT,
        "window_days": 7,
        "attacks": [{"network": "203.0.113.0/24", "reports": 3, "ip": "203.0.113.7", "last_at": MOMENT}],
        "unreviewed": 4,
        "deliveries": {"failed": 2, "waiting": 1},
        "late_jobs": [{"job": "mails", "due_at": EARLIER}],
        "locked_accounts": 1,
        "total_users": 97,
        "counts": {"login_success": 412, "login_failed": 30},
        "counts_before": {"login_success": 380, "login_failed": 12},
        "mfa_adoption": MfaAdoption.example,
        "hash_migration": HashMigration.example,
    }

    since: datetime
    until: datetime
    window_days: int
    attacks: Annotated[
        Sequence[Attack],
        Described(
            "The networks with the most reports in the window, at most ten. Only the latest 1,000 flagged events count."
        ),
    ]
    unreviewed: Annotated[int, Described("The number of flagged events without a judgement.")]
    deliveries: Annotated[DeliveryCounts | None, Described("Null while no webhook is configured.")]
    late_jobs: Annotated[
        Sequence[LateJob],
        Described("Work that is overdue by more than a minute: the worker does not run or cannot keep up."),
    ]
    locked_accounts: Annotated[int, Described("The number of accounts that are locked now, of the latest 1,000 locks.")]
    total_users: int
    counts: Annotated[Mapping[str, int], Described("The number of events in the window, by type.")]
    counts_before: Mapping[str, int]
    mfa_adoption: MfaAdoption
    hash_migration: HashMigration


def report(*, window_days: int, now: datetime) -> Overview:
    """Return the overview of the last `window_days` days."""
    window = Window.ending(now, days=window_days)
    before = window.before()
    counts = count_events(types=ACCOUNT_EVENTS, since=window.since, until=window.until)
    counts_before = count_events(types=ACCOUNT_EVENTS, since=before.since, until=before.until)
    factors = list(second_factors)
    upgraded = EventType.PASSWORD_HASH_UPGRADED
    ever = count_events(types=[upgraded, *mfa_adoption.counted_types(factors)], since=None, until=now)
    total_users = count_users(now=now)
    return Overview(
        since=window.since,
        until=window.until,
        window_days=window_days,
        attacks=find_attacks(latest_flagged(since=window.since, limit=COUNTED_MAX)),
        unreviewed=count_unreviewed(limit=COUNTED_MAX),
        deliveries=_count_deliveries(window) if webhook_settings().url else None,
        late_jobs=_find_late_jobs(now),
        locked_accounts=count_locked(limit=COUNTED_MAX, now=now),
        total_users=total_users,
        counts={str(event): count for event, count in counts.items()},
        counts_before={str(event): count for event, count in counts_before.items()},
        mfa_adoption=mfa_adoption.build(
            factors=factors, total_users=total_users, ever=ever, in_window=counts, window_days=window_days
        ),
        hash_migration=hash_migration.build(
            settings=account_settings(),
            total_users=total_users,
            upgraded=ever[upgraded],
            upgraded_in_window=counts[upgraded],
            window_days=window_days,
        ),
    )


def find_attacks(flagged: Sequence[Event]) -> list[Attack]:
    """Return the networks that guess passwords, those with the most reports first, at most ATTACKS_MAX.

    `flagged` are flagged events, the newest first. Among networks with as many reports, the latest report comes first.
    """
    found: dict[str, Attack] = {}
    for event in flagged:
        if not event.ip or not _is_attack(event):
            continue
        network = network_of(event.ip)
        latest = found.get(network) or Attack(network=network, reports=0, ip=event.ip, last_at=event.created_at)
        found[network] = replace(latest, reports=latest.reports + 1)
    return sorted(found.values(), key=lambda attack: -attack.reports)[:ATTACKS_MAX]


def _is_attack(event: Event) -> bool:
    if event.type == EventType.CREDENTIAL_STUFFING_DETECTED:
        return True
    return not _ATTACK_SIGNALS.isdisjoint(event.metadata.get("signals", ()))


def _count_deliveries(window: Window) -> DeliveryCounts:
    return DeliveryCounts(
        failed=count_failed_deliveries(since=window.since, limit=COUNTED_MAX),
        waiting=count_unfinished_deliveries(limit=COUNTED_MAX),
    )


def _find_late_jobs(now: datetime) -> list[LateJob]:
    dues = [(job.name, job.next_due(now)) for job in jobs]
    return [LateJob(job=name, due_at=due) for name, due in dues if due is not None and due < now - LATE]
