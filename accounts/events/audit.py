"""How an event gets recorded."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ..core.client import Client
from ..core.transactions import join
from .models import Event
from .vocabulary import EventType


@join
def record(
    *, event: EventType, user_id: str | None, client: Client, now: datetime, metadata: Mapping[str, Any] | None = None
) -> None:
    """Record the event in the caller's transaction; outside one it is a RuntimeError.

    `user_id` is None when no account is known. `metadata` holds JSON values and never an address or a secret.
    """
    Event.objects.create(
        type=event,
        user_id=user_id,
        ip=client.ip,
        user_agent=client.user_agent,
        metadata=dict(metadata or {}),
        created_at=now,
    )
