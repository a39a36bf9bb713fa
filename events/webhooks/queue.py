"""The queue of events for the webhook, and of other messages.

The transaction of a change also inserts the row in the queue.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import orjson

from core.clock import rfc3339
from core.db import sql
from core.db.ids import new_id
from core.db.transactions import transaction_required
from core.http.client import Client

from ..conf import webhook_settings
from ..vocabulary import EventType
from .models import Delivery

_INSERT_SQL = f"""
    INSERT INTO {Delivery._meta.db_table}
    (id, event_id, event_type, user_id, ip, payload, status, attempts, error, created_at, next_attempt_at)
    VALUES (%s, %s, %s, %s, %s, %s, 'pending', 0, '', %s, %s)
"""  # noqa: S608 - a table's own name


def is_subscribed(event: EventType) -> bool:
    """Return whether the webhook gets events of this type."""
    webhook = webhook_settings()
    return bool(webhook.url) and event in webhook.events


@transaction_required
def put(
    *,
    event_id: UUID,
    event: EventType,
    user_id: str | None,
    client: Client,
    metadata: Mapping[str, Any],
    now: datetime,
) -> None:
    """Queue the event. A worker sends it after the transaction commits."""
    payload = payload_of(event_id=str(event_id), event=event, user_id=user_id, ip=client.ip, metadata=metadata, now=now)
    first_at = now + timedelta(seconds=webhook_settings().retry_seconds[0])
    row = (new_id(), event_id, str(event), user_id, client.ip, payload, now, first_at)
    sql.execute(_INSERT_SQL, row)


@transaction_required
def put_message(*, kind: Delivery.Kind, name: str, user_id: str, payload: str, now: datetime) -> None:
    """Queue a message of another kind than an event. A worker sends it after the transaction commits.

    `name` is shown in place of the type of an event.
    """
    Delivery.objects.create(
        kind=kind,
        event_id=new_id(),
        event_type=name,
        user_id=user_id,
        payload=payload,
        created_at=now,
        next_attempt_at=now,
    )


def payload_of(
    *, event_id: str, event: str, user_id: str | None, ip: str, metadata: Mapping[str, Any], now: datetime
) -> str:
    """Return the JSON body of the webhook: `{"id", "type", "timestamp", "data": {"user_id", "ip", "metadata"}}`."""
    data = {"user_id": user_id, "ip": ip, "metadata": metadata}
    return orjson.dumps({"id": event_id, "type": event, "timestamp": rfc3339(now), "data": data}).decode()
