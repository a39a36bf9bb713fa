"""The clients of the OpenID provider and their sessions. This module only reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar
from uuid import UUID

from core.db import sql
from core.db.ids import parse_id
from core.errors import NotFound
from core.http.answers import Described
from core.http.examples import EARLIER, MOMENT, USER_ID
from oidc.models import Client, Consent, Grant
from sessions_app.models import Family, Token, live_condition

COUNTED_MAX = 1_000
"""The number of newest sessions and of consents of a client that a count covers."""

_NEWEST = f"""
    SELECT g.family_id, g.is_offline, g.scope FROM {Grant._meta.db_table} g WHERE g.client_id = {{client}}
    ORDER BY g.family_id DESC LIMIT %s
"""  # noqa: S608 - a table's own name
_COUNTS_SQL = f"""
    SELECT asked.id, found.sessions, found.people, found.used_at, (
        SELECT count(*) FROM (
            SELECT 1 FROM {Consent._meta.db_table} c WHERE c.client_id = asked.id LIMIT %s
        ) AS given
    )
    FROM unnest(%s::uuid[]) AS asked(id)
    CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE {live_condition()}) AS sessions,
            count(DISTINCT f.account_id) FILTER (WHERE {live_condition()}) AS people,
            max(t.created_at) AS used_at
        FROM ({_NEWEST.format(client="asked.id")}) AS newest
        JOIN {Family._meta.db_table} f ON f.id = newest.family_id
        JOIN {Token._meta.db_table} t ON t.id = f.current_token_id
    ) AS found
"""  # noqa: S608 - tables' own names
_SESSIONS_SQL = f"""
    SELECT f.account_id, f.started_at, t.created_at, least(f.idle_expires_at, f.absolute_expires_at), newest.is_offline,
        newest.scope
    FROM ({_NEWEST.format(client="%s")}) AS newest
    JOIN {Family._meta.db_table} f ON f.id = newest.family_id
    JOIN {Token._meta.db_table} t ON t.id = f.current_token_id
    WHERE {live_condition()}
    ORDER BY f.started_at DESC, f.id DESC LIMIT %s
"""  # noqa: S608 - tables' own names


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredClient:
    """A client of the OpenID provider. The counts cover its newest 1,000 sessions, and 1,000 consents."""

    example: ClassVar = {
        "client_id": "01931e2c-5f00-7000-8000-0000000000c1",
        "name": "Grafana",
        "active": True,
        "authentication": "secret",
        "first_party": False,
        "redirect_uris": ["https://grafana.example.com/login/generic_oauth"],
        "scopes": ["openid", "profile", "email"],
        "backchannel_logout_uri": "",
        "created_at": EARLIER,
        "deactivated_at": None,
        "sessions": 3,
        "people": 2,
        "consents": 2,
        "last_used_at": MOMENT,
    }

    client_id: UUID
    name: str
    active: bool
    authentication: Annotated[str, Described("`secret`, `private_key_jwt`, or `none` for a public client.")]
    first_party: Annotated[bool, Described("True when people see no question.")]
    redirect_uris: Sequence[str]
    scopes: Annotated[Sequence[str], Described("The scopes for which it may ask.")]
    backchannel_logout_uri: Annotated[str, Described("The address that gets logout tokens, or empty.")]
    created_at: datetime
    deactivated_at: datetime | None
    sessions: Annotated[int, Described("The number of live sessions.")]
    people: Annotated[int, Described("The number of accounts with a live session.")]
    consents: Annotated[int, Described("The number of accounts that gave a consent.")]
    last_used_at: Annotated[datetime | None, Described("The time at which it got its newest tokens.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredClients:
    """The clients, the newest first. `count` is the number of entries in the answer."""

    example: ClassVar = {"clients": [RegisteredClient.example], "count": 1, "limit": 50}

    clients: Sequence[RegisteredClient]
    count: int
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientSession:
    """A live session of a client. `expires_at` is its end, unless the client refreshes it."""

    example: ClassVar = {
        "user_id": USER_ID,
        "created_at": EARLIER,
        "last_used_at": MOMENT,
        "expires_at": MOMENT,
        "survives_sign_out": False,
        "scopes": ["openid", "email"],
    }

    user_id: str
    created_at: datetime
    last_used_at: datetime
    expires_at: datetime
    survives_sign_out: bool
    scopes: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientSessions:
    """A client with its newest live sessions. `count` is the number of listed sessions."""

    example: ClassVar = {
        "client": RegisteredClient.example,
        "sessions": [ClientSession.example],
        "count": 1,
        "limit": 50,
    }

    client: RegisteredClient
    sessions: Sequence[ClientSession]
    count: int
    limit: int


def list_registered_clients(*, limit: int, now: datetime) -> RegisteredClients:
    """Return the clients, active and deactivated, the newest first. Two queries."""
    rows = list(Client.objects.order_by("-created_at", "-pk")[:limit])
    return RegisteredClients(clients=_describe(rows, now=now), count=len(rows), limit=limit)


def get_registered_client(*, client_id: str, limit: int, now: datetime) -> ClientSessions:
    """Return the client with its live sessions. Raises NotFound when no client has this id. Three queries."""
    key = parse_id(client_id)
    row = Client.objects.filter(pk=key).first() if key else None
    if row is None:
        raise NotFound
    [client] = _describe([row], now=now)
    found = sql.fetch_all(_SESSIONS_SQL, (row.pk, COUNTED_MAX, now, now, limit)) if client.active else []
    sessions = [
        ClientSession(
            user_id=str(user_id),
            created_at=created_at,
            last_used_at=used_at,
            expires_at=expires_at,
            survives_sign_out=is_offline,
            scopes=scope.split(),
        )
        for user_id, created_at, used_at, expires_at, is_offline, scope in found
    ]
    return ClientSessions(client=client, sessions=sessions, count=len(sessions), limit=limit)


def _describe(rows: Sequence[Client], *, now: datetime) -> Sequence[RegisteredClient]:
    parameters = (COUNTED_MAX, [row.pk for row in rows], now, now, now, now, COUNTED_MAX)
    counts: Mapping[UUID, tuple[int, int, datetime | None, int]] = {
        key: (sessions, people, used_at, consents)
        for key, sessions, people, used_at, consents in sql.fetch_all(_COUNTS_SQL, parameters)
    }
    return [_described(row, *counts[row.pk]) for row in rows]


def _described(row: Client, sessions: int, people: int, used_at: datetime | None, consents: int) -> RegisteredClient:
    is_active = row.deactivated_at is None
    return RegisteredClient(
        client_id=row.pk,
        name=row.name,
        active=is_active,
        authentication=row.authentication,
        first_party=row.is_first_party,
        redirect_uris=row.redirect_uris,
        scopes=row.scopes,
        backchannel_logout_uri=row.backchannel_logout_uri,
        created_at=row.created_at,
        deactivated_at=row.deactivated_at,
        sessions=sessions if is_active else 0,
        people=people if is_active else 0,
        consents=consents,
        last_used_at=used_at,
    )
