"""SQL statements of a rotation."""

import math
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection

from accounts.lifecycle import claims_columns, claims_from
from core import meter, ratelimit
from core.db import sql
from core.db.ids import first_id, made_at
from core.db.transactions import transaction_required, write, write_alone
from core.errors import RateLimited
from core.http.client import Client
from events.audit import INSERT_EVENT_SQL, new_row, record
from events.models import Event
from events.vocabulary import EventType
from events.webhooks.queue import is_subscribed

from ..conf import settings
from ..models import REPEAT_PERIOD, Family, KeyedRotation, Token, live_condition
from .issuing import INSERT_TOKEN_SQL, NewToken, insert_token, token_row

_TOKEN = Token._meta.db_table
_FAMILY = Family._meta.db_table
_KEYED = KeyedRotation._meta.db_table
_EVENT = Event._meta.db_table

# The limit counts the rotations in the audit trail. A separate counter would cost each refresh one more round trip and
# one more write.
_NTH_NEWEST_ROTATION = f"""
    SELECT id FROM {_EVENT}
    WHERE type = '{EventType.TOKEN_ROTATED}' AND id > %s AND user_id = {{user_id}}
    ORDER BY id DESC LIMIT 1 OFFSET %s
"""  # noqa: S608 - only constants are interpolated

_FIND_SQL = f"""
    SELECT t.id, f.id AS family_id, f.account_id, t.id <> f.current_token_id AS was_rotated,
        {live_condition()} AS is_live, f.started_at, f.amr{{columns}}
    FROM {_TOKEN} t JOIN {_FAMILY} f ON f.id = t.family_id {{join}}
    WHERE t.digest = %s{{condition}}
"""  # noqa: S608 - only constants are interpolated

_FOUND_COLUMNS = 7

# The conditions that select the winner are on the updated row itself. When two callers rotate one family, PostgreSQL
# makes the second one wait. It then checks the conditions again on the row that the first caller wrote. The rate limit
# is not exact. Concurrent refreshes of different sessions do not see each other, so a few more may pass.
_ROTATE_SQL = f"""
    UPDATE {_FAMILY} AS f SET current_token_id = %s, idle_expires_at = %s
    WHERE f.id = {{family_id}} AND f.current_token_id = {{current}} AND {live_condition()}
    AND NOT EXISTS ({_NTH_NEWEST_ROTATION})
"""  # noqa: S608 - only constants are interpolated
_ROTATE_IN_STEPS_SQL = _ROTATE_SQL.format(family_id="%s", current="%s", user_id="%s")
# PostgreSQL computes each subquery once. With a join to `found`, the plan for tables without statistics read all live
# families and, for each of them, all rotations.
_ROTATE_FOUND_SQL = _ROTATE_SQL.format(
    family_id="(SELECT family_id FROM found)",
    current="(SELECT id FROM found)",
    user_id="(SELECT account_id::text FROM found)",
)

_INSERT_KEYED_SQL = f"INSERT INTO {_KEYED} (token_id, digest, expires_at) SELECT %s, %s, %s"

LARGEST_ID = UUID(int=2**128 - 1)
"""The largest UUID. Without a rate limit the query compares with it, and the scan of the index finds no row."""

# One round trip, for PostgreSQL. SQLite has no such statement. `found` can be older than the family's row that the
# UPDATE checks. But the UPDATE takes only the ids from `found`, and the ids of a token's row never change.
_USE_TOKEN_SQL = f"""
    WITH found AS ({_FIND_SQL}),
    rotated AS ({_ROTATE_FOUND_SQL} RETURNING f.id, f.account_id),
    token AS ({INSERT_TOKEN_SQL} id FROM rotated),
    event AS ({INSERT_EVENT_SQL} account_id::text FROM rotated){{keyed}}
    SELECT found.*, rotated.id IS NOT NULL{{claims}} FROM found LEFT JOIN rotated ON rotated.id = found.family_id
"""  # noqa: S608 - only constants are interpolated
_KEYED_SQL = f", keyed AS ({_INSERT_KEYED_SQL} FROM rotated)"
_FIND_WITH_CLAIMS_SQL = f"SELECT found.*{{claims}} FROM ({_FIND_SQL}) AS found"  # noqa: S608 - only constants are interpolated


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """Rows that belong to a family `f`: the SQL that joins them, a condition on them, and the columns to return.

    A token whose family does not meet the condition counts as unknown. The condition has the placeholders of
    `parameters`. It can be older than the family's row, as the rest of the lookup.
    """

    columns: Sequence[str]
    join: str
    condition: str
    parameters: Sequence[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedToken:
    """The token of the request, the state and the login of its family at the lookup, and the claims of its account.

    `is_replaced`: a successor is now the current token of the family. `beside` has the columns of a `Beside`. With one,
    the claims are not read.
    """

    id: UUID
    family_id: UUID
    account_id: Any
    was_rotated: bool
    is_live: bool
    started_at: datetime
    amr: str
    is_replaced: bool
    claims: Mapping[str, Any]
    beside: Sequence[Any] = ()


def use_token(
    *,
    digest: bytes,
    key_digest: bytes | None,
    successor: NewToken,
    beside: Beside | None = None,
    client: Client,
    now: datetime,
) -> UsedToken | None:
    """Find the token with this digest, make the successor the family's current token, and record the rotation.

    With a `key_digest`, the client can repeat the rotation by `replace_successor`.

    Returns None when no token has the digest, or `beside` does not admit its family. Replaces nothing when the token is
    not the current one of a live family. Also replaces nothing when the account has used up the limit `refresh`. Opens
    its own transaction.
    """
    keyed = () if key_digest is None else (successor.id, key_digest, now + REPEAT_PERIOD)
    if connection.vendor == "postgresql" and not is_subscribed(EventType.TOKEN_ROTATED):
        return _use_at_once(digest, successor, keyed=keyed, beside=beside, client=client, now=now)
    found = _find(digest, beside=beside, now=now)
    if found is None or found.was_rotated or not found.is_live:
        return found
    return replace(found, is_replaced=_replace_in_steps(found, successor, keyed=keyed, client=client, now=now))


@write
def replace_successor(
    *, token: UsedToken, key_digest: bytes, successor: NewToken, client: Client, now: datetime
) -> bool:
    """Supersede the token that the rotation of `token` returned, and return whether this call did so.

    The successor becomes the family's current token, and the superseded token never works again. Changes nothing and
    returns False in three cases. The rotation had another key or none, it is too old, or its successor was used. The
    same call then never succeeds later. Raises RateLimited, and changes nothing, when the account has used up the limit
    `refresh`.
    """
    # The lock comes first. The statements after it therefore see the changes of all callers that held it before.
    families = Family.objects.live(now).filter(pk=token.family_id).select_for_update(no_key=True)
    current = families.values_list("current_token_id", flat=True).first()
    if current is None:
        return False
    rotations = KeyedRotation.objects.filter(pk=current, digest=key_digest, expires_at__gt=now)
    if not rotations.update(token_id=successor.id):
        return False
    if not _replace(replace(token, id=current), successor, client=client, now=now):
        raise RateLimited(retry_after=wait_for_limit(token, now=now))
    # No token has this digest, so the superseded token is unknown from now on.
    Token.objects.filter(pk=current).update(digest=secrets.token_bytes(32))
    return True


def _use_at_once(
    digest: bytes,
    successor: NewToken,
    *,
    keyed: Sequence[Any],
    beside: Beside | None,
    client: Client,
    now: datetime,
) -> UsedToken | None:
    parameters = (
        *(now, now, digest, *(beside.parameters if beside else ())),
        *(successor.id, _idle_expires_at(now), now, now, *_limit(now)),
        *token_row(successor, client=client, now=now),
        *new_row(event=EventType.TOKEN_ROTATED, client=client, now=now),
        *keyed,
    )
    statement = _with(beside, _USE_TOKEN_SQL, keyed=_KEYED_SQL if keyed else "")
    row = write_alone(statement, parameters)
    if row is None:
        return None
    width = _width(beside)
    is_replaced = row[width]
    if is_replaced:
        meter.current.count_event(type_=EventType.TOKEN_ROTATED)
    return _used_token(row[:width], is_replaced=is_replaced, claims=row[width + 1 :])


def _find(digest: bytes, *, beside: Beside | None, now: datetime) -> UsedToken | None:
    parameters = (now, now, digest, *(beside.parameters if beside else ()))
    row = sql.fetch_one(_with(beside, _FIND_WITH_CLAIMS_SQL), parameters)
    width = _width(beside)
    return None if row is None else _used_token(row[:width], is_replaced=False, claims=row[width:])


def _width(beside: Beside | None) -> int:
    """Return the number of columns of `found`."""
    return _FOUND_COLUMNS + (len(beside.columns) if beside else 0)


def _with(beside: Beside | None, statement: str, **parts: str) -> str:
    """Return the statement that reads the claims of the account, or else the rows beside the family."""
    if beside is None:
        claims = claims_columns(account_id="found.account_id")
        return statement.format(columns="", join="", condition="", claims=claims, **parts)
    columns = "".join(f", {column}" for column in beside.columns)
    return statement.format(columns=columns, join=beside.join, condition=f" AND {beside.condition}", claims="", **parts)


def _used_token(found: Sequence[Any], *, is_replaced: bool, claims: Sequence[Any]) -> UsedToken:
    token_id, family_id, account_id, was_rotated, is_live, started_at, amr, *beside = found
    return UsedToken(
        id=sql.to_uuid(token_id),
        family_id=sql.to_uuid(family_id),
        account_id=Family._meta.get_field("account").target_field.to_python(account_id),
        was_rotated=bool(was_rotated),
        is_live=bool(is_live),
        started_at=sql.to_datetime(started_at),
        amr=amr,
        is_replaced=is_replaced,
        claims=claims_from(claims) if claims else {},
        beside=beside,
    )


@write
def _replace_in_steps(
    token: UsedToken, successor: NewToken, *, keyed: Sequence[Any], client: Client, now: datetime
) -> bool:
    is_replaced = _replace(token, successor, client=client, now=now)
    if is_replaced and keyed:
        sql.execute(_INSERT_KEYED_SQL, keyed)
    return is_replaced


@transaction_required
def _replace(token: UsedToken, successor: NewToken, *, client: Client, now: datetime) -> bool:
    user_id = str(token.account_id)
    since, offset = _limit(now)
    parameters = (successor.id, _idle_expires_at(now), token.family_id, token.id, now, now, since, user_id, offset)
    if not sql.execute(_ROTATE_IN_STEPS_SQL, parameters):
        return False
    insert_token(family_id=token.family_id, token=successor, client=client, now=now)
    record(event=EventType.TOKEN_ROTATED, user_id=user_id, client=client, now=now)
    return True


def _idle_expires_at(now: datetime) -> datetime:
    return now + timedelta(seconds=settings().refresh_idle_seconds)


def wait_for_limit(token: UsedToken, *, now: datetime) -> int:
    """Return the seconds until the limit `refresh` lets the account refresh again, at least 1."""
    rate = ratelimit.settings().rate_limits[ratelimit.Limit.REFRESH]
    since, offset = _limit(now)
    row = sql.fetch_one(_NTH_NEWEST_ROTATION.format(user_id="%s"), (since, str(token.account_id), offset))
    if rate is None or row is None:
        return 1
    # The SQL condition compares ids, which contain their time in milliseconds. So the wait is computed from the id's time.
    ends_at = made_at(sql.to_uuid(row[0])) + timedelta(seconds=rate.seconds, milliseconds=1)
    return max(1, math.ceil((ends_at - now).total_seconds()))


def _limit(now: datetime) -> tuple[UUID, int]:
    """Return the parameters of _NTH_NEWEST_ROTATION, without the account's id.

    The query returns a row if and only if the account has used up its limit.
    """
    rate = ratelimit.settings().rate_limits[ratelimit.Limit.REFRESH]
    since, attempts = (
        (LARGEST_ID, 1) if rate is None else (first_id(now - timedelta(seconds=rate.seconds)), rate.attempts)
    )
    return since, attempts - 1
