"""Refresh-token rotation: each token refreshes once, and one that comes back ends its session."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Any
from uuid import UUID

from accounts import users
from accounts.core import sql
from accounts.core.client import Client
from accounts.core.opaque import find_digest
from accounts.core.transactions import write
from accounts.events.audit import record
from accounts.events.vocabulary import EventType

from .conf import conf
from .errors import InvalidToken, TokenReused
from .issuing import REFRESH_PREFIX, Issued, TokenPair, insert_token, issue
from .models import Family, Token
from .revocation import revoke_family

_TOKEN = Token._meta.db_table
_FAMILY = Family._meta.db_table

_FIND = f"""
    SELECT t.id, f.id, f.account_id, f.current_token_id, f.revoked_at, f.idle_expires_at, f.absolute_expires_at
    FROM {_TOKEN} t JOIN {_FAMILY} f ON f.id = t.family_id
    WHERE t.digest = %s
"""  # noqa: S608 - tables' own names

# The condition stands on the updated row itself: when two callers meet here, PostgreSQL lets the second one wait and
# then checks it again on the row that the first one left.
_ROTATE = f"""
    UPDATE {_FAMILY} SET current_token_id = %s, idle_expires_at = %s
    WHERE id = %s AND current_token_id = %s AND revoked_at IS NULL
"""  # noqa: S608 - a table's own name


@dataclass(frozen=True, slots=True, kw_only=True)
class _Presented:
    """The token that was presented, as its family stood when it was looked up."""

    token_id: UUID
    family_id: UUID
    account_id: Any
    was_rotated: bool
    is_live: bool


class _Loss(Enum):
    """Why a rotation did not happen."""

    ROTATED_BEFORE = auto()
    FAMILY_ENDED = auto()


def rotate(*, refresh_token: str, client: Client, now: datetime) -> TokenPair:
    """Exchange the family's current token for a new pair; the presented token never works again.

    Raises TokenReused for a token that was rotated before, which ends the whole family, and InvalidToken for one that
    is unknown, expired or revoked. Of several callers with one token exactly one wins, and the others end the family.
    """
    presented = _find(refresh_token, now=now)
    if presented is None or not users.is_active(account_id=presented.account_id):
        raise InvalidToken
    if presented.was_rotated:
        _end_reused(presented, client=client, now=now)
        raise TokenReused
    if not presented.is_live:
        raise InvalidToken
    issued = issue(account_id=presented.account_id, now=now)
    match _rotate(presented, issued, client=client, now=now):
        case _Loss.ROTATED_BEFORE:
            raise TokenReused
        case _Loss.FAMILY_ENDED:
            raise InvalidToken
    return issued.pair


def _find(refresh_token: str, *, now: datetime) -> _Presented | None:
    digest = find_digest(refresh_token, prefix=REFRESH_PREFIX)
    row = sql.fetch_one(_FIND, (digest,)) if digest else None
    if row is None:
        return None
    token_id, family_id, account_id, current_id, revoked_at, idle_expires_at, absolute_expires_at = row
    expires_at = min(sql.to_datetime(idle_expires_at), sql.to_datetime(absolute_expires_at))
    return _Presented(
        token_id=sql.to_uuid(token_id),
        family_id=sql.to_uuid(family_id),
        account_id=Family._meta.get_field("account").target_field.to_python(account_id),
        was_rotated=token_id != current_id,
        is_live=revoked_at is None and now < expires_at,
    )


@write
def _rotate(presented: _Presented, issued: Issued, *, client: Client, now: datetime) -> _Loss | None:
    idle_expires_at = now + timedelta(seconds=conf().refresh_idle_seconds)
    won = sql.execute(_ROTATE, (issued.token_id, idle_expires_at, presented.family_id, presented.token_id))
    if won:
        insert_token(family_id=presented.family_id, issued=issued, client=client, now=now)
        record(event=EventType.TOKEN_ROTATED, user_id=str(presented.account_id), client=client, now=now)
        return None
    family = Family.objects.filter(pk=presented.family_id).first()
    if family is None or family.current_token_id == presented.token_id:
        return _Loss.FAMILY_ENDED
    _revoke_reused(presented, client=client, now=now)
    return _Loss.ROTATED_BEFORE


@write
def _end_reused(presented: _Presented, *, client: Client, now: datetime) -> None:
    _revoke_reused(presented, client=client, now=now)


def _revoke_reused(presented: _Presented, *, client: Client, now: datetime) -> None:
    if revoke_family(family_id=presented.family_id, now=now):
        record(event=EventType.TOKEN_REUSE_DETECTED, user_id=str(presented.account_id), client=client, now=now)
