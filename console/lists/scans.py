"""Pages of a list with conditions that no index serves. A page reads a limited number of rows, and may stay short."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from django.db.models import Model, Q, QuerySet

from core.db.ids import made_at

from .cursors import Position

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scanned(Generic[M]):
    """The matching rows, the newest first. `next` is the position of the next page, or None at the end of the list.

    `back_to` is the time of the oldest row that was read when the limit of the scan ended the page. Otherwise it is None.
    """

    rows: Sequence[M]
    next: Position | None
    back_to: datetime | None


def scan(rows: QuerySet[M], *, matching: Q, after: Position | None, limit: int, most: int) -> Scanned[M]:
    """Return at most `limit` rows that match. Read at most `most` rows, in the order of their ids, the newest first.

    An index must serve the order of `rows`. The keys of the rows are UUIDs of version 7.
    """
    rows = rows.order_by("-pk")
    if after is not None:
        rows = rows.filter(pk__lt=after.id)
    last = rows.values_list("pk", flat=True)[most - 1 : most].first()
    # The matches are a subset of the rows that the limit of the scan permits, so the database reads no other row.
    read = rows if last is None else rows.filter(pk__gte=last)
    found = list(read.filter(matching)[: limit + 1])
    if len(found) > limit:
        end = found[limit - 1].pk
        return Scanned(rows=found[:limit], next=Position(created_at=made_at(end), id=end), back_to=None)
    if last is None:
        return Scanned(rows=found, next=None, back_to=None)
    return Scanned(rows=found, next=Position(created_at=made_at(last), id=last), back_to=made_at(last))
