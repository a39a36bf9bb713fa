"""The pages of webhook deliveries and of their attempts."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.http import HttpResponse
from django.utils.translation import gettext_lazy

from core.addresses import EMAIL_MAX
from core.db.ids import parse_id
from core.errors import NotFound
from core.http.call import Call
from core.http.fields import Choice, Text
from core.http.view import operation
from events.conf import webhook_settings
from events.vocabulary import EventType
from events.webhooks.delivery import has_receivers
from events.webhooks.models import LOGOUT_TOKEN, Delivery

from ....deliveries.history import ListedDelivery
from ....deliveries.search import DeliveryFilters, get_delivery_detail, search_deliveries
from ....people.users import find_emails
from ....serializers import DeliveriesQuery
from ...page import ConsolePage
from .events import UserOrAddress


class EventId(Text):
    """The id of an event."""

    default_error_messages: ClassVar = {
        "id": gettext_lazy("must be the id of an event, such as 01a1fd90-2b4c-7e11-9d3a-6f7081a2b3c4.")
    }

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data).strip().lower()
        if parse_id(text) is None:
            self.fail("id")
        return text


class DeliveriesPageQuery(DeliveriesQuery):
    """The filters of the list, and the position at which its page begins."""

    type = Choice([*EventType, LOGOUT_TOKEN], default=None)
    event = EventId(default=None, max_length=64)
    user = UserOrAddress(default=None, max_length=EMAIL_MAX, allow_blank=False)
    cursor = Text(default=None, max_length=80)


class Deliveries(ConsolePage):
    """The webhook deliveries."""

    section = "deliveries"
    template = "authsvc_console/deliveries.html"

    @operation(query=DeliveriesPageQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show the deliveries that match all filters. Without a webhook, name the variables that set it."""
        page = None
        if has_receivers():
            filters = DeliveryFilters.of(call.query)
            page = search_deliveries(filters=filters, cursor=call.query["cursor"], limit=call.query["limit"])
        return self.render(
            {
                "page": page,
                "rows": _rows(page.deliveries) if page else [],
                "types": [*sorted(webhook_settings().events), LOGOUT_TOKEN],
                "tabs": [(name, self.url_with(status=name, cursor=None)) for name in ("", *Delivery.Status.values)],
                "status": call.query["status"] or "",
                "is_filtered": bool(self.typed("status", "type", "event", "user")),
                "older": self.url_with(cursor=page.next_cursor) if page and page.next_cursor else "",
                "newest": self.url_with(cursor=None) if call.query["cursor"] else "",
                "exported": self.typed("status", "type", "event", "user"),
            }
        )


class ShowDelivery(ConsolePage):
    """One webhook delivery."""

    section = "deliveries"
    template = "authsvc_console/delivery.html"

    @operation(output=HttpResponse, errors=(NotFound,))
    def get(self, call: Call) -> HttpResponse:
        """Show the request byte for byte, and each attempt with the answer of the receiver."""
        detail = get_delivery_detail(delivery_id=call.path["delivery_id"])
        user_id = detail.delivery.user_id
        email = find_emails(user_ids=[user_id]).get(user_id, "")
        return self.render({"delivery": detail.delivery, "attempts": detail.attempts, "email": email})


def _rows(deliveries: Sequence[ListedDelivery]) -> Sequence[tuple[ListedDelivery, str]]:
    """Return each delivery with the present address of its user, or "". One statement reads all addresses."""
    emails = find_emails(user_ids=[delivery.user_id for delivery in deliveries])
    return [(delivery, emails.get(delivery.user_id, "")) for delivery in deliveries]
