"""The page of the redacted copy of the log."""

from typing import Any

from django.http import HttpResponse
from django.urls import resolve

from core.http.call import Call
from core.http.fields import Choice, Text
from core.http.view import operation
from events.conf import shipping_settings
from events.logs.shipping import LEVELS

from ....logs.search import LogFilters, search_logs
from ....serializers import ShippedLogsQuery
from ... import navigation
from ...filters import LocalMoment, check_span
from ...page import ConsolePage

FILTERS = ("level", "request_id", "route", "text", "since", "until", "own")


class LogsPageQuery(ShippedLogsQuery):
    """The filters of the page, and the position at which it begins. `own` also lists the requests of the console."""

    request_id = Text(max_length=64, allow_blank=False, default=None)
    route = Text(max_length=200, allow_blank=False, default=None)
    text = Text(max_length=200, allow_blank=False, default=None)
    since = LocalMoment(default=None)
    until = LocalMoment(default=None)
    own = Choice(["shown"], default=None)
    cursor = Text(max_length=80, default=None)

    def validate(self, attrs: Any) -> Any:
        """Raise ValidationError beside the end of the time span when the time span is empty."""
        check_span(attrs)
        return attrs


class Logs(ConsolePage):
    """The stored log lines."""

    section = "logs"
    template = "authsvc_console/logs.html"

    @operation(query=LogsPageQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show the lines that match all filters, the newest first. The script can follow the log."""
        page = None
        if shipping_settings().is_on:
            filters = LogFilters.of(call.query, own_routes=own_routes())
            page = search_logs(filters=filters, cursor=call.query["cursor"], limit=call.query["limit"])
        typed = self.typed(*FILTERS)
        context = {
            "page": page,
            "tabs": [(name, self.url_with(level=name, cursor=None)) for name in ("", *LEVELS)],
            "level": call.query["level"] or "",
            "request_id": call.query["request_id"],
            "is_filtered": bool(typed),
            "first": self.url_with(cursor=None),
            "is_first": call.query["cursor"] is None,
            "older": self.url_with(cursor=page.next_cursor) if page and page.next_cursor else "",
            "exported": typed,
        }
        return self.render(context, template="authsvc_console/log_rows.html" if self.is_part else self.template)


def own_routes() -> str:
    """Return the beginning of the routes of the console: `console/` unless a host mounts it elsewhere."""
    return resolve(navigation.prefix()).route
