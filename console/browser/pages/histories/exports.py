"""The CSV files of lists, and the data about one person. An export leaves an audit event, so it is a form and not a link."""

from collections.abc import Iterator

from django.http import StreamingHttpResponse

from core.errors import NotFound
from core.http.call import Call
from core.http.view import operation

from ....deliveries.search import DeliveryFilters
from ....exports.lists import export_deliveries, export_events, export_reviews, export_shipped_logs, export_users
from ....exports.personal import export_person
from ....logs.search import LogFilters
from ....people.conditions import UserFilters
from ....people.positions import Sort
from ....people.serializers import UserSearchQuery
from ....reviews.queue import Status
from ....trail.search import EventFilters
from ...page import ConsolePage
from ..reviews.queue import ANY_STATUS, ReviewsQuery
from .deliveries import DeliveriesPageQuery
from .events import EventsPageQuery
from .logs import LogsPageQuery, own_routes


class ExportEvents(ConsolePage):
    """Audit events as CSV."""

    @operation(input=EventsPageQuery, output=StreamingHttpResponse)
    def post(self, call: Call) -> StreamingHttpResponse:
        """Return the events that match the filters of the page."""
        filters = EventFilters.of(call.body)
        lines = export_events(filters=filters, operator_id=call.user_id, client=call.client, now=call.now)
        return csv_file("events", lines, call)


class ExportUsers(ConsolePage):
    """Users as CSV."""

    @operation(input=UserSearchQuery, output=StreamingHttpResponse)
    def post(self, call: Call) -> StreamingHttpResponse:
        """Return the users that match the filters of the page, in its order."""
        lines = export_users(
            filters=UserFilters.of(call.body),
            sort=Sort(call.body["sort"]),
            operator_id=call.user_id,
            client=call.client,
            now=call.now,
        )
        return csv_file("users", lines, call)


class ExportReviews(ConsolePage):
    """Flagged events with their reviews as CSV."""

    @operation(input=ReviewsQuery, output=StreamingHttpResponse)
    def post(self, call: Call) -> StreamingHttpResponse:
        """Return the flagged events with the review of the filter."""
        status = call.body["status"]
        shown = None if status == ANY_STATUS else Status(status)
        lines = export_reviews(status=shown, operator_id=call.user_id, client=call.client, now=call.now)
        return csv_file("reviews", lines, call)


class ExportDeliveries(ConsolePage):
    """Webhook deliveries as CSV."""

    @operation(input=DeliveriesPageQuery, output=StreamingHttpResponse)
    def post(self, call: Call) -> StreamingHttpResponse:
        """Return the deliveries that match the filters of the page."""
        filters = DeliveryFilters.of(call.body)
        lines = export_deliveries(filters=filters, operator_id=call.user_id, client=call.client, now=call.now)
        return csv_file("deliveries", lines, call)


class ExportLogs(ConsolePage):
    """Shipped log lines as CSV."""

    @operation(input=LogsPageQuery, output=StreamingHttpResponse)
    def post(self, call: Call) -> StreamingHttpResponse:
        """Return the lines that match the filters of the page."""
        filters = LogFilters.of(call.body, own_routes=own_routes())
        lines = export_shipped_logs(filters=filters, operator_id=call.user_id, client=call.client, now=call.now)
        return csv_file("logs", lines, call)


class ExportPerson(ConsolePage):
    """Everything about one account owner as JSON."""

    @operation(output=StreamingHttpResponse, errors=(NotFound,))
    def post(self, call: Call) -> StreamingHttpResponse:
        """Return the data about the user, who asked for them. It needs a fresh proof of the second factor."""
        self.require_recent_factor(call)
        parts = export_person(user_id=call.path["user_id"], operator_id=call.user_id, client=call.client, now=call.now)
        headers = {"Content-Disposition": f'attachment; filename="{call.path["user_id"]}-{call.now:%Y-%m-%d}.json"'}
        return StreamingHttpResponse(parts, content_type="application/json", headers=headers)


def csv_file(name: str, lines: Iterator[str], call: Call) -> StreamingHttpResponse:
    """Return the lines as a file that browsers store. Its name contains the list and the day in UTC."""
    headers = {"Content-Disposition": f'attachment; filename="{name}-{call.now:%Y-%m-%d}.csv"'}
    return StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8", headers=headers)
