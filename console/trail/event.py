"""One audit event with what surrounds it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.utils.translation import gettext

from core.db.ids import parse_id
from core.errors import NotFound
from events.conf import shipping_settings
from events.models import Event
from events.networks import network_of
from events.vocabulary import FLAGGED_EVENTS

from ..logs.search import Line, LogFilters, search_logs
from ..models import Review
from ..people.users import find_emails

REQUEST_TIME = timedelta(seconds=10)
"""The time after the event in which the log has the lines of its request. The event has the time of the request's start."""
LINES_MAX = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class EventDetail:
    """An event. `email` is the present address of its account, and "" without one. `network` is a /24, a /64 or "".

    `review` is the status of the review, and "" for an event that detection did not flag. `lines` are the first lines of
    the log about a request from the same IP address since the event. They are None while the log is not stored.
    """

    event: Event
    email: str
    network: str
    review: str
    lines: Sequence[Line] | None


def get_event(*, event_id: str) -> EventDetail:
    """Return the event. Raises NotFound when there is none with this id."""
    key = parse_id(event_id)
    event = Event.objects.filter(pk=key).first() if key else None
    if event is None:
        raise NotFound(gettext("There is no event with this id. Retention may have deleted it."))
    return EventDetail(
        event=event,
        email=find_emails(user_ids=[event.user_id]).get(event.user_id, ""),
        network=str(network_of(event.ip) or ""),
        review=_review_of(event),
        lines=_lines_of(event) if shipping_settings().is_on else None,
    )


def _review_of(event: Event) -> str:
    if event.type not in FLAGGED_EVENTS:
        return ""
    review = Review.objects.filter(pk=event.pk).first()
    return str(review.status if review else Review.Status.UNREVIEWED)


def _lines_of(event: Event) -> list[Line]:
    if not event.ip:
        return []
    until = event.created_at + REQUEST_TIME
    filters = LogFilters(text=f'"ip":"{event.ip}"', since=event.created_at, until=until)
    # The list has the newest line first, and the line of the request is among the oldest.
    return list(reversed(search_logs(filters=filters, cursor=None, limit=500).lines))[:LINES_MAX]
