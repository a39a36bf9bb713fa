"""The search of webhook deliveries. A page costs the same on any number of deliveries."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from core.db.ids import first_id, made_at, parse_id
from events.webhooks.attempts import list_attempts
from events.webhooks.models import Delivery, DeliveryAttempt

from ..lists.cursors import Position, each_of_pages, read_cursor
from ..lists.scans import Scanned, scan
from .history import ListedDelivery, get_delivery, show_delivery

SCANNED_MAX = 5_000
"""The number of deliveries that a page reads at most."""
QUEUEING_TIME = timedelta(minutes=1)
"""The longest time between the making of an event's id and that of its delivery's id, in one transaction."""

_FINISHED = Q(status=Delivery.Status.DELIVERED) | Q(status=Delivery.Status.FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryFilters:
    """The conditions on the listed deliveries. None means no condition. `event` is the id of an event."""

    status: str | None = None
    type: str | None = None
    event: str | None = None
    user: str | None = None

    @classmethod
    def of(cls, query: Mapping[str, Any]) -> "DeliveryFilters":
        """Return the conditions in the validated query of a search."""
        return cls(**{name: query[name] for name in ("status", "type", "event", "user")})


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryPage:
    """A page of deliveries, the newest first. `back_to` is the time to which the search read, when its limit ended it."""

    deliveries: Sequence[ListedDelivery]
    next_cursor: str | None
    back_to: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryDetail:
    """A delivery, with its latest attempts, the newest first."""

    delivery: ListedDelivery
    attempts: Sequence[DeliveryAttempt]


def search_deliveries(*, filters: DeliveryFilters, cursor: str | None, limit: int) -> DeliveryPage:
    """Return the page after the cursor; the first page without one. Raises BadRequest when it is not a cursor."""
    after = read_cursor(cursor) if cursor is not None else None
    rows = Delivery.objects.all() if filters.status is None else Delivery.objects.filter(status=filters.status)
    matching = Q() if filters.type is None else Q(event_type=filters.type)
    if filters.event is not None:
        event = parse_id(filters.event)
        if event is None:
            return DeliveryPage(deliveries=[], next_cursor=None, back_to=None)
        # No index finds an event. Its delivery has one of the next ids, because one transaction makes both.
        rows = rows.filter(pk__gt=event, pk__lt=first_id(made_at(event) + QUEUEING_TIME))
        matching &= Q(event_id=event)
    if filters.user is not None:
        found = _of_user(rows, filters.user, matching, after=after, limit=limit)
    else:
        found = scan(rows, matching=matching, after=after, limit=limit, most=SCANNED_MAX)
    return DeliveryPage(
        deliveries=[show_delivery(row) for row in found.rows],
        next_cursor=str(found.next) if found.next else None,
        back_to=found.back_to,
    )


def _of_user(
    rows: QuerySet[Delivery], user: str, matching: Q, *, after: Position | None, limit: int
) -> Scanned[Delivery]:
    """Return the deliveries of the user. Of the unfinished ones, a page reads at most SCANNED_MAX of each state.

    The index of users has only finished deliveries. The page ends where the reading of the unfinished ones ended.
    """
    of_user = matching & Q(user_id=user)
    older = rows if after is None else rows.filter(pk__lt=after.id)
    finished = older.filter(_FINISHED & of_user).order_by("-pk")[: limit + 1]
    waiting = [
        scan(rows.filter(status=status), matching=of_user, after=after, limit=limit, most=SCANNED_MAX)
        for status in (Delivery.Status.PENDING, Delivery.Status.IN_FLIGHT)
    ]
    # Both lists of the unfinished ones are complete down to this key.
    ends = [part.next.id for part in waiting if part.next and part.back_to]
    found = [*finished, *(row for part in waiting for row in part.rows)]
    if ends:
        found = [row for row in found if row.pk >= max(ends)]
    found.sort(key=attrgetter("pk"), reverse=True)
    if len(found) > limit:
        return Scanned(rows=found[:limit], next=_position(found[limit - 1].pk), back_to=None)
    if ends:
        return Scanned(rows=found, next=_position(max(ends)), back_to=made_at(max(ends)))
    return Scanned(rows=found, next=None, back_to=None)


def _position(key: UUID) -> Position:
    return Position(created_at=made_at(key), id=key)


def each_delivery(*, filters: DeliveryFilters, batch: int) -> Iterator[ListedDelivery]:
    """Return all deliveries that match, the newest first."""

    def read(cursor: str | None) -> tuple[Sequence[ListedDelivery], str | None]:
        page = search_deliveries(filters=filters, cursor=cursor, limit=batch)
        return page.deliveries, page.next_cursor

    return each_of_pages(read)


def get_delivery_detail(*, delivery_id: str) -> DeliveryDetail:
    """Return the delivery with its attempts. Raises NotFound when no delivery has this id."""
    delivery = get_delivery(delivery_id=delivery_id)
    return DeliveryDetail(delivery=delivery, attempts=list_attempts(delivery_id=delivery.id))
