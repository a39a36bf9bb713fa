"""Routes of the review queue. Their only write stores an operator's review of a flagged event."""

from typing import Any

from core.http.call import Call
from core.http.view import operation

from ..errors import AuditEventNotFound, InvalidReviewNote, InvalidReviewStatus
from ..models import NOTE_MAX
from ..reviews.queue import FlaggedEventPage, ReviewRecord, Status, list_flagged, review
from ..roles import Right
from ..serializers import FlaggedEventsQuery, ReviewInput
from .base import AdminView


class ListAnomalies(AdminView):
    """List flagged events."""

    @operation(query=FlaggedEventsQuery, output=FlaggedEventPage)
    def get(self, call: Call) -> FlaggedEventPage:
        """List the events that detection flagged, the newest first, each with its review."""
        status = call.query["status"]
        return list_flagged(
            status=Status(status) if status else None, limit=call.query["limit"], offset=call.query["offset"]
        )


class ReviewAnomaly(AdminView):
    """Review a flagged event."""

    writes_need = Right.REVIEWS

    @operation(
        input=ReviewInput,
        output=ReviewRecord,
        errors=(AuditEventNotFound, InvalidReviewStatus, InvalidReviewNote),
    )
    def put(self, call: Call) -> ReviewRecord:
        """Store a review in place of an earlier one.

        The status `unreviewed` withdraws the earlier review. The account does not change.
        """
        return review(
            event_id=call.path["event_id"],
            status=_status_of(call.body.get("status")),
            note=_note_of(call.body.get("note", "")),
            operator_id=call.user_id,
            client=call.client,
            now=call.now,
        )


def _status_of(value: Any) -> Status:
    if not isinstance(value, str) or value not in Status.values:
        raise InvalidReviewStatus
    return Status(value)


def _note_of(value: Any) -> str:
    if not isinstance(value, str) or len(value) > NOTE_MAX or "\0" in value:
        raise InvalidReviewNote
    return value
