"""Reviews that never overwrite those of another operator.

An operator reviews one event, reviews all events of a list, or withdraws a review.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from core.db import sql
from core.db.transactions import write
from core.http.client import Client
from events.models import Event

from ..lists.cursors import Position, older_than, read_cursor
from ..models import Review
from .queue import ReviewRecord, Status, flagged, get_key, record_review
from .subjects import EVERYTHING, Subject

BATCH = 100

# One statement is needed: between two statements, another operator could review an event.
_STORE_SQL = f"""
    INSERT INTO {Review._meta.db_table} AS review (event_id, status, note, reviewer_id, updated_at)
    SELECT event_id, %s, %s, %s, %s FROM unnest(%s::uuid[]) AS event_id
    ON CONFLICT (event_id) DO UPDATE SET
        status = excluded.status, note = excluded.note, reviewer_id = excluded.reviewer_id, updated_at = excluded.updated_at
    WHERE review.updated_at <= %s AND review.status = coalesce(%s, review.status)
    RETURNING event_id
"""  # noqa: S608 - a table's own name


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewConflict:
    """Another review than expected exists, so the call changed nothing. `current` is None when there is none."""

    current: ReviewRecord | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchReviewed:
    """A committed batch: the number of reviewed events, and the events whose review changed since the list was made.

    `cursor` is the position at which a later call continues.
    """

    reviewed: int
    changed: Sequence[UUID]
    cursor: str


@write
def review_if_unchanged(
    *,
    event_id: str,
    status: Status,
    note: str,
    seen_at: datetime | None,
    operator_id: str,
    client: Client,
    now: datetime,
) -> ReviewRecord | ReviewConflict:
    """Store the review if no other one replaced that of `seen_at`. Otherwise change nothing.

    `seen_at` is the `updated_at` of the review that the operator saw. None means that the event was never reviewed.
    Opens its own transaction. Raises AuditEventNotFound when no flagged event has this id.
    """
    key = get_key(event_id)
    values = {"status": status, "note": note, "reviewer_id": operator_id, "updated_at": now}
    if not _store_if_unchanged(key, seen_at, values):
        return _conflict(key)
    record_review([key], status, operator_id=operator_id, client=client, now=now)
    return ReviewRecord(id=key, status=status, note=note, reviewer_id=operator_id, updated_at=now)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralReviewed:
    """A committed review of chosen events. The events in `changed` had another review than expected, which stays."""

    reviewed: Sequence[UUID]
    changed: Sequence[UUID]


@write
def review_several(
    *,
    seen: Mapping[UUID, datetime | None],
    status: Status,
    note: str,
    operator_id: str,
    client: Client,
    now: datetime,
) -> SeveralReviewed:
    """Store one review for each of these flagged events unless its review changed, and record one act.

    `seen` has the `updated_at` of the review that the operator saw, by the id of the event; None without a review. Ids
    without a flagged event are left out. Opens its own transaction.
    """
    values = {"status": status, "note": note, "reviewer_id": operator_id, "updated_at": now}
    keys = list(flagged(None).filter(pk__in=seen).order_by("-created_at", "-id").values_list("pk", flat=True))
    stored = [key for key in keys if _store_if_unchanged(key, seen[key], values)]
    if stored:
        record_review(stored, status, operator_id=operator_id, client=client, now=now)
    return SeveralReviewed(reviewed=stored, changed=[key for key in keys if key not in stored])


@write
def undo_review(
    *, event_id: str, reviewed_at: datetime, operator_id: str, client: Client, now: datetime
) -> ReviewRecord | ReviewConflict:
    """Make the event unreviewed if its review is still that of the operator at `reviewed_at`.

    Otherwise change nothing.

    The note is deleted. Opens its own transaction. Raises AuditEventNotFound when no flagged event has this id.
    """
    key = get_key(event_id)
    own = Review.objects.filter(pk=key, reviewer_id=operator_id, updated_at=reviewed_at)
    if not own.update(status=Status.UNREVIEWED, note="", updated_at=now):
        return _conflict(key)
    record_review([key], Status.UNREVIEWED, operator_id=operator_id, client=client, now=now)
    return ReviewRecord(id=key, status=Status.UNREVIEWED, note="", reviewer_id=operator_id, updated_at=now)


def count_listed(*, shown: Status | None, listed_at: datetime, limit: int, subject: Subject = EVERYTHING) -> int:
    """Return the number of events that `review_all` would visit, at most `limit`."""
    return _listed(shown, subject, listed_at)[:limit].count()


def review_all(
    *,
    shown: Status | None,
    listed_at: datetime,
    cursor: str | None,
    status: Status,
    note: str,
    operator_id: str,
    client: Client,
    now: datetime,
    subject: Subject = EVERYTHING,
) -> Iterator[BatchReviewed]:
    """Review all events that the list of the status `shown` had at `listed_at`. Yield after each batch.

    `shown` None means events of every status. `subject` narrows the list.

    Later reviews stay, and the batch names their events. Events that were flagged later stay too. Each batch opens
    its own transaction. When the caller stops iterating, the committed batches stay. A later call continues at the
    `cursor` of the last batch. Raises BadRequest when the cursor is not one.
    """
    position = read_cursor(cursor) if cursor is not None else None
    while events := list(older_than(_listed(shown, subject, listed_at), position)[:BATCH]):
        position = Position.of(events[-1])
        yield _review_batch(
            keys=[event.pk for event in events],
            shown=shown,
            listed_at=listed_at,
            cursor=str(position),
            status=status,
            note=note,
            operator_id=operator_id,
            client=client,
            now=now,
        )


@write
def _review_batch(
    *,
    keys: Sequence[UUID],
    shown: Status | None,
    listed_at: datetime,
    cursor: str,
    status: Status,
    note: str,
    operator_id: str,
    client: Client,
    now: datetime,
) -> BatchReviewed:
    # An event that was never reviewed has no row. So the condition on rows applies only to reviewed and withdrawn events.
    parameters = (str(status), note, operator_id, now, list(keys), listed_at, str(shown) if shown else None)
    reviewed = {sql.to_uuid(key) for (key,) in sql.fetch_all(_STORE_SQL, parameters)}
    if reviewed:
        ordered = [key for key in keys if key in reviewed]
        record_review(ordered, status, operator_id=operator_id, client=client, now=now)
    return BatchReviewed(reviewed=len(reviewed), changed=[key for key in keys if key not in reviewed], cursor=cursor)


def _store_if_unchanged(key: UUID, seen_at: datetime | None, values: Mapping[str, Any]) -> bool:
    if seen_at is None:
        _, is_stored = Review.objects.get_or_create(event_id=key, defaults=values)
        return is_stored
    return bool(Review.objects.filter(pk=key, updated_at=seen_at).update(**values))


def _listed(shown: Status | None, subject: Subject, listed_at: datetime) -> QuerySet[Event]:
    """Return the events of the list, and those whose review changed since then, the newest first.

    An event whose review changed may have been in the list.
    """
    events = subject.narrow(flagged(None)).filter(created_at__lte=listed_at).order_by("-created_at", "-id")
    if shown is None:
        return events
    reviews = Review.objects.filter(pk=OuterRef("pk"))
    if shown == Status.UNREVIEWED:
        return events.filter(~Exists(reviews.filter(updated_at__lte=listed_at).exclude(status=Status.UNREVIEWED)))
    return events.filter(Exists(reviews.filter(Q(status=shown) | Q(updated_at__gt=listed_at))))


def _conflict(key: UUID) -> ReviewConflict:
    row = Review.objects.filter(pk=key).first()
    if row is None:
        return ReviewConflict(current=None)
    current = ReviewRecord(
        id=key, status=Status(row.status), note=row.note, reviewer_id=row.reviewer_id, updated_at=row.updated_at
    )
    return ReviewConflict(current=current)
