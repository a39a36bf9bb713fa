"""Lifetimes of sessions whose refresh token no client has. Another app binds such a session to a handle of its own."""

from datetime import datetime
from uuid import UUID

from django.db.models import Value
from django.db.models.functions import Least

from accounts.host import users
from core.db.ids import parse_id
from core.db.transactions import transaction_required, write
from core.keys.jwt import Caller

from ..models import Family, Token


@transaction_required
def limit_lifetimes(
    *, caller: Caller, idle_expires_at: datetime, absolute_expires_at: datetime, now: datetime
) -> UUID | None:
    """Give the caller's session these lifetimes, and return the id of its family. Needs a transaction.

    The absolute lifetime becomes at most `absolute_expires_at`. Returns None when the session has ended.
    """
    token_id = parse_id(caller.token_id)
    token = Token.objects.filter(pk=token_id).first() if token_id else None
    if token is None:
        return None
    rows = Family.objects.live(now).filter(pk=token.family_id, account_id=users.to_account_id(caller.user_id))
    changed = rows.update(
        idle_expires_at=idle_expires_at,
        absolute_expires_at=Least("absolute_expires_at", Value(absolute_expires_at)),
    )
    return token.family_id if changed else None


@write
def extend_session(*, family_id: UUID, idle_expires_at: datetime, now: datetime) -> None:
    """Let the session end at `idle_expires_at` unless it is used again. Do nothing when it has ended."""
    Family.objects.live(now).filter(pk=family_id).update(idle_expires_at=idle_expires_at)
