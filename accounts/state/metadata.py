"""Metadata of an account: claims that operators add to the account's access tokens."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

import orjson
from django.utils.translation import gettext

from core.db.transactions import transaction_required
from core.errors import BadRequest
from core.http.answers import Absent
from core.http.examples import USER_ID

from ..errors import InvalidMetadataKey, MetadataKeyNotFound, ReservedMetadataKey
from ..models import Account
from .lookup import get_account_for_operator, hold_account_for_operator

RESERVED_CLAIM_NAMES = ("iss", "sub", "aud", "exp", "nbf", "iat", "jti", "role")
KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")
VALUE_MAX_BYTES = 1024
TOTAL_MAX_BYTES = 4096
"""The largest size of all metadata of an account, keys included.

This size and VALUE_MAX_BYTES are the bytes of compact JSON in UTF-8.
"""

NUL_IN_JSON = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
"""A NUL character in compact JSON: the escape sequence, with a backslash that is not itself escaped.

PostgreSQL's jsonb cannot store a NUL character.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """The metadata of an account, and the claim names that metadata cannot use."""

    example: ClassVar = {
        "user_id": USER_ID,
        "metadata": {"plan": "gold"},
        "reserved_claim_names": list(RESERVED_CLAIM_NAMES),
    }

    user_id: str
    metadata: Mapping[str, Any]
    reserved_claim_names: tuple[str, ...] = RESERVED_CLAIM_NAMES


def get_metadata(*, user_id: str) -> Metadata:
    """Return the account's metadata. Raises NotFound when no account has the id."""
    return _answer(get_account_for_operator(user_id=user_id))


@transaction_required
def set_claim(*, user_id: str, key: str, value: Any | Absent, now: datetime) -> Metadata:
    """Store the claim and return the metadata. Access tokens that are issued from now on contain the claim.

    Raises, in this order: NotFound, ReservedMetadataKey, InvalidMetadataKey, BadRequest.

    Raises BadRequest when the value is ABSENT or makes the metadata too large. Raises BadRequest also when the value
    contains a NUL or an integer of more than 64 bits. Many JSON parsers round such integers.

    Needs a transaction and locks the account's row. Otherwise concurrent calls could overwrite each other's
    keys.
    """
    account = hold_account_for_operator(user_id=user_id)
    check_key(key)
    if isinstance(value, Absent):
        raise BadRequest("value: " + gettext("is required."))
    try:
        encoded = orjson.dumps(value)
    except orjson.JSONEncodeError:
        raise BadRequest(
            "value: " + gettext("must not contain an integer of more than 64 bits. Send the integer as a string.")
        ) from None
    if NUL_IN_JSON.search(encoded):
        raise BadRequest("value: " + gettext("must not contain a NUL character."))
    metadata = {**_stored_metadata(account), key: value}
    if len(encoded) > VALUE_MAX_BYTES or len(orjson.dumps(metadata)) > TOTAL_MAX_BYTES:
        raise BadRequest(
            "value: "
            + gettext("must have at most %(most)s bytes; all metadata of a user at most %(total)s bytes.")
            % {"most": VALUE_MAX_BYTES, "total": TOTAL_MAX_BYTES}
        )
    return _store(account, metadata, now=now)


@transaction_required
def delete_claim(*, user_id: str, key: str, now: datetime) -> Metadata:
    """Delete the claim and return the metadata. Access tokens that are issued from now on do not contain the claim.

    Raises, in this order: NotFound, ReservedMetadataKey, InvalidMetadataKey, MetadataKeyNotFound. Needs a transaction
    and locks the account's row.
    """
    account = hold_account_for_operator(user_id=user_id)
    check_key(key)
    metadata = _stored_metadata(account)
    if key not in metadata:
        raise MetadataKeyNotFound
    return _store(account, {name: value for name, value in metadata.items() if name != key}, now=now)


class MetadataClaims:
    """Adds an account's metadata to the account's tokens. The console registers it, because only operators store metadata."""

    def expression(self, *, account_id: str) -> str:
        """Return an expression for the metadata as JSON. It is NULL when the account was deleted."""
        return f"(SELECT a.metadata FROM {Account._meta.db_table} a WHERE a.user_id = {account_id})"  # noqa: S608 - the table's own name and the caller's SQL

    def claims(self, value: Any) -> Mapping[str, Any]:
        """Return the metadata without reserved claim names. A row can contain such a name, although `set_claim` refuses it."""
        if value in (None, "{}"):
            return {}
        return {name: claim for name, claim in orjson.loads(value).items() if name not in RESERVED_CLAIM_NAMES}


def check_key(key: str) -> None:
    """Raise ReservedMetadataKey or InvalidMetadataKey when no metadata may have this key."""
    if key in RESERVED_CLAIM_NAMES:
        raise ReservedMetadataKey
    if not KEY.fullmatch(key):
        raise InvalidMetadataKey


def _store(account: Account, metadata: dict[str, Any], *, now: datetime) -> Metadata:
    Account.objects.filter(pk=account.pk).update(metadata=metadata, updated_at=now)
    account.metadata = metadata
    return _answer(account)


def _answer(account: Account) -> Metadata:
    return Metadata(user_id=str(account.pk), metadata=_stored_metadata(account))


def _stored_metadata(account: Account) -> dict[str, Any]:
    """Return the stored metadata with its original types.

    PostgreSQL's jsonb writes a large float as an integer, and Django reads an integer of more than 64 bits. A response
    cannot contain such an integer, because orjson cannot write it. Reading the value with orjson makes it a float again.
    """
    stored: dict[str, Any] = orjson.loads(json.dumps(account.metadata))
    return stored
