"""The queue of flagged events, and the operators' judgements on them. A judgement changes no account."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from accounts.core.db.ids import parse_id
from accounts.core.db.transactions import write
from accounts.events.models import Event
from accounts.events.vocabulary import FLAGGED

from .errors import AuditEventNotFound
from .models import Review

Status = Review.Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page of flagged events with their judgements, the newest first. `status` None means events of every status."""

    anomalies: Sequence[dict[str, Any]]
    limit: int
    offset: int
    status: str | None
    has_more: bool


def list_flagged(*, status: Status | None, limit: int, offset: int) -> Page:
    """Return a page of the flagged events with this status. `status` None means events of every status.

    The filter applies before the paging.
    """
    rows = list(_flagged(status).order_by("-created_at", "-id")[offset : offset + limit + 1])
    reviews = Review.objects.in_bulk([event.pk for event in rows[:limit]])
    return Page(
        anomalies=[_item(event, reviews.get(event.pk)) for event in rows[:limit]],
        limit=limit,
        offset=offset,
        status=status,
        has_more=len(rows) > limit,
    )


@write
def review(*, event_id: str, status: Status, note: str, reviewer_id: str, now: datetime) -> dict[str, Any]:
    """Store the judgement in place of an earlier one, and return it. Opens its own transaction.

    Raises AuditEventNotFound when no flagged event has this id.
    """
    key = parse_id(event_id)
    if key is None or not Event.objects.filter(pk=key, type__in=FLAGGED).exists():
        raise AuditEventNotFound
    judgement = {"status": status, "note": note, "reviewer_id": reviewer_id, "updated_at": now}
    Review.objects.bulk_create(
        [Review(event_id=key, **judgement)],
        update_conflicts=True,
        unique_fields=["event_id"],
        update_fields=list(judgement),
    )
    return {"id": event_id, **judgement}


def count_unreviewed(*, limit: int) -> int:
    """Return the number of flagged events without a judgement, at most `limit`."""
    return _flagged(Status.UNREVIEWED)[:limit].count()


def _flagged(status: Status | None) -> QuerySet[Event]:
    events = Event.objects.filter(type__in=FLAGGED)
    if status is None:
        return events
    judged = Exists(Review.objects.filter(pk=OuterRef("pk")).exclude(status=Status.UNREVIEWED))
    if status == Status.UNREVIEWED:
        return events.filter(~judged)
    return events.filter(pk__in=Review.objects.filter(status=status).values("pk"))


def _item(event: Event, judgement: Review | None) -> dict[str, Any]:
    item = {
        "id": str(event.pk),
        "type": event.type,
        "user_id": event.user_id,
        "ip": event.ip,
        "metadata": event.metadata,
        "created_at": event.created_at,
        "status": judgement.status if judgement else Status.UNREVIEWED,
        "note": judgement.note if judgement else "",
    }
    if judgement is None:
        return item
    return item | {"reviewer_id": judgement.reviewer_id, "updated_at": judgement.updated_at}
