"""The applications that have access to an account, as its owner sees them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, ClassVar
from uuid import UUID

from django.db.models import Count, Max, Min, OuterRef, Subquery

from accounts.state.lookup import get_own_account, hold_signed_in_account
from accounts.state.mail_tokens import Purpose, void_mail_tokens
from core.db.ids import parse_id
from core.db.transactions import write
from core.errors import NotFound
from core.http.answers import Described
from core.http.client import Client as HttpClient
from core.http.examples import MOMENT
from core.keys.jwt import Caller
from events.audit import record
from events.vocabulary import EventType
from sessions_app.models import Token

from ..clients.redirects import host_of
from ..grants import withdraw
from ..models import Client, Consent, Grant

LISTED_MAX = 200
"""The number of applications in a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """An application with access to an account: it has a session, or the consent of the owner, or both."""

    example: ClassVar = {
        "client_id": "01931e2c-5f00-7000-8000-0000000000c1",
        "name": "Grafana",
        "hosts": ["grafana.example.com"],
        "scopes": ["openid", "email"],
        "claims": [],
        "resources": [],
        "created_at": MOMENT,
        "last_used_at": MOMENT,
        "expires_at": MOMENT,
        "survives_sign_out": False,
        "sessions": 1,
    }

    client_id: UUID
    name: str
    hosts: Annotated[
        Sequence[str], Described("The hosts to which its sign-in returns. An app on a device has its scheme here.")
    ]
    scopes: Annotated[
        Sequence[str], Described("The scopes that the owner permitted. Each stands for claims at userinfo.")
    ]
    claims: Annotated[Sequence[str], Described("The claims that it asked for by name, beside those of the scopes.")]
    resources: Annotated[Sequence[str], Described("The other services at which it may act for the owner.")]
    created_at: Annotated[datetime, Described("The time of the consent, or else of the oldest live session.")]
    last_used_at: Annotated[
        datetime | None, Described("The time at which it got its newest tokens. Null when it has no live session.")
    ]
    expires_at: Annotated[
        datetime | None, Described("The latest time until which a session lasts. Null when it has no live session.")
    ]
    survives_sign_out: Annotated[
        bool, Described("True when a session goes on after the sign-out of the browser in which the person agreed.")
    ]
    sessions: Annotated[int, Described("The number of live sessions.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Applications:
    """The applications with access to an account, the most recently used first."""

    example: ClassVar = {"applications": [Application.example], "count": 1, "limit": LISTED_MAX}

    applications: Sequence[Application]
    count: int
    limit: int


@dataclass(slots=True, kw_only=True)
class _Access:
    """The facts about the access of one client that the list has read so far."""

    scopes: dict[str, None] = field(default_factory=dict)
    claims: set[str] = field(default_factory=set)
    resources: set[str] = field(default_factory=set)
    starts: list[datetime] = field(default_factory=list)
    uses: list[datetime] = field(default_factory=list)
    ends: list[datetime] = field(default_factory=list)
    sessions: int = 0
    is_offline: bool = False

    def add(self, *, scopes: str, claims: Iterable[str], resources: str, start: datetime) -> None:
        self.scopes.update(dict.fromkeys(scopes.split()))
        self.claims.update(word for text in claims for word in text.split())
        self.resources.update(resources.split())
        self.starts.append(start)


def list_own_applications(*, user_id: str, now: datetime) -> Applications:
    """Return the applications with access to the caller's account.

    Raises InvalidAccessToken when the account does not exist or is no longer admitted.
    """
    return list_applications(account_id=get_own_account(user_id=user_id).pk, now=now)


def list_applications(*, account_id: Any, now: datetime) -> Applications:
    """Return the applications with access to the account. Deactivated clients have none. Three queries."""
    found: dict[UUID, _Access] = {}
    consents = Consent.objects.filter(account_id=account_id, client__deactivated_at=None)
    for consent in consents.order_by("-created_at", "-pk")[:LISTED_MAX]:
        access = found.setdefault(consent.client_id, _Access())
        access.add(
            scopes=consent.scopes, claims=[consent.claims], resources=consent.resources, start=consent.created_at
        )
    for row in _live_grants(account_id=account_id, now=now):
        access = found.setdefault(row["client_id"], _Access())
        claims = [row["user_claims"], row["token_claims"]]
        access.add(scopes=row["scope"], claims=claims, resources=row["resource"], start=row["since"])
        access.uses.append(row["used_at"])
        access.ends.append(row["until"])
        access.sessions += row["sessions"]
        access.is_offline |= row["is_offline"]
    listed = [_listed(client, found[client.pk]) for client in Client.objects.filter(pk__in=found)]
    listed.sort(key=lambda one: (one.last_used_at or one.created_at, one.client_id), reverse=True)
    return Applications(applications=listed[:LISTED_MAX], count=len(listed[:LISTED_MAX]), limit=LISTED_MAX)


def _live_grants(*, account_id: Any, now: datetime) -> Iterable[Mapping[str, Any]]:
    """Return the live grants of the account, with one row for each client and kind of grant."""
    current = Token.objects.filter(pk=OuterRef("family__current_token_id")).values("created_at")
    rows = Grant.objects.live(now).filter(family__account_id=account_id).annotate(refreshed_at=Subquery(current))
    kinds = rows.values("client_id", "scope", "resource", "user_claims", "token_claims", "is_offline")
    return kinds.annotate(
        since=Min("family__started_at"),
        until=Max("family__absolute_expires_at"),
        used_at=Max("refreshed_at"),
        sessions=Count("pk"),
    ).order_by("-used_at", "client_id")[: 2 * LISTED_MAX]


def _listed(client: Client, access: _Access) -> Application:
    return Application(
        client_id=client.pk,
        name=client.name,
        hosts=list(dict.fromkeys(host_of(uri) for uri in client.redirect_uris)),
        scopes=[scope for scope in access.scopes if scope in client.scopes],
        claims=sorted(access.claims),
        resources=sorted(access.resources.intersection(client.resources)),
        created_at=min(access.starts),
        last_used_at=max(access.uses, default=None),
        expires_at=max(access.ends, default=None),
        survives_sign_out=access.is_offline,
        sessions=access.sessions,
    )


@write
def end_application(*, caller: Caller, client_id: str, client: HttpClient, now: datetime) -> None:
    """End the access of the application to the caller's account: its consent, its codes and all its sessions.

    The call also voids a pending e-mail change when it ends a session, as the end of any session from a list does.
    Raises NotFound when the application has no access to the account. Raises InvalidAccessToken when the session of the
    caller has ended. Opens its own transaction.
    """
    account = hold_signed_in_account(caller=caller, now=now)
    key = parse_id(client_id)
    application = Client.objects.filter(pk=key).first() if key else None
    if application is None:
        raise NotFound
    withdrawn = withdraw(account_id=account.pk, client_id=application.pk, now=now)
    if not withdrawn.anything:
        raise NotFound
    if withdrawn.sessions:
        void_mail_tokens(account_id=account.pk, purpose=Purpose.EMAIL_CHANGE, now=now)
    record(
        event=EventType.APPLICATION_DISCONNECTED,
        user_id=caller.user_id,
        client=client,
        now=now,
        metadata={"client_id": str(application.pk), "client_name": application.name},
    )
