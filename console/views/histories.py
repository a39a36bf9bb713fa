"""Routes of audit events, webhook deliveries, shipped logs and recorded digests. None of them changes a row."""

from core.errors import NotConfigured
from core.http.call import Call
from core.http.view import operation
from events.conf import shipping_settings
from events.webhooks.delivery import has_receivers
from events.webhooks.models import Delivery

from ..conf import digest_settings
from ..deliveries.history import Deliveries, list_deliveries
from ..digests.history import DigestHistory, list_digests
from ..logs.history import ShippedLogs, list_shipped_logs
from ..serializers import DeliveriesQuery, DigestsQuery, EventsQuery, ShippedLogsQuery
from ..trail.search import EventFilters, EventPage, search_events
from .base import AdminView


class ListEvents(AdminView):
    """List audit events."""

    @operation(query=EventsQuery, output=EventPage)
    def get(self, call: Call) -> EventPage:
        """Return the audit events that match all filters, the newest first.

        Send `next_cursor` as `cursor` with the same filters for the next page. A page can have fewer events than `limit`,
        even none, although more follow: only `next_cursor` null means the end.
        """
        return search_events(
            filters=EventFilters.of(call.query), cursor=call.query["cursor"], limit=call.query["limit"]
        )


class ListDeliveries(AdminView):
    """List webhook deliveries."""

    @operation(query=DeliveriesQuery, output=Deliveries, errors=(NotConfigured,))
    def get(self, call: Call) -> Deliveries:
        """Return the deliveries to the webhook, sent and pending, the newest first."""
        status = call.query["status"]
        return list_deliveries(status=Delivery.Status(status) if status else None, limit=call.query["limit"])

    def check_feature(self) -> None:
        """Raise NotConfigured while WEBHOOK_URL is unset and no application got a logout token."""
        if not has_receivers():
            raise NotConfigured


class ListShippedLogs(AdminView):
    """List shipped log lines."""

    @operation(query=ShippedLogsQuery, output=ShippedLogs, errors=(NotConfigured,))
    def get(self, call: Call) -> ShippedLogs:
        """Return the redacted lines of the log, exactly as a log collector receives them, the newest first."""
        return list_shipped_logs(**call.query)

    def check_feature(self) -> None:
        """Raise NotConfigured while LOG_SHIPPING is off."""
        if not shipping_settings().is_on:
            raise NotConfigured


class ListDigests(AdminView):
    """List recorded digests."""

    @operation(query=DigestsQuery, output=DigestHistory, errors=(NotConfigured,))
    def get(self, call: Call) -> DigestHistory:
        """Return the recorded digests, the newest first."""
        return list_digests(**call.query)

    def check_feature(self) -> None:
        """Raise NotConfigured while DIGEST_INTERVAL_HOURS is unset."""
        if not digest_settings().interval_hours:
            raise NotConfigured
