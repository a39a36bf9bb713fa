"""Token pairs and new sessions. Only `issue` makes token pairs, and only `open_session` opens sessions."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any, ClassVar
from uuid import UUID

from accounts.core.db import sql
from accounts.core.db.ids import new_id
from accounts.core.db.transactions import transaction_required
from accounts.core.http.answers import Described
from accounts.core.http.client import Client
from accounts.core.http.examples import ACCESS_TOKEN, REFRESH_TOKEN
from accounts.core.keys import jwt
from accounts.core.keys.opaque import new_token
from accounts.lifecycle import claims_for

from .conf import settings
from .models import Family, Token

REFRESH_PREFIX = "srt_"

INSERT_TOKEN = f"""
    INSERT INTO {Token._meta.db_table} (id, family_id, digest, ip, user_agent, created_at)
    SELECT %s, %s, %s, %s, %s, %s
"""
"""Inserts the row from `token_row()`.

A caller may append `FROM x`. The statement then inserts nothing when x has no row.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPair:
    """The tokens of a session. The client keeps only the newest refresh token."""

    example: ClassVar = {"access_token": ACCESS_TOKEN, "refresh_token": REFRESH_TOKEN}

    access_token: Annotated[str, Described("A JWT. Send it as `Authorization: Bearer …`.")]
    refresh_token: Annotated[str, Described("An opaque token for `POST /v1/refresh`. It works once.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Issued:
    """A new token pair that is not stored yet.

    The refresh token becomes valid when a row with this id and digest is the current token of a family.
    """

    pair: TokenPair
    token_id: UUID
    digest: bytes


def issue(*, account_id: Any, now: datetime) -> Issued:
    """Return a new token pair for the account, with the account's current claims.

    Writes nothing and needs no transaction. Signing comes before the write. Otherwise a failure to sign would leave a
    session whose tokens no client received.
    """
    refresh = new_token(prefix=REFRESH_PREFIX)
    token_id = new_id()
    access = jwt.issue_access_token(
        user_id=str(account_id), token_id=str(token_id), claims=claims_for(account_id=account_id), now=now
    )
    return Issued(
        pair=TokenPair(access_token=access, refresh_token=refresh.raw), token_id=token_id, digest=refresh.digest
    )


@transaction_required
def open_session(*, account_id: Any, issued: Issued, client: Client, now: datetime) -> None:
    """Start a family whose current token is the issued one.

    The caller has checked that its proof is still valid.
    """
    lifetimes = settings()
    family = Family.objects.create(
        account_id=account_id,
        current_token_id=issued.token_id,
        started_at=now,
        idle_expires_at=now + timedelta(seconds=lifetimes.refresh_idle_seconds),
        absolute_expires_at=now + timedelta(seconds=lifetimes.refresh_absolute_seconds),
    )
    insert_token(family_id=family.pk, issued=issued, client=client, now=now)


@transaction_required
def insert_token(*, family_id: UUID, issued: Issued, client: Client, now: datetime) -> None:
    """Add the issued token to its family's history."""
    sql.execute(INSERT_TOKEN, token_row(family_id=family_id, issued=issued, client=client, now=now))


def token_row(*, family_id: UUID, issued: Issued, client: Client, now: datetime) -> tuple[Any, ...]:
    """Return the parameters of INSERT_TOKEN."""
    return (issued.token_id, family_id, issued.digest, client.ip, client.user_agent, now)
