"""Routes of webhook deliveries, shipped logs and recorded digests. None of them changes a row."""

from typing import Any

from accounts.core.errors import NotConfigured
from accounts.core.http.view import Call, operation
from accounts.events.conf import shipping_settings, webhook_settings

from ..conf import digest_settings
from ..histories import list_deliveries, list_digests, list_shipped_logs
from ..serializers import (
    DeliveriesOutput,
    DeliveriesQuery,
    DigestHistoryOutput,
    DigestsQuery,
    ShippedLogsOutput,
    ShippedLogsQuery,
)
from .base import AdminView


class ListDeliveries(AdminView):
    """List webhook deliveries."""

    @operation(query=DeliveriesQuery, output=DeliveriesOutput, errors=(NotConfigured,))
    def get(self, call: Call) -> dict[str, Any]:
        """List what was sent to the webhook or is about to be, the newest first."""
        return list_deliveries(**call.query)

    def check_feature(self) -> None:
        """Raise NotConfigured while there is no webhook."""
        if not webhook_settings().url:
            raise NotConfigured


class ListShippedLogs(AdminView):
    """List shipped log lines."""

    @operation(query=ShippedLogsQuery, output=ShippedLogsOutput, errors=(NotConfigured,))
    def get(self, call: Call) -> dict[str, Any]:
        """List the redacted copy of the log, exactly as a collector gets it, the newest first."""
        return list_shipped_logs(**call.query)

    def check_feature(self) -> None:
        """Raise NotConfigured while there is no copy."""
        if not shipping_settings().is_on:
            raise NotConfigured


class ListDigests(AdminView):
    """List recorded digests."""

    @operation(query=DigestsQuery, output=DigestHistoryOutput, errors=(NotConfigured,))
    def get(self, call: Call) -> dict[str, Any]:
        """List the digests that the schedule recorded, the newest first."""
        return list_digests(**call.query)

    def check_feature(self) -> None:
        """Raise NotConfigured while there is no schedule."""
        if not digest_settings().interval_hours:
            raise NotConfigured
