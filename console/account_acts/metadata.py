"""An operator's changes of a user's metadata, each with its audit event."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from accounts.state.lookup import hold_account_for_operator
from accounts.state.metadata import Metadata, delete_claim, get_metadata, set_claim
from core.db.transactions import transaction_required, write
from core.http.answers import ABSENT, Absent
from core.http.client import Client
from events.vocabulary import EventType

from ..operators.acts import record_act


@dataclass(frozen=True, slots=True, kw_only=True)
class MetadataConflict:
    """The key has another value than expected, so the call changed nothing. `current` is ABSENT when it has none."""

    key: str
    current: Any | Absent


@write
def set_metadata(
    *, user_id: str, key: str, value: Any | Absent, operator_id: str, client: Client, now: datetime
) -> Metadata:
    """Store the key and return the user's metadata. Opens its own transaction. Raises the errors of `set_claim`."""
    return _set(user_id=user_id, key=key, value=value, operator_id=operator_id, client=client, now=now)


@write
def remove_metadata(*, user_id: str, key: str, operator_id: str, client: Client, now: datetime) -> Metadata:
    """Delete the key and return the user's metadata. Opens its own transaction. Raises the errors of `delete_claim`."""
    return _remove(user_id=user_id, key=key, operator_id=operator_id, client=client, now=now)


@write
def set_metadata_if_unchanged(
    *, user_id: str, key: str, value: Any, expected: Any | Absent, operator_id: str, client: Client, now: datetime
) -> Metadata | MetadataConflict:
    """Store the key if its value is `expected`, and return the user's metadata. Otherwise change nothing.

    `expected` ABSENT means that the user has no such key. Opens its own transaction. Raises the errors of `set_claim`.
    """
    conflict = _find_conflict(user_id=user_id, key=key, expected=expected)
    return conflict or _set(user_id=user_id, key=key, value=value, operator_id=operator_id, client=client, now=now)


@write
def remove_metadata_if_unchanged(
    *, user_id: str, key: str, expected: Any, operator_id: str, client: Client, now: datetime
) -> Metadata | MetadataConflict:
    """Delete the key if its value is `expected`, and return the user's metadata. Otherwise change nothing.

    Opens its own transaction. Raises the errors of `delete_claim`.
    """
    conflict = _find_conflict(user_id=user_id, key=key, expected=expected)
    return conflict or _remove(user_id=user_id, key=key, operator_id=operator_id, client=client, now=now)


@transaction_required
def _find_conflict(*, user_id: str, key: str, expected: Any | Absent) -> MetadataConflict | None:
    """Lock the account's row until the commit. Return None when the key's value is `expected`."""
    hold_account_for_operator(user_id=user_id)
    current = get_metadata(user_id=user_id).metadata.get(key, ABSENT)
    return None if _is_same(current, expected) else MetadataConflict(key=key, current=current)


def _set(*, user_id: str, key: str, value: Any | Absent, operator_id: str, client: Client, now: datetime) -> Metadata:
    changed = set_claim(user_id=user_id, key=key, value=value, now=now)
    _record(changed, key=key, change="set", operator_id=operator_id, client=client, now=now)
    return changed


def _remove(*, user_id: str, key: str, operator_id: str, client: Client, now: datetime) -> Metadata:
    changed = delete_claim(user_id=user_id, key=key, now=now)
    _record(changed, key=key, change="removed", operator_id=operator_id, client=client, now=now)
    return changed


def _record(changed: Metadata, *, key: str, change: str, operator_id: str, client: Client, now: datetime) -> None:
    metadata: Mapping[str, str] = {"subject_id": changed.user_id, "key": key, "change": change}
    record_act(
        act=EventType.OPERATOR_METADATA_CHANGED, operator_id=operator_id, client=client, now=now, metadata=metadata
    )


def _is_same(current: Any | Absent, expected: Any | Absent) -> bool:
    if isinstance(current, Absent) or isinstance(expected, Absent):
        return current is expected
    # Python's `==` would take true for 1. The order of an object's members is no difference, since jsonb does not keep it.
    return orjson.dumps(current, option=orjson.OPT_SORT_KEYS) == orjson.dumps(expected, option=orjson.OPT_SORT_KEYS)
