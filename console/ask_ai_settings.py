"""An operator's changes of the settings of ask-AI, each with its audit event."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from askai.settings_store import Name, delete, store
from core.db.transactions import write
from core.http.client import Client
from events.vocabulary import EventType

from .acts import record_act


@write
def store_setting(
    *,
    name: Name,
    value: Mapping[str, Any],
    credential: str | None,
    operator_id: str,
    client: Client,
    now: datetime,
) -> None:
    """Store the setting in place of an earlier one, with its credential sealed. Opens its own transaction."""
    store(name=name, value=value, credential=credential, now=now)
    _record(name, change="stored", operator_id=operator_id, client=client, now=now)


@write
def remove_setting(*, name: Name, operator_id: str, client: Client, now: datetime) -> None:
    """Delete the setting, if it is stored. Opens its own transaction."""
    if delete(name=name):
        _record(name, change="removed", operator_id=operator_id, client=client, now=now)


def _record(name: Name, *, change: str, operator_id: str, client: Client, now: datetime) -> None:
    metadata = {"setting": str(name), "change": change}
    record_act(
        act=EventType.OPERATOR_SETTING_CHANGED, operator_id=operator_id, client=client, now=now, metadata=metadata
    )
