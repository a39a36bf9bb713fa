"""Per-user metadata: claims that operators add to an account's access tokens."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from .core.db.transactions import write
from .core.errors import BadRequest
from .errors import InvalidMetadataKey, MetadataKeyNotFound, ReservedMetadataKey
from .lookup import get_known_account, hold_known_account
from .models import Account

RESERVED_CLAIM_NAMES = ("iss", "sub", "aud", "exp", "nbf", "iat", "jti", "role")
KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")
VALUE_MAX_BYTES = 1024
TOTAL_MAX_BYTES = 4096
"""Sizes are those of compact JSON in UTF-8, keys included."""

_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
"""A NUL as compact JSON spells it: an escape, whose backslash is not itself escaped. PostgreSQL stores none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """An account's metadata, and the names that it cannot have."""

    user_id: str
    metadata: Mapping[str, Any]
    reserved_claim_names: tuple[str, ...] = RESERVED_CLAIM_NAMES


class _Absent:
    """Stands for a value that was not given, since null is one."""


ABSENT = _Absent()


def get_metadata(*, user_id: str) -> Metadata:
    """Return the account's metadata. Raises NotFound."""
    return _view(get_known_account(user_id=user_id))


@write
def set_claim(*, user_id: str, key: str, value: Any | _Absent, now: datetime) -> Metadata:
    """Let tokens issued to the account from now on carry the claim.

    Raises, in this order: NotFound, ReservedMetadataKey, InvalidMetadataKey, BadRequest for a value that is ABSENT,
    holds an integer of more than 64 bits (which many JSON parsers round) or a NUL, or makes the metadata too large. One
    operator's key never overwrites another's: the account's row is held.
    """
    account = hold_known_account(user_id=user_id)
    _check_key(key)
    if isinstance(value, _Absent):
        raise BadRequest("value: is required.")
    try:
        written = orjson.dumps(value)
    except orjson.JSONEncodeError:
        raise BadRequest("value: must not hold an integer of more than 64 bits; send it as a string.") from None
    if _NUL.search(written):
        raise BadRequest("value: must not hold a NUL character.")
    metadata = {**_kept(account), key: value}
    if len(written) > VALUE_MAX_BYTES or len(orjson.dumps(metadata)) > TOTAL_MAX_BYTES:
        raise BadRequest(f"value: at most {VALUE_MAX_BYTES} bytes, and {TOTAL_MAX_BYTES} with all others of the user.")
    return _store(account, metadata, now=now)


@write
def delete_claim(*, user_id: str, key: str, now: datetime) -> Metadata:
    """Let tokens issued from now on lack the claim.

    Raises, in this order: NotFound, ReservedMetadataKey, InvalidMetadataKey, MetadataKeyNotFound.
    """
    account = hold_known_account(user_id=user_id)
    _check_key(key)
    metadata = _kept(account)
    if key not in metadata:
        raise MetadataKeyNotFound
    return _store(account, {name: value for name, value in metadata.items() if name != key}, now=now)


def claims_of(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the claims that the metadata makes; a reserved name that sits in the table all the same is dropped."""
    return {name: value for name, value in metadata.items() if name not in RESERVED_CLAIM_NAMES}


def _check_key(key: str) -> None:
    if key in RESERVED_CLAIM_NAMES:
        raise ReservedMetadataKey
    if not KEY.fullmatch(key):
        raise InvalidMetadataKey


def _store(account: Account, metadata: dict[str, Any], *, now: datetime) -> Metadata:
    Account.objects.filter(pk=account.pk).update(metadata=metadata, updated_at=now)
    account.metadata = metadata
    return _view(account)


def _view(account: Account) -> Metadata:
    return Metadata(user_id=str(account.pk), metadata=_kept(account))


def _kept(account: Account) -> dict[str, Any]:
    """Return what is stored, as it came: jsonb writes a large float as an integer, which no answer could hold."""
    kept: dict[str, Any] = orjson.loads(json.dumps(account.metadata))
    return kept
