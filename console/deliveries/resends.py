"""Webhook deliveries that an operator sends again, each with its event."""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from core.db.ids import parse_id
from core.db.transactions import write
from core.errors import NotFound
from core.http.client import Client
from events.vocabulary import EventType
from events.webhooks.delivery import RESEND_MAX, has_receivers, restart, restart_failed
from events.webhooks.models import Delivery

from ..operators.acts import record_act


class ResendRefused(Exception):
    """The delivery cannot be sent again now. The message gives the reason to the operator."""


@write
def resend_delivery(*, delivery_id: str, reason: str, operator_id: str, client: Client, now: datetime) -> None:
    """Make the delivery due now. Raises NotFound for an unknown id, and ResendRefused while a worker sends it.

    Opens its own transaction.
    """
    _check_webhook()
    key = parse_id(delivery_id)
    delivery = Delivery.objects.filter(pk=key).first() if key else None
    if delivery is None:
        raise NotFound
    if not restart(delivery=delivery, now=now):
        raise ResendRefused(gettext("A worker sends this delivery at the moment. Look at the outcome in a minute."))
    _record(reason, operator_id, client, now=now, act="resend-delivery", delivery_id=delivery_id)


@write
def resend_failed(*, reason: str, operator_id: str, client: Client, now: datetime) -> int:
    """Make the oldest failed deliveries due now, at most RESEND_MAX, and return their number. Opens its own transaction."""
    _check_webhook()
    number = restart_failed(limit=RESEND_MAX, now=now)
    if number:
        _record(reason, operator_id, client, now=now, act="resend-failed", number=number)
    return number


def count_failed(*, limit: int) -> int:
    """Return the number of failed deliveries, at most `limit`."""
    return Delivery.objects.filter(status=Delivery.Status.FAILED)[:limit].count()


def _check_webhook() -> None:
    if not has_receivers():
        raise ResendRefused(gettext("WEBHOOK_URL is unset, so there is no receiver."))


def _record(reason: str, operator_id: str, client: Client, *, now: datetime, **metadata: Any) -> None:
    record_act(
        act=EventType.OPERATOR_ACTED,
        operator_id=operator_id,
        client=client,
        now=now,
        metadata={**metadata, "step": "done", "reason": reason},
    )
