"""How an event gets recorded."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import orjson

from ..core.db import sql
from ..core.db.ids import new_id
from ..core.db.transactions import join
from ..core.http.client import Client
from .models import Event
from .vocabulary import EventType
from .webhooks import queue

# Every refresh records one: built by the ORM the statement took longer than the rotation itself.
INSERT_EVENT = f"""
    INSERT INTO {Event._meta.db_table} (id, type, user_id, ip, user_agent, metadata, created_at)
    SELECT %s, %s, %s, %s, %s, %s, %s
"""
"""Inserts the row of `new_row()`. Ends so that `FROM x` can follow: inserts nothing then where x has no row."""


@join
def record(
    *, event: EventType, user_id: str | None, client: Client, now: datetime, metadata: Mapping[str, Any] | None = None
) -> None:
    """Record the event in the caller's transaction, and let the webhook be told of it; outside one, a RuntimeError.

    `user_id` is None when no account is known. `metadata` holds JSON values and never an address or a secret.
    """
    row = new_row(event=event, user_id=user_id, client=client, now=now, metadata=metadata)
    sql.execute(INSERT_EVENT, row)
    if queue.is_subscribed(event):
        queue.put(event_id=row[0], event=event, user_id=user_id, client=client, metadata=metadata or {}, now=now)


def new_row(
    *, event: EventType, user_id: str | None, client: Client, now: datetime, metadata: Mapping[str, Any] | None = None
) -> tuple[Any, ...]:
    """Return the parameters of INSERT_EVENT, for a statement that makes something happen and records it in one.

    Only for an event whose row is all that `record()`, which takes the same arguments, would write; all else calls that.
    """
    return (new_id(), str(event), user_id, client.ip, client.user_agent, orjson.dumps(metadata or {}).decode(), now)
