"""The queue of flagged events, and the operators' reviews of them. A review changes no account."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import Count, Exists, Min, OuterRef, QuerySet

from core.db.ids import first_id, parse_id
from core.db.transactions import write
from core.http.answers import ABSENT, Absent
from core.http.client import Client
from core.http.examples import MOMENT, USER_ID
from events.models import Event
from events.vocabulary import FLAGGED_EVENTS, EventType

from ..errors import AuditEventNotFound
from ..examples import EVENT_ID
from ..lists.cursors import Position, older_than
from ..models import Review
from ..operators.acts import record_act
from .subjects import EVERYTHING, Subject

Status = Review.Status


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRecord:
    """An operator's review of a flagged event. `id` is the id of the event."""

    component: ClassVar = "Review"
    example: ClassVar = {
        "id": EVENT_ID,
        "status": "dismissed",
        "note": "The user was on a journey.",
        "reviewer_id": "01a1fd00-7c11-7abc-8def-0123456789ab",
        "updated_at": MOMENT,
    }

    id: UUID
    status: Status
    note: str
    reviewer_id: str
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class FlaggedEvent:
    """A flagged event. `reviewer_id` and `updated_at` are missing when the event was never reviewed."""

    component: ClassVar = "Anomaly"
    example: ClassVar = {
        "id": EVENT_ID,
        "type": "anomaly_detected",
        "user_id": USER_ID,
        "ip": "203.0.113.7",
        "metadata": {"signals": ["new_ip", "new_device"]},
        "created_at": MOMENT,
        "status": "unreviewed",
        "note": "",
    }

    id: UUID
    type: str
    user_id: str | None
    ip: str
    metadata: Mapping[str, Any]
    created_at: datetime
    status: Status
    note: str
    reviewer_id: str | Absent
    updated_at: datetime | Absent


@dataclass(frozen=True, slots=True, kw_only=True)
class FlaggedEventPage:
    """A page of flagged events with their reviews, the newest first. `status` null means events of every status."""

    component: ClassVar = "AnomalyPage"
    example: ClassVar = {
        "anomalies": [FlaggedEvent.example],
        "limit": 50,
        "offset": 0,
        "status": None,
        "has_more": False,
    }

    anomalies: Sequence[FlaggedEvent]
    limit: int
    offset: int
    status: Status | None
    has_more: bool


def list_flagged(*, status: Status | None, limit: int, offset: int) -> FlaggedEventPage:
    """Return a page of the flagged events with this status. `status` None means events of every status.

    The filter applies before the paging.
    """
    rows = list(flagged(status).order_by("-created_at", "-id")[offset : offset + limit + 1])
    return FlaggedEventPage(
        anomalies=_flagged_events(rows[:limit]),
        limit=limit,
        offset=offset,
        status=status,
        has_more=len(rows) > limit,
    )


def list_flagged_after(
    *, status: Status | None, position: Position | None, limit: int, subject: Subject = EVERYTHING
) -> list[FlaggedEvent]:
    """Return the flagged events after the position in the list of this status, the newest first. None means all events."""
    rows = subject.narrow(flagged(status)).order_by("-created_at", "-id")
    return _flagged_events(list(older_than(rows, position)[:limit]))


def find_flagged(*, keys: Sequence[UUID]) -> list[FlaggedEvent]:
    """Return the flagged events with these ids, the newest first. Ids without a flagged event are missing."""
    return _flagged_events(list(flagged(None).filter(pk__in=keys).order_by("-created_at", "-id")))


def get_flagged(*, event_id: str) -> FlaggedEvent:
    """Return the flagged event. Raises AuditEventNotFound when no flagged event has this id."""
    (found,) = find_flagged(keys=[get_key(event_id)])
    return found


def find_last_reviewed(*, operator_id: str, since: datetime) -> FlaggedEvent | None:
    """Return the event of the operator's last act in the queue since then, if the operator reviewed that one event.

    Returns None when the review is withdrawn or when another operator replaced it.
    """
    acts = Event.objects.filter(user_id=operator_id, type=EventType.OPERATOR_EVENT_REVIEWED, id__gte=first_id(since))
    act = acts.order_by("-id").first()
    keys = [UUID(key) for key in act.metadata["event_ids"]] if act else []
    if len(keys) != 1:
        return None
    is_own = Review.objects.filter(pk=keys[0], reviewer_id=operator_id).exclude(status=Status.UNREVIEWED).exists()
    return next(iter(find_flagged(keys=keys)), None) if is_own else None


@write
def review(
    *, event_id: str, status: Status, note: str, operator_id: str, client: Client, now: datetime
) -> ReviewRecord:
    """Store the review in place of an earlier one, and return it. Opens its own transaction.

    Raises AuditEventNotFound when no flagged event has this id.
    """
    key = get_key(event_id)
    Review.objects.bulk_create(
        [Review(event_id=key, status=status, note=note, reviewer_id=operator_id, updated_at=now)],
        update_conflicts=True,
        unique_fields=["event_id"],
        update_fields=["status", "note", "reviewer_id", "updated_at"],
    )
    record_review([key], status, operator_id=operator_id, client=client, now=now)
    return ReviewRecord(id=key, status=status, note=note, reviewer_id=operator_id, updated_at=now)


@dataclass(frozen=True, slots=True, kw_only=True)
class FlaggedColumns:
    """The columns of a flagged event that decide about an attack."""

    type: str
    user_id: str | None
    ip: str
    metadata: Mapping[str, Any]
    created_at: datetime

    @property
    def signals(self) -> frozenset[str]:
        """The signals of the event."""
        return frozenset(self.metadata.get("signals", ()))


def latest_not_dismissed(*, since: datetime, limit: int) -> list[FlaggedColumns]:
    """Return the flagged events at or after `since` that no operator has dismissed, the newest first, at most `limit`."""
    dismissed = Exists(Review.objects.filter(pk=OuterRef("pk"), status=Status.DISMISSED))
    rows = flagged(None).filter(~dismissed, created_at__gte=since)
    # A thousand instances of a model take longer than the query.
    columns = rows.order_by("-created_at", "-id").values_list("type", "user_id", "ip", "metadata", "created_at")
    return [
        FlaggedColumns(type=event, user_id=user_id, ip=ip, metadata=metadata, created_at=created_at)
        for event, user_id, ip, metadata, created_at in columns[:limit]
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreviewed:
    """The number of flagged events without a review, and the time of the oldest; None when there are none."""

    count: int
    oldest_at: datetime | None


def find_unreviewed(*, limit: int) -> Unreviewed:
    """Return the number and the oldest of the flagged events without a review. Only the newest `limit` count."""
    newest = flagged(Status.UNREVIEWED).order_by("-created_at", "-id").values("created_at")[:limit]
    found = newest.aggregate(count=Count("*"), oldest_at=Min("created_at"))
    return Unreviewed(**found)


def get_key(event_id: str) -> UUID:
    """Return the id as a UUID. Raises AuditEventNotFound when no flagged event has this id."""
    key = parse_id(event_id)
    if key is None or not Event.objects.filter(pk=key, type__in=FLAGGED_EVENTS).exists():
        raise AuditEventNotFound
    return key


def record_review(keys: Sequence[UUID], status: Status, *, operator_id: str, client: Client, now: datetime) -> None:
    """Record the act of an operator who gave these events this status. Runs in the transaction of the change."""
    metadata = {"event_ids": [str(key) for key in keys], "status": str(status)}
    record_act(
        act=EventType.OPERATOR_EVENT_REVIEWED, operator_id=operator_id, client=client, now=now, metadata=metadata
    )


def flagged(status: Status | None) -> QuerySet[Event]:
    """Return the flagged events with this status. None means events of every status."""
    events = Event.objects.filter(type__in=FLAGGED_EVENTS)
    if status is None:
        return events
    reviewed = Exists(Review.objects.filter(pk=OuterRef("pk")).exclude(status=Status.UNREVIEWED))
    if status == Status.UNREVIEWED:
        return events.filter(~reviewed)
    return events.filter(pk__in=Review.objects.filter(status=status).values("pk"))


def _flagged_events(events: Sequence[Event]) -> list[FlaggedEvent]:
    reviews = Review.objects.in_bulk([event.pk for event in events])
    return [_flagged_event(event, reviews.get(event.pk)) for event in events]


def _flagged_event(event: Event, review: Review | None) -> FlaggedEvent:
    return FlaggedEvent(
        id=event.pk,
        type=event.type,
        user_id=event.user_id,
        ip=event.ip,
        metadata=event.metadata,
        created_at=event.created_at,
        status=Status(review.status) if review else Status.UNREVIEWED,
        note=review.note if review else "",
        reviewer_id=review.reviewer_id if review else ABSENT,
        updated_at=review.updated_at if review else ABSENT,
    )
