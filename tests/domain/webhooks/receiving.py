"""Shared parts of the webhook tests: recorded events, and a receiver."""

import base64
import hashlib
import hmac
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from core.db.transactions import write
from core.http.client import Client
from events.audit import record
from events.vocabulary import EventType
from events.webhooks.delivery import DeliverWebhooks
from events.webhooks.models import Delivery
from tests.loopback import Peer, Talk, serving

NOW = datetime(2026, 11, 21, 3, 44, 29, 123456, tzinfo=UTC)
SECOND = timedelta(seconds=1)
CLIENT = Client(ip="203.0.113.7", user_agent="Mozilla/5.0")
OLD_KEY, NEW_KEY = b"old" * 8, b"n" * 64
OLD_SECRET, NEW_SECRET = ("whsec_" + base64.b64encode(key).decode() for key in (OLD_KEY, NEW_KEY))
NOWHERE = "https://hooks.example.invalid/"
SCHEDULE = (0, 5, 300, 1_800, 7_200, 18_000, 36_000)

UseWebhook = Callable[..., None]


def record_event(
    event: EventType = EventType.PASSWORD_CHANGED, *, user_id: str | None = "4711", metadata: Any = None
) -> None:
    record(event=event, user_id=user_id, client=CLIENT, now=NOW, metadata=metadata)


commit_event = write(record_event)


def deliver(now: datetime = NOW) -> None:
    DeliverWebhooks().run(now, lambda: False)


def deliver_to(talk: Talk, use_webhook: UseWebhook, **variables: str) -> Peer:
    """Deliver the due events to a receiver that answers in the given way."""
    with serving(talk) as peer:
        use_webhook(peer.url("/hook"), **variables)
        deliver()
    return peer


def only_delivery() -> Delivery:
    return Delivery.objects.get()


def sign(key: bytes, *, message_id: str, timestamp: str, body: bytes) -> str:
    """Sign as the specification describes (Standard Webhooks 1.0.0, "Signature scheme"), without the service's own
    code.
    """
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
