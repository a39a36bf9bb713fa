"""Rows that are work to be done, shared by any number of workers on any number of machines.

A worker claims a row by moving the row's next attempt to the end of its lease. Nothing has to be taken back from one
that was killed: when the lease is over, the row is simply due again. The end of the lease is also what tells a claim
from every later one.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db import models
from django.db.models import QuerySet

from .transactions import write


class Leased(models.Model):
    """A row of work. It is due from `next_attempt_at` on, which for a claimed one is the end of the lease."""

    next_attempt_at = models.DateTimeField()

    class Meta:
        """Each kind of work has a table, and an index on `next_attempt_at`, of its own."""

        abstract = True


T = TypeVar("T", bound=Leased)


@write
def claim(
    rows: QuerySet[T], *, limit: int, lease: timedelta, now: datetime, changes: Mapping[str, Any] | None = None
) -> list[T]:
    """Return those of the rows that are due, the longest due first, at most `limit`; no other worker gets them.

    They are the caller's until `now + lease`, which must be longer than it takes to work them off, by more than the
    clocks of the machines differ. `changes` is what a claim changes in them besides, as `QuerySet.update()` takes it.
    """
    due = rows.filter(next_attempt_at__lte=now)
    # SQLite has no row locks and needs none here: there, a transaction that writes is alone from its first read on, or
    # fails. On PostgreSQL a row that somebody else has claimed meanwhile is either still locked or due no more.
    locked = due.order_by("next_attempt_at").select_for_update(skip_locked=True, no_key=True)
    keys = list(locked.values_list("pk", flat=True)[:limit])
    due.filter(pk__in=keys).update(next_attempt_at=now + lease, **(changes or {}))
    claimed = rows.model._default_manager.in_bulk(keys)
    return [claimed[key] for key in keys]


def held(row: T, *others: T) -> QuerySet[T]:
    """Return the claimed row, or several of one claim, as a query: without those that are gone or were taken over.

    Whatever is to become of the row is done through it, in one statement, so that a claim that is over changes nothing.
    """
    keys = [row.pk, *(other.pk for other in others)]
    return type(row)._default_manager.filter(pk__in=keys, next_attempt_at=row.next_attempt_at)
