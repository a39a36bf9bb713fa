"""Leases on rows of work, so that any number of workers on any number of machines can share the rows.

A worker claims a row by setting `next_attempt_at` to the end of the lease. If the worker is killed, the row is due
again when the lease ends. The end of the lease also distinguishes the claim from every later claim of the row.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db import models
from django.db.models import QuerySet

from .transactions import write


class Leased(models.Model):
    """A row of work, which is due from `next_attempt_at` on. A claimed row is due again at the end of its lease."""

    next_attempt_at = models.DateTimeField()

    class Meta:
        """Each kind of work has its own table and its own index on `next_attempt_at`."""

        abstract = True


T = TypeVar("T", bound=Leased)


@write
def claim(
    rows: QuerySet[T], *, limit: int, lease: timedelta, now: datetime, changes: Mapping[str, Any] | None = None
) -> list[T]:
    """Claim at most `limit` of the rows that are due and return them, the longest due first.

    No other worker gets the rows until `now + lease`. The lease must be longer than the work on the rows. The margin
    must exceed the difference between the clocks of the machines. `changes` are further values that the claim sets, in
    the form of the keyword arguments of `QuerySet.update()`. Opens its own transaction.
    """
    due = rows.filter(next_attempt_at__lte=now)
    # SQLite has no row locks and needs none here. A transaction fails if another one writes between its first read and
    # its own write. On PostgreSQL a row that another worker claims in the meantime is still locked or no longer due.
    locked = due.order_by("next_attempt_at").select_for_update(skip_locked=True, no_key=True)
    keys = list(locked.values_list("pk", flat=True)[:limit])
    due.filter(pk__in=keys).update(next_attempt_at=now + lease, **(changes or {}))
    claimed = rows.model._default_manager.in_bulk(keys)
    return [claimed[key] for key in keys]


def still_claimed(row: T, *others: T) -> QuerySet[T]:
    """Return a query for the rows of one claim that this worker still has.

    The query leaves out deleted rows and rows that another worker has claimed since. The caller updates or deletes the
    rows through this query in one statement, so that an expired claim changes nothing.
    """
    keys = [row.pk, *(other.pk for other in others)]
    return type(row)._default_manager.filter(pk__in=keys, next_attempt_at=row.next_attempt_at)
