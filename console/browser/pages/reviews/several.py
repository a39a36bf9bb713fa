"""The page that gives several chosen events of the queue one review."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, ngettext
from rest_framework import serializers

from core.db.ids import parse_id
from core.http.call import Call
from core.http.fields import Choice, QueryMoment, Text
from core.http.view import operation

from ....models import NOTE_MAX
from ....reviews.guarded import review_several
from ....reviews.queue import Status, find_flagged
from ....roles import Right
from ...page import ConsolePage
from .queue import NOTICES, PAGE_SIZE, Note, SubjectQuery, list_url, rows_of

_PAIR_MAX = 36 + 1 + 40 + 1
"""The length of an id, a separator, a time and a blank."""


class SeveralQuery(SubjectQuery):
    """The filters of the list, and the ids of the chosen events with blanks between them."""

    events = Text(max_length=PAGE_SIZE * 37, default="")


class SeveralForm(serializers.Serializer[None]):
    """The review. `seen` has the id of each event, with the time of the review that the page showed after a slash."""

    status = Choice(Status.values)
    note = Note()
    seen = Text(max_length=PAGE_SIZE * _PAIR_MAX)

    def validate_seen(self, text: str) -> dict[UUID, datetime | None]:
        """Return the times by the ids."""
        pairs = [pair.partition("/") for pair in text.split()]
        moments = QueryMoment()
        return {
            key: moments.run_validation(moment) if moment else None
            for event_id, _, moment in pairs
            if (key := parse_id(event_id)) is not None
        }


class SeveralReviews(ConsolePage):
    """One review for the chosen events."""

    writes_need = Right.REVIEWS
    section = "reviews"
    template = "authsvc_console/several_reviews.html"

    def read_query(self, request: HttpRequest) -> Mapping[str, Any]:
        """Return the parameters, with the ids of all checkboxes."""
        chosen = " ".join(request.GET.getlist("event"))
        return {**super().read_query(request), **({"events": chosen} if chosen else {})}

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the chosen events."""
        keys = [key for key in map(parse_id, call.query["events"].split()) if key is not None]
        rows = rows_of(find_flagged(keys=keys), operator_id=call.user_id)
        return {
            "rows": rows,
            "seen": " ".join(f"{row.event.id}/{row.seen_at}" for row in rows),
            "list_url": list_url(call),
            "note_max": NOTE_MAX,
        }

    @operation(query=SeveralQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show the chosen events, and the form."""
        return self.render(self.context(call))

    @operation(query=SeveralQuery, input=SeveralForm, output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Review the events, and return to the list. List the events whose review changed meanwhile."""
        status = Status(call.body["status"])
        done = review_several(
            seen=call.body["seen"],
            status=status,
            note=call.body["note"],
            operator_id=call.user_id,
            client=call.client,
            now=call.now,
        )
        text = ngettext("%(number)s event", "%(number)s events", len(done.reviewed))
        number = text % {"number": len(done.reviewed)}
        if not done.changed:
            return self.redirect(list_url(call), notice=gettext(NOTICES[status]) % {"subject": number})
        rows = rows_of(find_flagged(keys=done.changed), operator_id=call.user_id)
        context = {
            "rows": rows,
            "seen": " ".join(f"{row.event.id}/{row.seen_at}" for row in rows),
            "list_url": list_url(call),
            "note_max": NOTE_MAX,
            "done": len(done.reviewed),
            "mine": status,
        }
        return self.render(context, status=409)
