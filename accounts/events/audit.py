"""How an event gets recorded."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import orjson

from ..core import sql
from ..core.client import Client
from ..core.ids import new_id
from ..core.transactions import join
from .models import Event
from .vocabulary import EventType

# Every refresh records one: built by the ORM the statement took longer than the rotation itself.
_INSERT = f"""
    INSERT INTO {Event._meta.db_table} (id, type, user_id, ip, user_agent, metadata, created_at)
    VALUES (%s, %s, %s, %s, %s, %s, %s)
"""  # noqa: S608 - a table's own name


@join
def record(
    *, event: EventType, user_id: str | None, client: Client, now: datetime, metadata: Mapping[str, Any] | None = None
) -> None:
    """Record the event in the caller's transaction; outside one it is a RuntimeError.

    `user_id` is None when no account is known. `metadata` holds JSON values and never an address or a secret.
    """
    row = (new_id(), str(event), user_id, client.ip, client.user_agent, orjson.dumps(metadata or {}).decode(), now)
    sql.execute(_INSERT, row)
