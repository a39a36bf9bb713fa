"""Keys of the operator's own services. Only a command makes them, because they open routes about all accounts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from core.db.transactions import write
from core.http.client import Client
from events.audit import record
from events.vocabulary import EventType

from .errors import InvalidApiKey
from .keys import digest_of, is_same_key, new_key
from .models import ServiceKey

SCOPES = ("revocations:read",)
"""The scopes that the service's own routes demand."""

_PATTERN = re.compile(r"(sk_[A-Za-z0-9]{8})_[A-Za-z0-9_-]{43}")
_COMMAND = Client(ip="", user_agent="manage.py service_keys")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewServiceKey:
    """A new key. `key` is the complete key, which is stored nowhere."""

    key: str
    prefix: str


@write
def create_service_key(*, name: str, scopes: Sequence[str], lifetime: timedelta | None, now: datetime) -> NewServiceKey:
    """Create a key that expires after `lifetime`, or never when `lifetime` is None. Opens its own transaction."""
    made = new_key("sk_")
    ServiceKey.objects.create(
        name=name,
        prefix=made.prefix,
        digest=digest_of(made.key),
        scopes=list(scopes),
        created_at=now,
        expires_at=now + lifetime if lifetime else None,
    )
    _record(EventType.API_KEY_CREATED, made.prefix, now=now)
    return NewServiceKey(key=made.key, prefix=made.prefix)


def list_service_keys() -> Sequence[ServiceKey]:
    """Return the keys that are not revoked, the newest first."""
    return list(ServiceKey.objects.filter(revoked_at=None).order_by("-created_at", "-id"))


@write
def revoke_service_key(*, prefix: str, now: datetime) -> bool:
    """Revoke the key permanently, and return whether there was one. Opens its own transaction."""
    is_revoked = bool(ServiceKey.objects.filter(prefix=prefix, revoked_at=None).update(revoked_at=now))
    if is_revoked:
        _record(EventType.API_KEY_REVOKED, prefix, now=now)
    return is_revoked


def check_service_key(*, key: str, now: datetime) -> ServiceKey:
    """Return the row of the key. Raises InvalidApiKey when the key is unknown, wrong, revoked or expired."""
    match = _PATTERN.fullmatch(key)
    is_unexpired = Q(expires_at=None) | Q(expires_at__gt=now)
    rows = (
        ServiceKey.objects.filter(is_unexpired, prefix=match[1], revoked_at=None)
        if match
        else ServiceKey.objects.none()
    )
    row = rows.first()
    if row is None or not is_same_key(key, digest=bytes(row.digest)):
        raise InvalidApiKey
    return row


def _record(event: EventType, prefix: str, *, now: datetime) -> None:
    record(event=event, user_id=None, client=_COMMAND, now=now, metadata={"prefix": prefix})
