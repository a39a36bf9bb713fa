"""The function that records an audit event."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import orjson

from core import meter
from core.db import sql
from core.db.bulk import insert_rows
from core.db.ids import new_id
from core.db.transactions import transaction_required
from core.http.client import Client

from .models import Event
from .vocabulary import EventType
from .webhooks import queue

_NO_CLIENT = Client(ip="", user_agent="")

# Plain SQL, because every refresh records an event. With the ORM this statement took longer than the rotation itself.
INSERT_EVENT_SQL = f"""
    INSERT INTO {Event._meta.db_table} (id, type, ip, user_agent, metadata, created_at, user_id)
    SELECT %s, %s, %s, %s, %s, %s, """
"""Inserts the row of `new_row()` when a caller appends the SQL expression of the account's id as text.

A caller can append `FROM x` too. The statement then inserts nothing when x has no row.
"""


@transaction_required
def record(
    *, event: EventType, user_id: str | None, client: Client, now: datetime, metadata: Mapping[str, Any] | None = None
) -> None:
    """Record the event, and queue it for the webhook when the webhook is subscribed to the event's type.

    `user_id` is None when no account is known. `metadata` contains JSON values and never an address or a secret. Needs
    a transaction.
    Raises RuntimeError outside a transaction.
    """
    row = new_row(event=event, client=client, now=now, metadata=metadata)
    sql.execute(f"{INSERT_EVENT_SQL} %s", (*row, user_id))
    if queue.is_subscribed(event):
        queue.put(event_id=row[0], event=event, user_id=user_id, client=client, metadata=metadata or {}, now=now)
    meter.current.count_event(type_=event)


@transaction_required
def record_imports(*, user_ids: Sequence[str], source: str, is_announced: bool, now: datetime) -> None:
    """Record ACCOUNT_IMPORTED for each of the users, whose number is large. `source` names the system of before.

    The webhook gets these events only if `is_announced` is true. WEBHOOK_EVENTS does not count here. Needs a transaction.
    """
    metadata = {"source": source}
    rows = [(new_id(), EventType.ACCOUNT_IMPORTED, user_id, metadata, now) for user_id in user_ids]
    insert_rows(Event, columns=("id", "type", "user_id", "metadata", "created_at"), rows=rows)
    for event_id, event, user_id, _, _ in rows:
        if is_announced:
            queue.put(event_id=event_id, event=event, user_id=user_id, client=_NO_CLIENT, metadata=metadata, now=now)
        meter.current.count_event(type_=event)


def new_row(
    *, event: EventType, client: Client, now: datetime, metadata: Mapping[str, Any] | None = None
) -> tuple[Any, ...]:
    """Return the parameters of INSERT_EVENT_SQL, for a caller that combines a change and its event in one statement.

    Such a caller must make sure that the webhook is not subscribed to the event's type. It must also report the event to
    the meter. Every other caller must call `record()`.
    """
    return (new_id(), str(event), client.ip, client.user_agent, orjson.dumps(metadata or {}).decode(), now)
