"""Token pairs and new sessions. Only `NewToken` makes token pairs, and only `open_session` opens sessions of logins.

`open_family` opens a session that belongs to a session of a login, such as the session of an application.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

from django.db import connection

from accounts.lifecycle import claims_columns, claims_for, claims_from
from core.db import sql
from core.db.ids import new_id
from core.db.transactions import transaction_required
from core.http.answers import Described
from core.http.client import Client
from core.http.examples import ACCESS_TOKEN, REFRESH_TOKEN
from core.keys import jwt
from core.keys.opaque import OpaqueToken, new_token

from ..conf import settings
from ..models import Family, LastLogin, Token
from .login_claims import add_login_claims

REFRESH_PREFIX = "srt_"

INSERT_TOKEN_SQL = f"""
    INSERT INTO {Token._meta.db_table} (id, digest, ip, user_agent, created_at, family_id)
    SELECT %s, %s, %s, %s, %s, """
"""Inserts the row from `token_row()` when a caller appends the SQL expression of the family's id.

A caller may append `FROM x` too. The statement then inserts nothing when x has no row.
"""

_INSERT_FAMILY_SQL = f"""
    INSERT INTO {Family._meta.db_table}
    (id, account_id, current_token_id, started_at, authenticated_at, amr, idle_expires_at, absolute_expires_at)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
"""  # noqa: S608 - the table's own name
_STORE_LOGIN_SQL = f"""
    INSERT INTO {LastLogin._meta.db_table} (account_id, at) VALUES (%s, %s)
    ON CONFLICT (account_id) DO UPDATE SET at = EXCLUDED.at
"""  # noqa: S608 - the table's own name
_OPEN_SESSION_SQL = f"""
    WITH family AS ({_INSERT_FAMILY_SQL} RETURNING id, account_id),
    token AS ({INSERT_TOKEN_SQL} id FROM family),
    login AS ({_STORE_LOGIN_SQL})
    SELECT 1{{claims}} FROM family
"""  # noqa: S608 - only constants are interpolated


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPair:
    """The tokens of a session. The client keeps only the newest refresh token."""

    example: ClassVar = {"access_token": ACCESS_TOKEN, "refresh_token": REFRESH_TOKEN}
    binds_key: ClassVar = True
    extensions: ClassVar[Sequence[type]] = ()

    access_token: Annotated[str, Described("A JWT. Send it as `Authorization: Bearer …`.")]
    refresh_token: Annotated[str, Described("An opaque token for `POST /v1/refresh`. It works once.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundTokenPair(TokenPair):
    """The tokens of a session that are bound to a key (RFC 9449)."""

    token_type: Annotated[
        Literal["DPoP"],
        Described(
            "Only in the answer to a request with a proof in the header `DPoP`. Both tokens are bound to its key. Send the "
            "access token as `Authorization: DPoP …`, with a new proof in each request."
        ),
    ] = "DPoP"  # noqa: S105 - the name of a scheme


TokenPair.extensions = (BoundTokenPair,)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewToken:
    """A refresh token that is not stored yet, and the signer of the access token that belongs to it.

    The refresh token becomes valid when a row with this id and digest is the current token of a family. `key` is the
    thumbprint of the key to which both tokens are bound, or "".
    """

    id: UUID
    refresh: OpaqueToken
    signer: jwt.Signer
    key: str = ""

    def pair(self, *, account_id: Any, claims: Mapping[str, Any], started_at: datetime, amr: str) -> TokenPair:
        """Return the refresh token with a signed access token for the account.

        `started_at` and `amr` are those of the family.
        """
        claims = add_login_claims(claims, started_at=started_at, amr=amr)
        access = self.signer.issue(user_id=str(account_id), token_id=str(self.id), claims=claims, key=self.key)
        if self.key:
            return BoundTokenPair(access_token=access, refresh_token=self.refresh.raw)
        return TokenPair(access_token=access, refresh_token=self.refresh.raw)


def new_refresh_token(*, now: datetime, prefix: str = REFRESH_PREFIX, key: str = "") -> NewToken:
    """Return a new refresh token with the signing key that is active now. Writes nothing.

    Each kind of refresh token has its own prefix. A digest covers the prefix, so no token passes for another kind. It also
    covers `key`, the thumbprint of the key to which the token is bound.

    The call comes before a write that commits at once. Otherwise a missing key would leave a session whose tokens no
    client received.
    """
    return NewToken(id=new_id(), refresh=new_token(prefix=prefix, key=key), signer=jwt.current_signer(now=now), key=key)


@transaction_required
def open_session(
    *,
    account_id: Any,
    client: Client,
    now: datetime,
    family_id: UUID | None = None,
    authenticated_at: datetime | None = None,
    amr: str = "",
) -> TokenPair:
    """Start a family, store the time of the login, and return the first token pair with the account's current claims.

    `family_id` is the id of the family, or None for a new id. `authenticated_at` is None for an authentication at `now`.
    `amr` is the value of `Family.amr`. The tokens are bound to the key that the client proved, if it proved one.
    The caller has checked that its proof is still valid. Needs a transaction. A failure to sign undoes it.
    """
    token = new_refresh_token(now=now, key=client.key)
    lifetimes = settings()
    family = (
        *(family_id or new_id(), account_id, token.id, now, authenticated_at or now, amr),
        now + timedelta(seconds=lifetimes.refresh_idle_seconds),
        now + timedelta(seconds=lifetimes.refresh_absolute_seconds),
    )
    if connection.vendor == "postgresql":
        statement = _OPEN_SESSION_SQL.format(claims=claims_columns(account_id="family.account_id"))
        [(_, *values)] = sql.fetch_all(statement, (*family, *token_row(token, client=client, now=now), account_id, now))
        claims = claims_from(values)
    else:
        sql.execute(_INSERT_FAMILY_SQL, family)
        insert_token(family_id=family[0], token=token, client=client, now=now)
        sql.execute(_STORE_LOGIN_SQL, (account_id, now))
        claims = claims_for(account_id=account_id)
    return token.pair(account_id=account_id, claims=claims, started_at=now, amr=amr)


@transaction_required
def open_family(
    *,
    family_id: UUID,
    account_id: Any,
    token: NewToken,
    authenticated_at: datetime,
    amr: str,
    ends_by: datetime | None,
    client: Client,
    now: datetime,
) -> None:
    """Start a family whose first refresh token is `token`. It is no login, so the time of the latest login stays.

    The family ends at `ends_by` at the latest, or after its usual lifetime when that is None. The caller has checked
    that its proof is still valid. Needs a transaction.
    """
    lifetimes = settings()
    ends_at = now + timedelta(seconds=lifetimes.refresh_absolute_seconds)
    idle_ends_at = now + timedelta(seconds=lifetimes.refresh_idle_seconds)
    absolute = ends_at if ends_by is None else min(ends_at, ends_by)
    row = (family_id, account_id, token.id, now, authenticated_at, amr, idle_ends_at, absolute)
    sql.execute(_INSERT_FAMILY_SQL, row)
    insert_token(family_id=family_id, token=token, client=client, now=now)


@transaction_required
def insert_token(*, family_id: UUID, token: NewToken, client: Client, now: datetime) -> None:
    """Add the new token to its family's history."""
    sql.execute(f"{INSERT_TOKEN_SQL} %s", (*token_row(token, client=client, now=now), family_id))


def token_row(token: NewToken, *, client: Client, now: datetime) -> tuple[Any, ...]:
    """Return the parameters of INSERT_TOKEN_SQL."""
    return (token.id, token.refresh.digest, client.ip, client.user_agent, now)
