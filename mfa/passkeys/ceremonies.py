"""Passkey ceremonies: challenges that a browser answers.

Each challenge is single use, has a short lifetime, and belongs to one purpose. It also belongs to one account, except at
a login with a passkey alone, which begins without an account.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import QuerySet

from core.db.transactions import transaction_required, write
from core.http.examples import CEREMONY_TOKEN, CHALLENGE, CREDENTIAL_ID
from core.keys.opaque import find_digest, new_token

from ..conf import settings
from ..models import Ceremony
from .errors import InvalidCeremonyToken

Purpose = Ceremony.Purpose
PREFIX = "sct_"
CHALLENGE_BYTES = 32

_AUTHENTICATION: Mapping[str, Any] = {
    "challenge": CHALLENGE,
    "timeout": 300000,
    "rpId": "auth.example.com",
    "allowCredentials": [{"id": CREDENTIAL_ID, "type": "public-key", "transports": ["internal"]}],
    "userVerification": "preferred",
}
PASSKEY_ONLY: Mapping[str, Any] = {
    "public_key": {**_AUTHENTICATION, "allowCredentials": [], "userVerification": "required"},
    "ceremony_token": CEREMONY_TOKEN,
}
"""An example of a ceremony that logs in with a passkey alone."""
REGISTRATION: Mapping[str, Any] = {
    "public_key": {
        "rp": {"name": "Example", "id": "auth.example.com"},
        "user": {"id": "AaH9f4pZcL2OmKc0KDFgag", "name": "alice@example.com", "displayName": "alice@example.com"},
        "challenge": CHALLENGE,
        "pubKeyCredParams": [{"type": "public-key", "alg": -7}],
        "timeout": 300000,
        "excludeCredentials": [],
        "authenticatorSelection": {
            "residentKey": "preferred",
            "requireResidentKey": False,
            "userVerification": "preferred",
        },
        "attestation": "none",
    },
    "ceremony_token": CEREMONY_TOKEN,
}
"""An example of a ceremony that registers a passkey."""

REAUTHENTICATION: Mapping[str, Any] = {
    "public_key": {**_AUTHENTICATION, "userVerification": "required"},
    "ceremony_token": CEREMONY_TOKEN,
}
"""An example of a ceremony that reauthenticates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CeremonyOptions:
    """A passkey ceremony: WebAuthn Level 3 options for the browser, and the token for the call that finishes it."""

    component: ClassVar = "Ceremony"
    example: ClassVar = {"public_key": _AUTHENTICATION, "ceremony_token": CEREMONY_TOKEN}

    public_key: Mapping[str, Any]
    ceremony_token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCeremony:
    """A new ceremony. The challenge is 32 random bytes."""

    token: str
    challenge: bytes


@transaction_required
def begin_ceremony(
    *, account_id: Any, purpose: Purpose, now: datetime, pending_login: UUID | None = None
) -> NewCeremony:
    """Begin a ceremony of the account, or of no account when the purpose is PASSKEY_ONLY.

    A ceremony with purpose LOGIN belongs to a pending login.
    """
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
    return NewCeremony(token=token.raw, challenge=challenge)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpentRegistration:
    """A finished ceremony that registers a passkey. `is_conditional` is true when it began as a conditional one."""

    challenge: bytes
    is_conditional: bool


@write
def finish_registration_ceremony(*, token: str, account_id: Any, now: datetime) -> SpentRegistration:
    """Spend the ceremony, which registers a passkey, and return it. Raises as `finish_ceremony` does."""
    rows = Ceremony.objects.filter(account_id=account_id, purpose__in=(Purpose.REGISTER, Purpose.UPGRADE))
    spent = _spend(rows, token, now=now)
    return SpentRegistration(challenge=bytes(spent.challenge), is_conditional=spent.purpose == Purpose.UPGRADE)


@write
def finish_ceremony(
    *, token: str, account_id: Any, purpose: Purpose, now: datetime, pending_login: UUID | None = None
) -> bytes:
    """Spend the ceremony and return its challenge.

    Raises InvalidCeremonyToken when the ceremony is unknown, spent or expired, or belongs to another account, purpose
    or login. Opens its own transaction. So the ceremony stays spent when the response is refused, and no second
    response can use its challenge.
    """
    rows = Ceremony.objects.filter(account_id=account_id, purpose=purpose, pending_login=pending_login)
    return bytes(_spend(rows, token, now=now).challenge)


@transaction_required
def _spend(rows: QuerySet[Ceremony], token: str, *, now: datetime) -> Ceremony:
    digest = find_digest(token, prefix=PREFIX)
    live = rows.filter(digest=digest, consumed_at=None, expires_at__gt=now)
    ceremony = live.first() if digest else None
    if ceremony is None or not live.filter(pk=ceremony.pk).update(consumed_at=now):
        raise InvalidCeremonyToken
    return ceremony
