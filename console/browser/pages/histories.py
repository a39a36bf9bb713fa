"""The pages of audit events and of digests."""

from typing import Any

from django.http import HttpResponse

from core.errors import NotConfigured
from core.http.call import Call
from core.http.view import operation
from events.vocabulary import EventType

from ...conf import digest_settings
from ...event_search import EventFilters, search_events
from ...histories import list_digests
from ...reports.digest import digest
from ...serializers import EventsQuery, WindowQuery
from ..filters import LocalMoment, check_span
from ..page import ConsolePage
from .spans import SPANS

DIGESTS_MAX = 20


class EventsPageQuery(EventsQuery):
    """The filters of the page. Its times may come from a form, without an offset."""

    since = LocalMoment(default=None)
    until = LocalMoment(default=None)

    def validate(self, attrs: Any) -> Any:
        """Raise ValidationError beside the end of the time span when the time span is empty."""
        check_span(attrs)
        return attrs


class Events(ConsolePage):
    """The search of audit events."""

    section = "events"
    template = "authsvc_console/events.html"

    @operation(query=EventsPageQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show the events that match all filters."""
        page = search_events(
            filters=EventFilters.of(call.query), cursor=call.query["cursor"], limit=call.query["limit"]
        )
        context = {
            "page": page,
            "filters": call.query,
            "types": sorted(EventType),
            "older": self.url_with(cursor=page.next_cursor),
            "exported": self.typed("type", "user", "ip", "network", "since", "until"),
        }
        return self.render(context)


class Digests(ConsolePage):
    """The digest of now and the recorded digests."""

    section = "digests"
    template = "authsvc_console/digests.html"

    @operation(query=WindowQuery, output=HttpResponse, errors=(NotConfigured,))
    def get(self, call: Call) -> HttpResponse:
        """Show a fresh digest of the window, and the latest recorded digests."""
        context = {
            "fresh": digest(window_days=call.query["window_days"], now=call.now),
            "history": list_digests(limit=DIGESTS_MAX),
            "interval_hours": digest_settings().interval_hours,
            "spans": SPANS,
        }
        return self.render(context)
