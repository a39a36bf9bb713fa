"""Rows that are work to be done, shared by any number of workers on any number of machines.

A worker claims a row by moving the row's next attempt to the end of its lease. Nothing has to be taken back from one
that was killed: when the lease is over, the row is simply due again. The end of the lease is also what tells a claim
from every later one.
"""

from datetime import datetime, timedelta
from typing import TypeVar

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
def claim(rows: QuerySet[T], *, limit: int, lease: timedelta, now: datetime) -> list[T]:
    """Return those of the rows that are due, the longest due first, at most `limit`; no other worker gets them.

    They are the caller's until `now + lease`, which must be longer than it takes to work them off, by more than the
    clocks of the machines differ.
    """
    due = rows.filter(next_attempt_at__lte=now)
    # SQLite has no row locks and needs none here: there, a transaction that writes is alone from its first read on, or
    # fails. On PostgreSQL a row that somebody else has claimed meanwhile is either still locked or due no more.
    claimed = list(due.order_by("next_attempt_at").select_for_update(skip_locked=True, no_key=True)[:limit])
    due.filter(pk__in=[row.pk for row in claimed]).update(next_attempt_at=now + lease)
    for row in claimed:
        row.next_attempt_at = now + lease
    return claimed


def held(row: T) -> QuerySet[T]:
    """Return the claimed row as a query: empty once it is gone or somebody else has taken it over.

    Whatever is to become of the row is done through it, in one statement, so that a claim that is over changes nothing.
    """
    return type(row)._default_manager.filter(pk=row.pk, next_attempt_at=row.next_attempt_at)
