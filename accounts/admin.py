"""Accounts, audit events and webhook deliveries in Django's admin of a host project."""

import ipaddress

from django.db.models import Q

from core.addresses import email_key, former_email_key
from core.db.ids import parse_id
from events.models import Event
from events.vocabulary import EventType
from events.webhooks.models import Delivery

from .host import users
from .host.read_only_admin import ChoiceFilter, ReadOnlyAdmin, show
from .models import Account


@show(Account)
class AccountAdmin(ReadOnlyAdmin):
    """Accounts. The search takes an address or the id of a user."""

    ordering = ("-created_at", "-pk")
    list_display = ("user_id", "email_key", "email_proven_at", "locked_until", "created_at")
    fields = (
        "user",
        "email_key",
        "email_proven_at",
        "was_proven",
        "failed_attempts",
        "locked_until",
        "locks_in_row",
        "lock_mailed_at",
        "deactivated_at",
        "metadata",
        "created_at",
        "updated_at",
    )
    search_help_text = "An e-mail address, or the id of a user."

    def find(self, text: str) -> Q:
        """Return the condition of the account with the address or the id."""
        return (
            Q(email_key__in={email_key(text), former_email_key(text)})
            if "@" in text
            else Q(pk=users.to_account_id(text))
        )


class TypeFilter(ChoiceFilter):
    """A filter by the type of an event."""

    title = parameter_name = "type"
    values = EventType


@show(Event)
class EventAdmin(ReadOnlyAdmin):
    """Audit events. The search takes an IP address or the id of a user."""

    list_display = ("type", "user_id", "ip", "created_at")
    list_filter = (TypeFilter,)
    fields = ("id", "type", "user_id", "ip", "user_agent", "metadata", "created_at")
    search_help_text = "An IP address, or the id of a user."

    def find(self, text: str) -> Q:
        """Return the condition of the events of the IP address or the user."""
        try:
            return Q(ip=str(ipaddress.ip_address(text)))
        except ValueError:
            return Q(user_id=text)


class StatusFilter(ChoiceFilter):
    """A filter by the status of a delivery."""

    title = parameter_name = "status"
    values = Delivery.Status.values


@show(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    """Webhook deliveries. The search takes the id of a delivery."""

    list_display = ("event_type", "status", "attempts", "response_code", "created_at")
    list_filter = (StatusFilter,)
    fields = (
        "id",
        "event_id",
        "event_type",
        "user_id",
        "ip",
        "payload",
        "status",
        "attempts",
        "next_attempt_at",
        "response_code",
        "error",
        "duration_ms",
        "created_at",
        "delivered_at",
    )
    search_help_text = "The id of a delivery."

    def find(self, text: str) -> Q:
        """Return the condition of the delivery with the id."""
        return Q(pk=parse_id(text))
