"""The pages of the review queue: the list, one flagged event, and one review for all events of the list."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop, pgettext
from rest_framework import serializers

from core.clock import rfc3339
from core.db.ids import parse_id
from core.http.answers import Absent
from core.http.call import Call
from core.http.fields import Choice, QueryInteger, QueryMoment, Text
from core.http.view import operation
from sessions_app.conf import detection_settings

from ....attacks.review_groups import READ_MAX, count_flagged, find_groups
from ....errors import AuditEventNotFound
from ....lists.cursors import Position, read_cursor
from ....models import NOTE_MAX
from ....people.users import find_emails
from ....reviews.guarded import (
    BatchReviewed,
    ReviewConflict,
    count_listed,
    review_all,
    review_if_unchanged,
    undo_review,
)
from ....reviews.queue import FlaggedEvent, Status, find_flagged, find_last_reviewed, get_flagged, list_flagged_after
from ....reviews.subjects import Subject
from ....roles import Right
from ....serializers import QueryNetwork
from ....trail.search import EventFilters, search_events
from ...explanations import meanings_of, outcome_of, reasons_of, suspicion_of
from ...page import ConsolePage
from .groups import group_rows

PAGE_SIZE = 25
"""The number of events on a page of the list. With more events and long notes, the page would be too large."""
COUNTED_MAX = 10_000
"""The number at which the count of a list stops."""
BEFORE, AFTER = timedelta(hours=1), timedelta(minutes=15)
"""The time around a flagged event whose other events help to review it."""
AROUND_MAX = 25
UNDO_AGE = timedelta(hours=1)
"""The age from which on the list does not offer to undo a review."""
BATCHES_OF_PART = 5
"""The number of batches of a request that the script of the page sends. The progress advances after each request."""
BATCHES_OF_PAGE = 100
"""The number of batches of a request without a script. A larger list needs several requests."""
NAMED_MAX = 25
"""The number of events that a report lists at most. Other operators reviewed these events meanwhile."""

ANY_STATUS = "all"
NOTICES: Mapping[str, str] = {
    Status.CONFIRMED: gettext_noop("Confirmed: %(subject)s."),
    Status.DISMISSED: gettext_noop("Dismissed: %(subject)s."),
    Status.UNREVIEWED: gettext_noop("The review is withdrawn: %(subject)s."),
}


class Note(Text):
    """A note. Browsers send CR LF for the end of a line, which would count as two characters."""

    def __init__(self) -> None:
        super().__init__(max_length=NOTE_MAX, default="")

    def to_internal_value(self, data: Any) -> str:
        return super().to_internal_value(data).replace("\r\n", "\n")


class SubjectQuery(serializers.Serializer[None]):
    """The filters of the list. `network` and `user` lead to the events of one attack or of one user."""

    status = Choice([*Status.values, ANY_STATUS], default=Status.UNREVIEWED)
    network = QueryNetwork(default=None)
    user = Text(max_length=64, allow_blank=False, default=None)


class ReviewsQuery(SubjectQuery):
    """The filters of the list, and the position at which a page of it starts."""

    cursor = Text(max_length=80, default=None)


class ReviewAllQuery(SubjectQuery):
    """The filters of the list that gets one review, and the time at which the operator saw the list."""

    listed_at = QueryMoment(default=None)


class ReviewForm(serializers.Serializer[None]):
    """A review. `seen_at` is the time of the review that the form showed; blank when there was none."""

    status = Choice(Status.values)
    note = Note()
    seen_at = Text(max_length=40, default="")

    def validate_seen_at(self, text: str) -> datetime | None:
        """Return the time, or None for a blank text."""
        return QueryMoment().run_validation(text) if text else None


class UndoForm(serializers.Serializer[None]):
    """The time of the review to undo."""

    reviewed_at = QueryMoment()


class ReviewAllForm(serializers.Serializer[None]):
    """The review for all events of a list. The other members carry the figures of the earlier requests."""

    new_status = Choice(Status.values)
    note = Note()
    cursor = Text(max_length=80, default="")
    total = QueryInteger(min_value=0, max_value=COUNTED_MAX, default=0)
    reviewed = QueryInteger(min_value=0, max_value=999_999_999, default=0)
    changed = QueryInteger(min_value=0, max_value=999_999_999, default=0)
    named = Text(max_length=NAMED_MAX * 40, default="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A flagged event as pages show it. `suspicion` is what a confirmation says. `reviewer` is "you", an address or an id; "" without a review.

    `seen_at` is the time of the review for forms; "" without one. `around_url` leads to the events around it.
    """

    event: FlaggedEvent
    reasons: str
    suspicion: str
    outcome: str
    email: str
    reviewer: str
    seen_at: str
    around_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The state of a review for all events of a list. `named` are the ids of the first changed events."""

    total: int
    reviewed: int
    changed: int
    named: Sequence[str]
    cursor: str
    is_over: bool

    @property
    def done(self) -> int:
        """The number of visited events."""
        return self.reviewed + self.changed


class Reviews(ConsolePage):
    """The review queue."""

    section = "reviews"
    template = "authsvc_console/reviews.html"

    @operation(query=ReviewsQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show the flagged events with a review, the newest first."""
        cursor = call.query["cursor"]
        position = read_cursor(cursor) if cursor else None
        found = list_flagged_after(status=_shown(call), subject=_subject(call), position=position, limit=PAGE_SIZE + 1)
        listed = found[:PAGE_SIZE]
        last = find_last_reviewed(operator_id=call.user_id, since=call.now - UNDO_AGE)
        rows = rows_of([*listed, *([last] if last else [])], operator_id=call.user_id)
        older = str(Position(created_at=listed[-1].created_at, id=listed[-1].id)) if len(found) > PAGE_SIZE else ""
        context = {
            "rows": rows[: len(listed)],
            "last": rows[-1] if last else None,
            "status": call.query["status"],
            "subject": _subject_text(call),
            "tabs": [
                (
                    name,
                    self.url_with(status=name, cursor=""),
                    count_flagged(status=_status_of(name), subject=_subject(call)),
                )
                for name in (*Status.values, ANY_STATUS)
            ],
            "tab_max": READ_MAX,
            "filters": _filters_of(call),
            "groups": [] if _filters_of(call) or cursor else group_rows(find_groups(status=_shown(call)), call),
            "query": _query_of(call),
            "older": self.url_with(cursor=older) if older else "",
            "newest": self.url_with(cursor="") if cursor else "",
            "all_url": f"{reverse('authsvc-console-review-all')}?"
            + urlencode({**_filters_of(call), "status": call.query["status"], "listed_at": rfc3339(call.now)}),
            "exported": {"status": call.query["status"]},
            "list_query": {**_filters_of(call), "status": call.query["status"]},
            "is_detection_on": detection_settings().is_on,
            "note_max": NOTE_MAX,
        }
        return self.render(context)


class ShowReview(ConsolePage):
    """One flagged event."""

    writes_need = Right.REVIEWS
    section = "reviews"
    template = "authsvc_console/review.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the event, the events around it, and the addresses of the list."""
        event = get_flagged(event_id=call.path["event_id"])
        (row,) = rows_of([event], operator_id=call.user_id)
        around = search_events(filters=_around(event), cursor=None, limit=AROUND_MAX)
        return {
            "row": row,
            "meanings": meanings_of(event.metadata),
            "around": around.events,
            "note": self.form.values.get("note", event.note),
            "query": _query_of(call),
            "list_url": list_url(call),
            "note_max": NOTE_MAX,
        }

    @operation(query=ReviewsQuery, output=HttpResponse, errors=(AuditEventNotFound,))
    def get(self, call: Call) -> HttpResponse:
        """Show why detection flagged the event, and what happened around it. A part is the row of the list."""
        return self._row(call) if self.is_part else self.render(self.context(call))

    @operation(query=ReviewsQuery, input=ReviewForm, output=HttpResponse, errors=(AuditEventNotFound,))
    def post(self, call: Call) -> HttpResponse:
        """Store the review and return to the list. Ask first when the review changed since the page was open."""
        status = Status(call.body["status"])
        outcome = review_if_unchanged(
            event_id=call.path["event_id"],
            status=status,
            note=call.body["note"],
            seen_at=call.body["seen_at"],
            operator_id=call.user_id,
            client=call.client,
            now=call.now,
        )
        if isinstance(outcome, ReviewConflict):
            template = "authsvc_console/review_conflict.html" if self.is_part else ""
            return self.render({**self.context(call), "mine": status}, status=409, template=template)
        if self.is_part:
            return self._row(call)
        event = get_flagged(event_id=call.path["event_id"])
        position = Position(created_at=event.created_at, id=event.id)
        following = list_flagged_after(status=_shown(call), subject=_subject(call), position=position, limit=1)
        url = f"{list_url(call)}#event-{following[0].id}" if following else list_url(call)
        return self.redirect(url, notice=gettext(NOTICES[status]) % {"subject": reasons_of(event.metadata)})

    def _row(self, call: Call, *, status: int = 200) -> HttpResponse:
        (row,) = rows_of([get_flagged(event_id=call.path["event_id"])], operator_id=call.user_id)
        template = "authsvc_console/review_row.html"
        return self.render({"row": row, "query": _query_of(call)}, template=template, status=status)


class UndoReview(ConsolePage):
    """The withdrawal of the operator's own review."""

    writes_need = Right.REVIEWS
    section = "reviews"

    @operation(query=ReviewsQuery, input=UndoForm, output=HttpResponse, errors=(AuditEventNotFound,))
    def post(self, call: Call) -> HttpResponse:
        """Make the event unreviewed again, unless another review replaced that of the form."""
        event_id = call.path["event_id"]
        outcome = undo_review(
            event_id=event_id,
            reviewed_at=call.body["reviewed_at"],
            operator_id=call.user_id,
            client=call.client,
            now=call.now,
        )
        is_undone = not isinstance(outcome, ReviewConflict)
        if self.is_part:
            (row,) = rows_of([get_flagged(event_id=event_id)], operator_id=call.user_id)
            context = {"row": row, "query": _query_of(call)}
            template = "authsvc_console/review_row.html"
            return self.render(context, template=template, status=200 if is_undone else 409)
        if is_undone:
            url = f"{list_url(call)}#event-{event_id}"
            return self.redirect(url, notice=gettext("Undone. The event waits for a review again."))
        url = f"{reverse('authsvc-console-review', args=[event_id])}?{_query_of(call)}"
        return self.redirect(url, notice=gettext("Nothing is undone, because the review has changed since."))


class ReviewAll(ConsolePage):
    """One review for all events of a list."""

    writes_need = Right.REVIEWS
    section = "reviews"
    template = "authsvc_console/review_all.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the list and the number of its events."""
        total = count_listed(shown=_shown(call), subject=_subject(call), listed_at=_listed_at(call), limit=COUNTED_MAX)
        return {**self._list(call), "total": total}

    def _list(self, call: Call) -> Mapping[str, object]:
        listed_at = _listed_at(call)
        return {
            "status": call.query["status"],
            "subject": _subject_text(call),
            "listed_at": listed_at,
            "counted_max": COUNTED_MAX,
            "url": f"{self.request.path}?"
            + urlencode({**_filters_of(call), "status": call.query["status"], "listed_at": rfc3339(listed_at)}),
            "list_url": list_url(call),
            "note_max": NOTE_MAX,
        }

    @operation(query=ReviewAllQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """State how many events the list has, and show the form."""
        return self.render(self.context(call))

    @operation(query=ReviewAllQuery, input=ReviewAllForm, output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Review some batches, and show the progress or the report. A part continues by itself."""
        limit = BATCHES_OF_PART if self.is_part else BATCHES_OF_PAGE
        batches = review_all(
            shown=_shown(call),
            subject=_subject(call),
            listed_at=_listed_at(call),
            cursor=call.body["cursor"] or None,
            status=Status(call.body["new_status"]),
            note=call.body["note"],
            operator_id=call.user_id,
            client=call.client,
            now=call.now,
        )
        run = _after(call.body, list(islice(batches, limit)), limit=limit)
        keys = [key for key in map(parse_id, run.named) if key is not None] if run.is_over else []
        context = {
            **self._list(call),
            "run": run,
            "new_status": call.body["new_status"],
            "typed_note": call.body["note"],
            "changed": rows_of(find_flagged(keys=keys), operator_id=call.user_id),
        }
        return self.render(context, template="authsvc_console/review_run.html" if self.is_part else "")


def rows_of(events: Iterable[FlaggedEvent], *, operator_id: str) -> list[Row]:
    """Return the events as the pages show them to this operator. One query finds all addresses."""
    listed = list(events)
    reviewers = [None if isinstance(event.reviewer_id, Absent) else event.reviewer_id for event in listed]
    emails = find_emails(user_ids=[*(event.user_id for event in listed), *reviewers])
    return [
        Row(
            event=event,
            reasons=reasons_of(event.metadata),
            suspicion=suspicion_of(event.metadata),
            outcome=outcome_of(event.metadata),
            email=emails.get(event.user_id, ""),
            reviewer=pgettext("reviewer", "you") if reviewer == operator_id else emails.get(reviewer, reviewer or ""),
            seen_at="" if isinstance(event.updated_at, Absent) else rfc3339(event.updated_at),
            around_url=_around_url(event),
        )
        for event, reviewer in zip(listed, reviewers, strict=True)
    ]


def _shown(call: Call) -> Status | None:
    return _status_of(call.query["status"])


def _status_of(name: str) -> Status | None:
    return None if name == ANY_STATUS else Status(name)


def _subject(call: Call) -> Subject:
    return Subject(network=call.query["network"], user=call.query["user"])


def _filters_of(call: Call) -> dict[str, str]:
    """Return the filters of the subject that are set."""
    return {name: call.query[name] for name in ("network", "user") if call.query[name]}


def _subject_text(call: Call) -> str:
    """Return the subject of the list for a heading, such as `from 203.0.113.0/24`; "" for all events."""
    network, user = call.query["network"], call.query["user"]
    values = {"network": network, "user": find_emails(user_ids=[user]).get(user, user) if user else ""}
    if network and user:
        return gettext("from %(network)s about %(user)s") % values
    if network:
        return gettext("from %(network)s") % values
    return gettext("about %(user)s") % values if user else ""


def _query_of(call: Call) -> str:
    """Return the parameters that lead back to the same part of the list; "" for its first page."""
    status, cursor = call.query["status"], call.query.get("cursor")
    kept = {"status": "" if status == Status.UNREVIEWED else status, **_filters_of(call), "cursor": cursor}
    return urlencode({name: value for name, value in kept.items() if value})


def list_url(call: Call) -> str:
    """Return the URL of the list with the filters and the position of the call."""
    query = _query_of(call)
    return f"{reverse('authsvc-console-reviews')}?{query}" if query else reverse("authsvc-console-reviews")


def _listed_at(call: Call) -> datetime:
    # A time in the future would let the call overwrite reviews that another operator makes meanwhile.
    return min(call.query["listed_at"] or call.now, call.now)


def _around(event: FlaggedEvent) -> EventFilters:
    """Return the filters for the events around this one: of its user, or from its IP address."""
    subject = {"user": event.user_id} if event.user_id else {"ip": event.ip or None}
    return EventFilters(**subject, since=event.created_at - BEFORE, until=event.created_at + AFTER)


def _around_url(event: FlaggedEvent) -> str:
    filters = _around(event)
    query = {
        "user": filters.user,
        "ip": filters.ip,
        "since": f"{filters.since:%Y-%m-%dT%H:%M}",
        "until": f"{filters.until:%Y-%m-%dT%H:%M}",
    }
    kept = {name: value for name, value in query.items() if value}
    return f"{reverse('authsvc-console-events')}?{urlencode(kept)}#event-{event.id}"


def _after(earlier: Mapping[str, Any], batches: Sequence[BatchReviewed], *, limit: int) -> Run:
    """Return the state of the run after these batches. Fewer batches than `limit` are the last ones."""
    changed = [str(key) for batch in batches for key in batch.changed]
    return Run(
        total=earlier["total"],
        reviewed=earlier["reviewed"] + sum(batch.reviewed for batch in batches),
        changed=earlier["changed"] + len(changed),
        named=[*earlier["named"].split(), *changed][:NAMED_MAX],
        cursor=batches[-1].cursor if batches else "",
        is_over=len(batches) < limit,
    )
