"""Passkey ceremonies: challenges that a browser answers.

Each challenge is single use, has a short lifetime, and belongs to one account and purpose.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from accounts.core.db.transactions import transaction_required, write
from accounts.core.keys.opaque import find_digest, new_token

from .conf import settings
from .errors import InvalidCeremonyToken
from .models import Ceremony

Purpose = Ceremony.Purpose
PREFIX = "sct_"
CHALLENGE_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceremonial:
    """The response of a begin call: WebAuthn Level 3 options as JSON, and the token for the finish call."""

    public_key: dict[str, Any]
    ceremony_token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A new ceremony. The challenge is 32 random bytes."""

    token: str
    challenge: bytes


@transaction_required
def begin_ceremony(*, account_id: Any, purpose: Purpose, now: datetime, pending_login: UUID | None = None) -> Begun:
    """Begin a ceremony of the account. A ceremony with purpose LOGIN belongs to a pending login."""
    token = new_token(prefix=PREFIX)
    challenge = secrets.token_bytes(CHALLENGE_BYTES)
    Ceremony.objects.create(
        account_id=account_id,
        purpose=purpose,
        pending_login=pending_login,
        digest=token.digest,
        challenge=challenge,
        expires_at=now + timedelta(seconds=settings().ceremony_seconds),
    )
    return Begun(token=token.raw, challenge=challenge)


@write
def finish_ceremony(
    *, token: str, account_id: Any, purpose: Purpose, now: datetime, pending_login: UUID | None = None
) -> bytes:
    """Spend the ceremony and return its challenge.

    Raises InvalidCeremonyToken when the ceremony is unknown, spent or expired, or belongs to another account, purpose
    or login. Opens its own transaction. So the ceremony stays spent when the response is refused, and no second
    response can use its challenge.
    """
    digest = find_digest(token, prefix=PREFIX)
    rows = Ceremony.objects.filter(account_id=account_id, purpose=purpose, pending_login=pending_login)
    live = rows.filter(digest=digest, consumed_at=None, expires_at__gt=now)
    ceremony = live.first() if digest else None
    if ceremony is None or not live.filter(pk=ceremony.pk).update(consumed_at=now):
        raise InvalidCeremonyToken
    return bytes(ceremony.challenge)
