"""API keys for machines: creation, listing, revocation and verification."""

import hashlib
import re
import secrets
import string
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, ClassVar, ParamSpec
from uuid import UUID

from django.db import connection
from django.db.models import Q
from django.utils.translation import gettext_noop

from accounts.host import users
from accounts.host.changes import is_deactivated
from accounts.models import Account
from accounts.state.lookup import get_own_account, hold_signed_in_account
from core.db.ids import parse_id
from core.db.transactions import write
from core.errors import BadRequest, WritesStopped
from core.http.client import Client
from core.http.examples import LATER, MOMENT
from core.keys.jwt import Caller
from events.audit import record
from events.vocabulary import EventType
from mail.compose import MailTemplate, enqueue

from .errors import ApiKeyNotFound, InvalidApiKey
from .models import ApiKey

LIVE_MAX = 100
"""The maximum number of an account's keys that are neither revoked nor expired."""
RECORD_INTERVAL = timedelta(minutes=5)
"""The minimum time between two recorded uses of a key, and between two recorded rejections."""
NOTICE = gettext_noop(
    "Copy the key now, because it is not shown again. Anyone who has it can act in your name until it expires or you "
    "revoke it."
)
KEY_ID = "01a1fd82-3c07-7d1b-a8f4-5c6e7d8f9a0b"
"""The id of the key in the examples."""

P = ParamSpec("P")

_PATTERN = re.compile(r"(ak_[A-Za-z0-9]{8})_[A-Za-z0-9_-]{43}")
_LETTERS = string.ascii_letters + string.digits


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """The facts about an API key, without the key itself."""

    example: ClassVar = {
        "id": KEY_ID,
        "name": "nightly report",
        "prefix": "ak_7hQ2mZ4x",
        "scopes": ["reports:read"],
        "expires_at": LATER,
        "expired": False,
        "created_at": MOMENT,
    }

    id: UUID
    name: str
    prefix: str
    scopes: Sequence[str]
    expires_at: datetime | None
    expired: bool
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedKey(Key):
    """An API key in a list. `last_used_at` is written every five minutes at most."""

    example: ClassVar = {**Key.example, "last_used_at": None}

    last_used_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedKey:
    """A new API key. `key` is the complete key, which no later call returns."""

    example: ClassVar = {
        "key": "ak_7hQ2mZ4x_Vt5cN8bRk1sWj3yLd6gFp9aHeUoQiTzXmKE",
        "notice": NOTICE,
        "api_key": Key.example,
    }

    key: str
    notice: str = NOTICE
    api_key: Key


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """The rights of a verified key. `user` is the key's owner."""

    user: Any
    key_id: UUID
    name: str
    scopes: Sequence[str]
    expires_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyText:
    """The text of a new key, and the part by which its owner recognizes it."""

    key: str
    prefix: str


def new_key(kind: str) -> KeyText:
    """Return a new random key that begins with `kind`."""
    prefix = kind + "".join(secrets.choice(_LETTERS) for _ in range(8))
    return KeyText(key=f"{prefix}_{secrets.token_urlsafe(32)}", prefix=prefix)


@write
def create(
    *, caller: Caller, name: str, scopes: Sequence[str], lifetime: timedelta | None, client: Client, now: datetime
) -> CreatedKey:
    """Create a key that expires after `lifetime`, or never when `lifetime` is None, and mail the account owner.

    Raises InvalidAccessToken when the session has ended, and BadRequest when the account already has LIVE_MAX live
    keys.
    """
    account = hold_signed_in_account(caller=caller, now=now)
    if ApiKey.objects.filter(_where_live(now), account=account).count() >= LIVE_MAX:
        raise BadRequest(f"An account can have at most {LIVE_MAX} live API keys. Revoke one first.")
    made = new_key("ak_")
    row = ApiKey.objects.create(
        account=account,
        name=name,
        prefix=made.prefix,
        digest=digest_of(made.key),
        scopes=list(scopes),
        created_at=now,
        expires_at=now + lifetime if lifetime else None,
    )
    metadata = {"prefix": made.prefix}
    record(event=EventType.API_KEY_CREATED, user_id=caller.user_id, client=client, now=now, metadata=metadata)
    enqueue(
        template=MailTemplate.API_KEY_CREATED,
        to=users.email_of(account.user),
        account_id=account.pk,
        values={"key": f"{name}, {made.prefix}"},
        client=client,
        now=now,
    )
    return CreatedKey(key=made.key, api_key=Key(**_facts(row, now=now)))


def list_keys(*, user_id: str, now: datetime) -> list[ListedKey]:
    """Return the account's keys that are not revoked, including expired ones, newest first."""
    return list_keys_of(account=get_own_account(user_id=user_id), now=now)


def list_keys_of(*, account: Account, now: datetime, limit: int | None = None) -> list[ListedKey]:
    """Return the account's keys as `list_keys` does, but at most `limit` keys."""
    rows = ApiKey.objects.filter(account=account, revoked_at=None).order_by("-created_at", "-id")[:limit]
    return [ListedKey(**_facts(row, now=now), last_used_at=row.last_used_at) for row in rows]


@write
def revoke(*, caller: Caller, key_id: str, client: Client, now: datetime) -> None:
    """Revoke the key permanently.

    Raises InvalidAccessToken when the session has ended. Raises ApiKeyNotFound when the key is unknown, already
    revoked, or belongs to another account.
    """
    account = hold_signed_in_account(caller=caller, now=now)
    known = parse_id(key_id)
    own = ApiKey.objects.filter(pk=known, account=account, revoked_at=None) if known else ApiKey.objects.none()
    row = own.first()
    if row is None or not own.update(revoked_at=now):
        raise ApiKeyNotFound
    metadata = {"prefix": row.prefix}
    record(event=EventType.API_KEY_REVOKED, user_id=caller.user_id, client=client, now=now, metadata=metadata)


def check(*, key: str, client: Client, now: datetime) -> Grant:
    """Return the grant of the key, and record the time of this use, at most once per RECORD_INTERVAL.

    Raises InvalidApiKey when the key is malformed, unknown, wrong, revoked or expired, or its account is deactivated. The
    refusal of a known prefix is recorded, also at most once per RECORD_INTERVAL. All other refusals write nothing.
    """
    match = _PATTERN.fullmatch(key)
    row = ApiKey.objects.select_related("account__user").filter(prefix=match[1]).first() if match else None
    if row is None:
        raise InvalidApiKey
    if not (is_same_key(key, digest=bytes(row.digest)) and is_live(row, now=now) and not is_deactivated(row.account)):
        if _is_due(row.last_rejected_at, now=now):
            with suppress(WritesStopped):
                _record_rejection(row, client=client, now=now)
        raise InvalidApiKey
    if _is_due(row.last_used_at, now=now):
        # A stop of all writes stops no check of a key. A later use is recorded.
        with suppress(WritesStopped):
            _record_use(row, now=now)
    return Grant(user=row.account.user, key_id=row.pk, name=row.name, scopes=row.scopes, expires_at=row.expires_at)


def is_live(row: ApiKey, *, now: datetime) -> bool:
    """Return whether the key is neither revoked nor expired."""
    return row.revoked_at is None and not _is_expired(row, now=now)


def _is_expired(row: ApiKey, *, now: datetime) -> bool:
    return row.expires_at is not None and row.expires_at <= now


def _facts(row: ApiKey, *, now: datetime) -> dict[str, Any]:
    """Return the fields of a Key."""
    return {
        "id": row.pk,
        "name": row.name,
        "prefix": row.prefix,
        "scopes": row.scopes,
        "expires_at": row.expires_at,
        "expired": _is_expired(row, now=now),
        "created_at": row.created_at,
    }


def _write_or_join(operation: Callable[P, None]) -> Callable[P, None]:
    """Run the operation in a new transaction, or join the one that a host project's ATOMIC_REQUESTS has opened."""
    in_new_transaction = write(operation)

    @wraps(operation)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        return (operation if connection.in_atomic_block else in_new_transaction)(*args, **kwargs)

    return run


@_write_or_join
def _record_use(row: ApiKey, *, now: datetime) -> None:
    ApiKey.objects.filter(_where_due("last_used_at", now), pk=row.pk).update(last_used_at=now)


@_write_or_join
def _record_rejection(row: ApiKey, *, client: Client, now: datetime) -> None:
    # A deletion of the account locks its row while it clears the IP addresses of the account's events. Without the same
    # lock here, an event with an IP address could follow.
    owner = Account.objects.select_for_update(no_key=True).filter(pk=row.account_id).values_list("pk")
    if owner and ApiKey.objects.filter(_where_due("last_rejected_at", now), pk=row.pk).update(last_rejected_at=now):
        record(
            event=EventType.API_KEY_REJECTED,
            user_id=str(row.account_id),
            client=client,
            now=now,
            metadata={"prefix": row.prefix},
        )


def _is_due(last: datetime | None, *, now: datetime) -> bool:
    return last is None or last <= now - RECORD_INTERVAL


def _where_due(column: str, now: datetime) -> Q:
    return Q(**{f"{column}__isnull": True}) | Q(**{f"{column}__lte": now - RECORD_INTERVAL})


def _where_live(now: datetime) -> Q:
    return Q(revoked_at=None) & (Q(expires_at=None) | Q(expires_at__gt=now))


def is_same_key(key: str, *, digest: bytes) -> bool:
    """Return whether the digest is that of the key, in constant time."""
    return secrets.compare_digest(digest_of(key), digest)


def digest_of(key: str) -> bytes:
    """Return the SHA-256 digest of the key, which is all that the database contains of it."""
    return hashlib.sha256(key.encode()).digest()
