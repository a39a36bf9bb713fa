"""Deletion of rows after their retention. Each app registers its tables, and one sweep deletes the rows in batches."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from datetime import time as time_of_day
from typing import Any, Protocol
from uuid import UUID

from django.db.models import Q, QuerySet

from core.db.ids import first_id
from core.db.transactions import write
from core.registry import Registry
from events.models import Event
from events.rollup import SAFE_DELAY, roll_up
from events.vocabulary import ALL_TIME_EVENTS

from ..conf import retention_settings
from ..models import FAILURE_MEMORY_PERIOD, Invitation, LoginLock, MailToken, UndoLink

BATCH = 5_000

PAUSE_SECONDS = 0.1
"""The pause between two batches.

A writer that waits for SQLite's lock retries at least this often. It gets the lock during a pause.
"""

MAIL_TOKEN_DAYS = timedelta(days=7)
"""How long an expired mail token is kept.

During this time the API refuses the token with VerificationTokenExpired, and afterwards with VerificationTokenInvalid.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prunable:
    """A table whose rows the sweep deletes after a while.

    `rows` returns an unordered query of the rows that can be deleted at a moment. The service never uses these rows
    again. Their primary keys are UUIDs version 7, which grow with time. The query must bound the primary key, so that
    the database does not read the rows that stay.
    """

    name: str
    rows: Callable[[datetime], QuerySet[Any]]


class EventKeeper(Protocol):
    """Exempts events from deletion at any age."""

    def kept(self) -> Q:
        """Return the condition that selects the events that must stay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A committed part of the sweep: the name of the Prunable and the number of rows."""

    name: str
    rows: int


prunables: Registry[Prunable] = Registry()
event_keepers: Registry[EventKeeper] = Registry()


def prune(*, now: datetime) -> Iterator[Progress]:
    """Delete the rows that are past their retention, and yield after every batch, even after an empty batch.

    The tables follow in the order of registration. Before the deletion, the events of each finished day are counted, so
    that the counts outlive the events. Each batch opens its own transaction. When the caller stops iterating, the sweep
    stops, and the committed batches stay. Concurrent sweeps share the work.
    """
    for _ in roll_up(now=now):
        yield Progress(name="days counted", rows=1)
    for prunable in prunables:
        yield from _sweep(prunable, now=now)


def count_prunable(*, now: datetime) -> Iterator[Progress]:
    """Yield, for each table, the number of rows that `prune` would delete now."""
    for prunable in prunables:
        yield Progress(name=prunable.name, rows=prunable.rows(now).count())


def prunable_events(now: datetime) -> QuerySet[Event]:
    """Return the audit events that are past their retention, without the events that must stay.

    Retention ends at the start of a day in UTC.
    """
    day = (now - timedelta(days=retention_settings().audit_days)).astimezone(UTC).date()
    cutoff = datetime.combine(day, time_of_day.min, tzinfo=UTC)
    events = Event.objects.filter(pk__lt=first_id(cutoff + SAFE_DELAY), created_at__lt=cutoff)
    events = events.exclude(type__in=ALL_TIME_EVENTS)
    for keeper in event_keepers:
        events = events.exclude(keeper.kept())
    return events


def prunable_mail_tokens(now: datetime) -> QuerySet[MailToken]:
    """Return the mail tokens that expired more than MAIL_TOKEN_DAYS ago."""
    return MailToken.objects.filter(expires_at__lt=now - MAIL_TOKEN_DAYS)


def prunable_login_locks(now: datetime) -> QuerySet[LoginLock]:
    """Return the counts of wrong passwords that start again at the next failure."""
    end = now - FAILURE_MEMORY_PERIOD
    return LoginLock.objects.filter(pk__lt=first_id(end), failed_at__lt=end)


def prunable_undo_links(now: datetime) -> QuerySet[UndoLink]:
    """Return the links that expired more than MAIL_TOKEN_DAYS ago."""
    end = now - MAIL_TOKEN_DAYS
    return UndoLink.objects.filter(pk__lt=first_id(end), expires_at__lt=end)


def prunable_invitations(now: datetime) -> QuerySet[Invitation]:
    """Return the invitations that expired more than MAIL_TOKEN_DAYS ago."""
    return Invitation.objects.filter(expires_at__lt=now - MAIL_TOKEN_DAYS)


class PruneDaily:
    """Job that runs the sweep: once when a worker starts, and then after the end of each day."""

    name = "prune"

    def __init__(self) -> None:
        self._due_at: datetime | None = None

    def next_due(self, now: datetime) -> datetime | None:
        """Return the first moment at which yesterday's events can be counted. Before the first run, return `now`."""
        return self._due_at or now

    def run(self, now: datetime, stop: Callable[[], bool]) -> None:
        for _ in prune(now=now):
            if stop():
                return
        counted = now.astimezone(UTC) - SAFE_DELAY
        self._due_at = datetime.combine(counted.date() + timedelta(days=1), time_of_day.min, tzinfo=UTC) + SAFE_DELAY


def _sweep(prunable: Prunable, *, now: datetime) -> Iterator[Progress]:
    rows = prunable.rows(now)
    deleted, last = _delete_batch(rows, after=None)
    yield Progress(name=prunable.name, rows=deleted)
    while last is not None:
        time.sleep(PAUSE_SECONDS)
        deleted, last = _delete_batch(rows, after=last)
        yield Progress(name=prunable.name, rows=deleted)


@write
def _delete_batch(rows: QuerySet[Any], *, after: UUID | None) -> tuple[int, UUID | None]:
    """Delete the next rows in the order of their keys. Return the number of deleted rows and the last key.

    The last key is None when no rows are left. The DELETE repeats the condition over the range of keys. A row that no
    longer matches the condition therefore stays.
    """
    batch = rows if after is None else rows.filter(pk__gt=after)
    last = batch.order_by("pk").values_list("pk", flat=True)[BATCH - 1 : BATCH].first()
    if last is not None:
        batch = batch.filter(pk__lte=last)
    _, by_model = batch.delete()
    return by_model.get(rows.model._meta.label, 0), last
