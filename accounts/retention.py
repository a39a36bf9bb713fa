"""What is kept no longer: each app names its rows, and one sweep deletes them in batches."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from datetime import time as time_of_day
from typing import Any, Protocol
from uuid import UUID

from django.db.models import Q, QuerySet

from .conf import retention_conf
from .core.db.ids import first_id
from .core.db.transactions import write
from .core.registry import Registry
from .events.logs.shipping import doomed_logs
from .events.models import Event
from .events.rollup import SAFE_DELAY, roll_up
from .events.vocabulary import COUNTED_FOR_EVER
from .events.webhooks.delivery import doomed_deliveries
from .models import MailToken

BATCH = 5_000

PAUSE_SECONDS = 0.1
"""Between two batches. A writer that waits for SQLite looks again after so long at the latest, and then gets its turn."""

MAIL_TOKEN_DAYS = timedelta(days=7)
"""A mail token that expired says so for so long; then it is as unknown as any other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prunable:
    """Rows of one table that are of no use after a while.

    `doomed` returns those that may go at a moment, without order. Their keys are UUIDs version 7, and the condition
    bounds the key, so that finding them never reads the rows that stay. A row that is doomed is never used again.
    """

    name: str
    doomed: Callable[[datetime], QuerySet[Any]]


class EventKeeper(Protocol):
    """Has events that stay, however old they are."""

    def kept(self) -> Q:
        """Return the condition on events that must not be pruned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A piece of the sweep that was committed: how many rows of what."""

    name: str
    rows: int


prunables: Registry[Prunable] = Registry()
event_keepers: Registry[EventKeeper] = Registry()


def prune(*, now: datetime) -> Iterator[Progress]:
    """Delete what is kept no longer, in the order of registration, and yield after every batch, full or not.

    Events are counted by day first, so that the counts outlive them. Each batch is a transaction of its own: who stops
    iterating stops the sweep, and nothing is lost. Two sweeps at once only share the work.
    """
    for _ in roll_up(now=now):
        yield Progress(name="days counted", rows=1)
    for prunable in prunables:
        yield from _sweep(prunable, now=now)


def count_doomed(*, now: datetime) -> Iterator[Progress]:
    """Yield how many rows of each table `prune` would delete now."""
    for prunable in prunables:
        yield Progress(name=prunable.name, rows=prunable.doomed(now).count())


def doomed_events(now: datetime) -> QuerySet[Event]:
    """Return the audit events that are past their retention, by whole days in UTC, but for those that stay."""
    day = (now - timedelta(days=retention_conf().audit_days)).astimezone(UTC).date()
    cutoff = datetime.combine(day, time_of_day.min, tzinfo=UTC)
    events = Event.objects.filter(pk__lt=first_id(cutoff + SAFE_DELAY), created_at__lt=cutoff)
    events = events.exclude(type__in=COUNTED_FOR_EVER)
    for keeper in event_keepers:
        events = events.exclude(keeper.kept())
    return events


def doomed_mail_tokens(now: datetime) -> QuerySet[MailToken]:
    """Return the mail tokens that expired long enough ago."""
    return MailToken.objects.filter(expires_at__lt=now - MAIL_TOKEN_DAYS)


def register_own() -> None:
    """Let the sweep delete what is this app's."""
    prunables.register(Prunable(name="audit events", doomed=doomed_events))
    prunables.register(Prunable(name="mail tokens", doomed=doomed_mail_tokens))
    prunables.register(Prunable(name="webhook deliveries", doomed=doomed_deliveries))
    prunables.register(Prunable(name="shipped logs", doomed=doomed_logs))


class PruneDaily:
    """The worker's sweep: once when a worker starts, then after each day that is over."""

    name = "prune"

    def __init__(self) -> None:
        self._due_at: datetime | None = None

    def next_due(self, now: datetime) -> datetime | None:
        """Return the first moment of a day at which the day before can be counted."""
        return self._due_at or now

    def run(self, now: datetime, stop: Callable[[], bool]) -> None:
        for _ in prune(now=now):
            if stop():
                return
        counted = now.astimezone(UTC) - SAFE_DELAY
        self._due_at = datetime.combine(counted.date() + timedelta(days=1), time_of_day.min, tzinfo=UTC) + SAFE_DELAY


def _sweep(prunable: Prunable, *, now: datetime) -> Iterator[Progress]:
    rows = prunable.doomed(now)
    deleted, last = _delete_batch(rows, after=None)
    yield Progress(name=prunable.name, rows=deleted)
    while last is not None:
        time.sleep(PAUSE_SECONDS)
        deleted, last = _delete_batch(rows, after=last)
        yield Progress(name=prunable.name, rows=deleted)


@write
def _delete_batch(rows: QuerySet[Any], *, after: UUID | None) -> tuple[int, UUID | None]:
    """Delete the next rows by key; return how many went and the last key, None when none are left.

    The DELETE repeats the condition over the range of keys: what came to stay in the meantime, stays.
    """
    batch = rows if after is None else rows.filter(pk__gt=after)
    last = batch.order_by("pk").values_list("pk", flat=True)[BATCH - 1 : BATCH].first()
    if last is not None:
        batch = batch.filter(pk__lte=last)
    _, by_model = batch.delete()
    return by_model.get(rows.model._meta.label, 0), last
