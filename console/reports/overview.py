"""The state of the deployment in one answer: first the things that need an operator, then the counts behind them.

Every statement reads a bounded number of rows. So the cost does not grow with the number of users or events.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, ClassVar

from accounts.conf import settings as account_settings
from core.http.answers import Described
from core.http.examples import EARLIER, MOMENT
from core.jobs import jobs
from events.conf import webhook_settings
from events.rollup import count_events
from events.vocabulary import ACCOUNT_EVENTS, EventType
from sessions_app.logins.second_factors import gating_factors

from ..attacks.finding import Attack, find_attacks
from ..deliveries.history import count_failed_deliveries, count_unfinished_deliveries
from ..people.users import count_locked, count_users
from ..reviews.queue import find_unreviewed
from . import hash_migration, mfa_adoption, series
from .hash_migration import HashMigration
from .mfa_adoption import MfaAdoption
from .series import Series
from .window import Window

COUNTED_MAX = 1000
"""The number at which the counts of flagged events and of deliveries stop."""
LATENESS_MIN = timedelta(minutes=1)
"""Due work is late when no worker has started it for this time. A running worker starts it within seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryCounts:
    """Webhook deliveries: those of the window that failed finally, and all that wait for their next attempt.

    `retrying` counts those of the waiting deliveries that have failed at least once.
    """

    failed: int
    waiting: int
    retrying: int


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
        "attacks": [
            {
                "network": "203.0.113.0/24",
                "grounds": ["stopped_at_factor", "several_accounts"],
                "stopped_accounts": 1,
                "signed_in_accounts": 0,
                "reports": 3,
                "failed_logins": 25,
                "ip": "203.0.113.7",
                "first_at": EARLIER,
                "last_at": MOMENT,
            }
        ],
        "unreviewed": 4,
        "oldest_unreviewed_at": EARLIER,
        "deliveries": {"failed": 2, "waiting": 1, "retrying": 1},
        "late_jobs": [{"job": "mails", "due_at": EARLIER}],
        "locked_accounts": 1,
        "total_users": 97,
        "counts": {"login_success": 412, "login_failed": 30},
        "counts_before": {"login_success": 380, "login_failed": 12},
        "mfa_adoption": MfaAdoption.example,
        "hash_migration": HashMigration.example,
        "series": Series.example,
    }

    since: datetime
    until: datetime
    window_days: int
    attacks: Annotated[
        Sequence[Attack],
        Described(
            "The networks that attack, at most ten: those that reached an account first, then those with the most reports. "
            "Only the latest 1,000 flagged events count. Events that an operator dismissed do not count."
        ),
    ]
    unreviewed: Annotated[int, Described("The number of flagged events without a review.")]
    oldest_unreviewed_at: Annotated[
        datetime | None, Described("The time of the oldest of these events. Null when there are none.")
    ]
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
    series: Series


def report(*, window_days: int, now: datetime) -> Overview:
    """Return the overview of the last `window_days` days."""
    window = Window.ending(now, days=window_days)
    before = window.before()
    counts = count_events(types=ACCOUNT_EVENTS, since=window.since, until=window.until)
    counts_before = count_events(types=ACCOUNT_EVENTS, since=before.since, until=before.until)
    factors = gating_factors()
    upgraded = EventType.PASSWORD_HASH_UPGRADED
    ever = count_events(types=[upgraded, *mfa_adoption.counted_types(factors)], since=None, until=now)
    total_users = count_users(now=now)
    unreviewed = find_unreviewed(limit=COUNTED_MAX)
    return Overview(
        since=window.since,
        until=window.until,
        window_days=window_days,
        attacks=find_attacks(since=window.since, until=window.until),
        unreviewed=unreviewed.count,
        oldest_unreviewed_at=unreviewed.oldest_at,
        deliveries=_count_deliveries(window) if webhook_settings().url else None,
        late_jobs=find_late_jobs(now),
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
        series=series.build(window_days=window_days, now=now),
    )


def _count_deliveries(window: Window) -> DeliveryCounts:
    unfinished = count_unfinished_deliveries(limit=COUNTED_MAX)
    return DeliveryCounts(
        failed=count_failed_deliveries(since=window.since, limit=COUNTED_MAX),
        waiting=unfinished.waiting,
        retrying=unfinished.retrying,
    )


def find_late_jobs(now: datetime) -> list[LateJob]:
    """Return the work that is overdue by more than LATENESS_MIN."""
    dues = [(job.name, job.next_due(now)) for job in jobs]
    return [LateJob(job=name, due_at=due) for name, due in dues if due is not None and due < now - LATENESS_MIN]
