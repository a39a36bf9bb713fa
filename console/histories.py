"""The histories of webhook deliveries, shipped logs and recorded digests."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from accounts.events.logs.models import ShippedLog
from accounts.events.logs.shipping import LEVELS, level_name
from accounts.events.webhooks.models import Delivery

from .models import RecordedDigest


def list_deliveries(*, status: str | None, limit: int) -> dict[str, Any]:
    """Return the deliveries to the webhook, sent and pending, the newest first. `payload` is the exact body as text.

    `status` None means deliveries of every status.
    """
    rows = (
        Delivery.objects.order_by("-id") if status is None else Delivery.objects.filter(status=status).order_by("-id")
    )
    deliveries = [_delivery(row) for row in rows[:limit]]
    return {
        "deliveries": deliveries,
        "count": len(deliveries),
        "limit": limit,
        "status": status,
        "statuses": Delivery.Status.values,
    }


def list_shipped_logs(*, level: str | None, limit: int) -> dict[str, Any]:
    """Return the lines of the redacted copy of the log at or above the level, the newest first."""
    rows = ShippedLog.objects.order_by("-id")
    if level is not None:
        rows = rows.filter(level__gte=LEVELS[level])
    events = [
        {
            "id": str(row.pk),
            "level": level_name(row.level),
            "message": row.message,
            "fields": orjson.Fragment(row.fields),
            "shipped_at": row.shipped_at,
        }
        for row in rows[:limit]
    ]
    return {"events": events, "count": len(events), "limit": limit, "level": level, "levels": list(LEVELS)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A recorded digest. Its text is the one that was recorded."""

    id: str
    window_start: datetime
    window_end: datetime
    generated_at: datetime
    text: str


def list_digests(*, limit: int) -> dict[str, Any]:
    """Return the recorded digests, the newest first."""
    runs = [
        Run(
            id=str(row.pk),
            window_start=row.window_start,
            window_end=row.window_end,
            generated_at=row.generated_at,
            text=row.text,
        )
        for row in RecordedDigest.objects.order_by("-id")[:limit]
    ]
    return {"runs": runs, "count": len(runs), "limit": limit}


def _delivery(row: Delivery) -> dict[str, Any]:
    is_over = row.status in (Delivery.Status.DELIVERED, Delivery.Status.FAILED)
    shown = {
        "id": str(row.pk),
        "event_id": str(row.event_id),
        "event_type": row.event_type,
        "user_id": row.user_id,
        "ip": row.ip,
        "payload": row.payload,
        "status": row.status,
        "attempts": row.attempts,
        "error": row.error,
        "duration_ms": row.duration_ms,
        "created_at": row.created_at,
        "next_attempt_at": None if is_over else row.next_attempt_at,
        "delivered_at": row.delivered_at,
    }
    return shown if row.response_code is None else shown | {"response_code": row.response_code}
