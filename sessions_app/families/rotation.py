"""Rotation of refresh tokens. Each token refreshes once, and a second use of a token ends its session.

A client that lost the answer to a refresh can repeat the refresh with the same Idempotency-Key.
"""

import hashlib
from datetime import datetime

from django.db.models import QuerySet

from accounts.host import users
from accounts.state.owner_mails import mail_owner
from accounts.state.reconciliation import is_session_allowed
from core.db.transactions import write
from core.errors import RateLimited, ServiceError
from core.http.client import Client
from core.keys.opaque import find_digest
from events.audit import record
from events.vocabulary import EventType
from mail.compose import MailTemplate

from ..errors import InvalidToken, TokenReused
from ..models import Family, KeyedRotation, Token
from .issuing import REFRESH_PREFIX, NewToken, TokenPair, new_refresh_token
from .revocation import Cause, revoke_suspect_family
from .rotation_sql import Beside, UsedToken, replace_successor, use_token, wait_for_limit


def rotate(*, refresh_token: str, idempotency_key: str | None, client: Client, now: datetime) -> TokenPair:
    """Exchange the current refresh token of a login's session for a new pair. Raises as `exchange` does.

    Both pairs are bound to the key that the client proves, or to none.
    """
    used, successor = exchange(
        refresh_token=refresh_token,
        prefix=REFRESH_PREFIX,
        key=client.key,
        idempotency_key=idempotency_key,
        client=client,
        now=now,
    )
    return successor.pair(account_id=used.account_id, claims=used.claims, started_at=used.started_at, amr=used.amr)


def exchange(
    *, refresh_token: str, prefix: str, idempotency_key: str | None, client: Client, now: datetime, key: str = ""
) -> tuple[UsedToken, NewToken]:
    """Exchange the family's current token for a successor. The exchanged token never works again.

    `prefix` is that of the kind of token that the route accepts. A token of another kind is unknown. `key` is the
    thumbprint of the key to which the token and its successor are bound, or "". A token that is bound to another key, or
    to none, is unknown too. So a thief without the key ends no session, and gets none.

    For REPEAT_PERIOD after the rotation, the same token with the same `idempotency_key` gets another new successor. The
    first request with its successor ends this. The new successor supersedes the old one: a superseded token is unknown.

    Raises TokenReused when the token was rotated before and the call does not repeat that rotation. The call then ends
    the whole family, voids a pending e-mail change of the account and mails the account owner. Raises InvalidToken when
    the token is unknown, superseded, expired or revoked. Also raises InvalidToken when a host project deactivated the
    user or changed the user's password. Of several callers with one token, exactly one gets a successor, and the others
    end the family. When all of them have one key, each gets a successor, and only the last one works.

    Raises RateLimited when the account has refreshed too often in all its sessions; the token stays valid. Rotations of
    a live session's current token and their repetitions count towards this limit. A reused token ends its family even
    beyond the limit.
    """
    digest = find_digest(refresh_token, prefix=prefix, key=key)
    if digest is None:
        raise InvalidToken
    if users.belong_to_host() and not _is_admitted_by_host(digest, now=now):
        if _rotation_that_made(digest).exists():
            _forbid_repetition(digest)
        raise InvalidToken
    key_digest = _key_digest(digest, idempotency_key)
    successor = new_refresh_token(now=now, prefix=prefix, key=key)
    used = use_token(digest=digest, key_digest=key_digest, successor=successor, client=client, now=now)
    if used is None or not (used.was_rotated or used.is_live):
        raise InvalidToken
    if not used.is_replaced and not (
        key_digest is not None
        and replace_successor(token=used, key_digest=key_digest, successor=successor, client=client, now=now)
    ):
        raise _handle_failed_rotation(used, digest=digest, client=client, now=now)
    return used, successor


def exchange_current(
    *, refresh_token: str, prefix: str, idempotency_key: str | None, beside: Beside, client: Client, now: datetime
) -> tuple[UsedToken, NewToken] | None:
    """Exchange the family's current token as `exchange` does, if `beside` admits the family. It is one lookup less.

    Returns None when the call exchanged nothing and changed nothing. The caller then calls `exchange`, which repeats a
    rotation, ends a family or says what is wrong.
    """
    digest = find_digest(refresh_token, prefix=prefix)
    if digest is None or users.belong_to_host():
        return None
    successor = new_refresh_token(now=now, prefix=prefix)
    key_digest = _key_digest(digest, idempotency_key)
    used = use_token(digest=digest, key_digest=key_digest, successor=successor, beside=beside, client=client, now=now)
    return (used, successor) if used is not None and used.is_replaced else None


def _key_digest(digest: bytes, idempotency_key: str | None) -> bytes | None:
    return None if idempotency_key is None else hashlib.sha256(digest + idempotency_key.encode()).digest()


def _is_admitted_by_host(digest: bytes, *, now: datetime) -> bool:
    """Return whether the host project lets the user of the token continue. False when no token has the digest."""
    account_id = Family.objects.filter(tokens__digest=digest).values("account_id")
    return is_session_allowed(account_id=account_id[:1], now=now)


def _rotation_that_made(digest: bytes) -> QuerySet[KeyedRotation]:
    return KeyedRotation.objects.filter(pk__in=Token.objects.filter(digest=digest).values("pk"))


@write
def _forbid_repetition(digest: bytes) -> None:
    """Let no call repeat the rotation that made this token, because the client has received the token."""
    _rotation_that_made(digest).delete()


@write
def _handle_failed_rotation(
    token: UsedToken, *, digest: bytes, client: Client, now: datetime
) -> ServiceError | type[ServiceError]:
    """Return the error for a token that was not rotated.

    Ends the family when the token was rotated before. A rotated token never becomes current again. So the time between
    the lookup and this call does not matter.
    """
    family = Family.objects.filter(pk=token.family_id).first()
    if family is None or (family.current_token_id == token.id and family.revoked_at is not None):
        return InvalidToken
    if family.current_token_id == token.id:
        # The client has received this token. So no call may repeat the rotation that made it.
        _rotation_that_made(digest).delete()
        return RateLimited(retry_after=wait_for_limit(token, now=now))
    if not Token.objects.filter(digest=digest).exists():
        # A repeated refresh superseded the token after the lookup.
        return InvalidToken
    if revoke_suspect_family(account_id=token.account_id, family_id=token.family_id, cause=Cause.TOKEN_REUSED, now=now):
        record(event=EventType.TOKEN_REUSE_DETECTED, user_id=str(token.account_id), client=client, now=now)
        mail_owner(account_id=token.account_id, template=MailTemplate.TOKEN_REUSED, values={}, client=client, now=now)
    return TokenReused
