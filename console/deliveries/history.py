"""The history of webhook deliveries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar
from uuid import UUID

from django.db.models import Count, Q

from core.db import sql
from core.db.ids import first_id, parse_id
from core.errors import NotFound
from core.http.answers import ABSENT, Absent, Described
from core.http.examples import MOMENT, USER_ID
from events.webhooks.delivery import unfinished_deliveries
from events.webhooks.models import Delivery

from ..examples import EVENT_ID

COUNTED_MAX = 10_000
"""The number at which a count of deliveries stops. Otherwise the cost would grow with the number of deliveries."""

_OUTCOMES = f"""
    SELECT span.number, asked.status, (
        SELECT count(*) FROM (
            SELECT 1 FROM {Delivery._meta.db_table} d
            WHERE d.status = asked.status AND d.id >= span.first AND d.id < span.last LIMIT %s
        ) AS counted
    )
    FROM unnest(%s::uuid[], %s::uuid[]) WITH ORDINALITY AS span(first, last, number)
    CROSS JOIN unnest(%s::text[]) AS asked(status)
"""  # noqa: S608 - a table's own name


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedDelivery:
    """A delivery to the webhook.

    `response_code`, `error` and `duration_ms` describe the last finished attempt. `response_code` is missing when that
    attempt got no answer, and when no attempt has finished.
    """

    component: ClassVar = "Delivery"

    id: UUID
    kind: Annotated[
        Delivery.Kind, Described("`event` to the webhook, or `logout` for a logout token to an application.")
    ]
    event_id: UUID
    event_type: str
    user_id: str | None
    ip: str
    payload: Annotated[str, Described("The body of the request to the webhook, byte for byte.")]
    status: Delivery.Status
    attempts: int
    response_code: int | Absent
    error: str
    duration_ms: int | None
    created_at: datetime
    next_attempt_at: datetime | None
    delivered_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deliveries:
    """Deliveries to the webhook, sent and pending, the newest first. `status` null means deliveries of every status."""

    example: ClassVar = {
        "deliveries": [
            {
                "id": "01a1fd91-6d2e-7f33-8a1b-2c3d4e5f6071",
                "kind": "event",
                "event_id": EVENT_ID,
                "event_type": "signup_success",
                "user_id": USER_ID,
                "ip": "203.0.113.7",
                "payload": '{"id":"01a1fd90-2b4c-7e11-9d3a-6f7081a2b3c4","type":"signup_success",'
                '"timestamp":"2026-11-21T09:45:56.582545Z","data":{"user_id":"01a1fd7f-8a59-70bd-8e98-a7342831606a",'
                '"ip":"203.0.113.7","metadata":{}}}',
                "status": "delivered",
                "attempts": 1,
                "response_code": 204,
                "error": "",
                "duration_ms": 38,
                "created_at": MOMENT,
                "next_attempt_at": None,
                "delivered_at": MOMENT,
            }
        ],
        "count": 1,
        "limit": 50,
        "status": None,
        "statuses": Delivery.Status.values,
    }

    deliveries: Sequence[ListedDelivery]
    count: int
    limit: int
    status: Delivery.Status | None
    statuses: Sequence[Delivery.Status] = tuple(Delivery.Status)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfinished:
    """The number of unfinished deliveries, and how many of these have failed at least once."""

    waiting: int
    retrying: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryOutcomes:
    """The deliveries that were recorded in a time span, by their present state. Each number stops at 10,000."""

    delivered: int
    failed: int
    waiting: int


def list_deliveries(*, status: Delivery.Status | None, limit: int) -> Deliveries:
    """Return the deliveries with this status, sent and pending, the newest first.

    `status` None means deliveries of every status.
    """
    rows = Delivery.objects.order_by("-id")
    if status is not None:
        rows = rows.filter(status=status)
    deliveries = [show_delivery(row) for row in rows[:limit]]
    return Deliveries(deliveries=deliveries, count=len(deliveries), limit=limit, status=status)


def get_delivery(*, delivery_id: str) -> ListedDelivery:
    """Return the delivery. Raises NotFound when no delivery has this id."""
    key = parse_id(delivery_id)
    row = Delivery.objects.filter(pk=key).first() if key else None
    if row is None:
        raise NotFound
    return show_delivery(row)


def count_failed_deliveries(*, since: datetime, limit: int) -> int:
    """Return the number of deliveries from `since` on that failed finally, at most `limit`."""
    return Delivery.objects.filter(status=Delivery.Status.FAILED, id__gte=first_id(since))[:limit].count()


def count_unfinished_deliveries(*, limit: int) -> Unfinished:
    """Return the numbers for at most `limit` unfinished deliveries."""
    # `error` describes the last attempt that ended, so it is blank before the first failure.
    rows = unfinished_deliveries().values("pk", "error")[:limit]
    return Unfinished(**rows.aggregate(waiting=Count("pk"), retrying=Count("pk", filter=~Q(error=""))))


def count_outcomes(*, starts: Sequence[datetime], until: datetime) -> list[DeliveryOutcomes]:
    """Return the outcomes from each start to the next start, and from the last start to before `until`.

    Reads at most COUNTED_MAX index entries of each status in each span. Needs PostgreSQL.
    """
    bounds = [first_id(moment) for moment in (*starts, until)]
    rows = sql.fetch_all(_OUTCOMES, (COUNTED_MAX, bounds[:-1], bounds[1:], Delivery.Status.values))
    counts = {(number, status): count for number, status, count in rows}
    return [
        DeliveryOutcomes(
            delivered=counts[number, Delivery.Status.DELIVERED],
            failed=counts[number, Delivery.Status.FAILED],
            waiting=min(
                COUNTED_MAX, counts[number, Delivery.Status.PENDING] + counts[number, Delivery.Status.IN_FLIGHT]
            ),
        )
        for number in range(1, len(bounds))
    ]


def show_delivery(row: Delivery) -> ListedDelivery:
    """Return the delivery as the API shows it."""
    is_finished = row.status in (Delivery.Status.DELIVERED, Delivery.Status.FAILED)
    return ListedDelivery(
        id=row.pk,
        kind=Delivery.Kind(row.kind),
        event_id=row.event_id,
        event_type=row.event_type,
        user_id=row.user_id,
        ip=row.ip,
        payload=row.payload,
        status=Delivery.Status(row.status),
        attempts=row.attempts,
        response_code=ABSENT if row.response_code is None else row.response_code,
        error=row.error,
        duration_ms=row.duration_ms,
        created_at=row.created_at,
        next_attempt_at=None if is_finished else row.next_attempt_at,
        delivered_at=row.delivered_at,
    )
