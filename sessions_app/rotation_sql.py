"""SQL statements of a rotation."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection

from accounts.core import ratelimit
from accounts.core.db import sql
from accounts.core.db.ids import first_id, made_at
from accounts.core.db.transactions import write, write_alone
from accounts.core.http.client import Client
from accounts.events.audit import INSERT_EVENT, new_row, record
from accounts.events.models import Event
from accounts.events.vocabulary import EventType
from accounts.events.webhooks.queue import is_subscribed

from .conf import settings
from .issuing import INSERT_TOKEN, Issued, insert_token, token_row
from .models import Family, Token, live_condition

_TOKEN = Token._meta.db_table
_FAMILY = Family._meta.db_table
_EVENT = Event._meta.db_table

_FIND = f"""
    SELECT t.id, f.id, f.account_id, t.id <> f.current_token_id,
        {live_condition()}
    FROM {_TOKEN} t JOIN {_FAMILY} f ON f.id = t.family_id
    WHERE t.digest = %s
"""  # noqa: S608 - only constants are interpolated

# The limit counts the rotations in the audit trail. A separate counter would cost each refresh one more round trip and
# one more write.
_NTH_NEWEST_ROTATION = f"""
    SELECT id FROM {_EVENT}
    WHERE user_id = %s AND id > %s AND type = '{EventType.TOKEN_ROTATED}'
    ORDER BY id DESC LIMIT 1 OFFSET %s
"""  # noqa: S608 - only constants are interpolated

# The conditions that select the winner are on the updated row itself. When two callers rotate one family, PostgreSQL
# makes the second one wait. It then checks the conditions again on the row that the first caller wrote. The rate limit
# is not exact: concurrent refreshes of different sessions do not see each other, so a few more than the limit may pass.
_ROTATE = f"""
    UPDATE {_FAMILY} SET current_token_id = %s, idle_expires_at = %s
    WHERE id = %s AND current_token_id = %s AND revoked_at IS NULL AND NOT EXISTS ({_NTH_NEWEST_ROTATION})
"""  # noqa: S608 - only constants are interpolated

NEVER = UUID(int=2**128 - 1)
"""The largest UUID. Without a rate limit the query compares with it, and the scan of the index finds no row."""

# PostgreSQL only. The statement needs two thirds of the time that separate statements in a transaction need.
_ROTATE_AT_ONCE = f"""
    WITH rotated AS ({_ROTATE} RETURNING id),
    token AS ({INSERT_TOKEN} FROM rotated),
    event AS ({INSERT_EVENT} FROM rotated)
    SELECT id FROM rotated
"""  # noqa: S608 - only constants are interpolated


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredToken:
    """The token of the request, and the state of its family at the lookup."""

    id: UUID
    family_id: UUID
    account_id: Any
    was_rotated: bool
    is_live: bool


def find_token(*, digest: bytes, now: datetime) -> StoredToken | None:
    """Return the token with this digest, or None."""
    row = sql.fetch_one(_FIND, (now, now, digest))
    if row is None:
        return None
    token_id, family_id, account_id, was_rotated, is_live = row
    return StoredToken(
        id=sql.to_uuid(token_id),
        family_id=sql.to_uuid(family_id),
        account_id=Family._meta.get_field("account").target_field.to_python(account_id),
        was_rotated=bool(was_rotated),
        is_live=bool(is_live),
    )


def replace_token(token: StoredToken, issued: Issued, *, client: Client, now: datetime) -> bool:
    """Make the issued token the family's current one, and record the rotation.

    Returns False and changes nothing when the token of the request is no longer the current one of a live family. Also
    returns False when the account has used up the limit `refresh`. Opens its own transaction.
    """
    if connection.vendor != "postgresql" or is_subscribed(EventType.TOKEN_ROTATED):
        return _replace_in_steps(token, issued, client=client, now=now)
    parameters = (
        *_rotation(token, issued, now=now),
        *token_row(family_id=token.family_id, issued=issued, client=client, now=now),
        *new_row(event=EventType.TOKEN_ROTATED, user_id=str(token.account_id), client=client, now=now),
    )
    return write_alone(_ROTATE_AT_ONCE, parameters) is not None


@write
def _replace_in_steps(token: StoredToken, issued: Issued, *, client: Client, now: datetime) -> bool:
    if not sql.execute(_ROTATE, _rotation(token, issued, now=now)):
        return False
    insert_token(family_id=token.family_id, issued=issued, client=client, now=now)
    record(event=EventType.TOKEN_ROTATED, user_id=str(token.account_id), client=client, now=now)
    return True


def _rotation(token: StoredToken, issued: Issued, *, now: datetime) -> tuple[Any, ...]:
    idle_expires_at = now + timedelta(seconds=settings().refresh_idle_seconds)
    limit = _limit(token, now=now)
    return (issued.token_id, idle_expires_at, token.family_id, token.id, *limit)


def wait_for_limit(token: StoredToken, *, now: datetime) -> int:
    """Return the seconds until the limit `refresh` lets the account refresh again, at least 1."""
    rate = ratelimit.settings().rate_limits.refresh
    row = sql.fetch_one(_NTH_NEWEST_ROTATION, _limit(token, now=now))
    if rate is None or row is None:
        return 1
    # The SQL condition compares ids, which hold their time in milliseconds. So the wait is computed from the id's time.
    ends_at = made_at(sql.to_uuid(row[0])) + timedelta(seconds=rate.seconds, milliseconds=1)
    return max(1, math.ceil((ends_at - now).total_seconds()))


def _limit(token: StoredToken, *, now: datetime) -> tuple[Any, ...]:
    """Return the parameters of _NTH_NEWEST_ROTATION.

    The query returns a row if and only if the account has used up its limit.
    """
    rate = ratelimit.settings().rate_limits.refresh
    since, attempts = (NEVER, 1) if rate is None else (first_id(now - timedelta(seconds=rate.seconds)), rate.attempts)
    return (str(token.account_id), since, attempts - 1)
