"""One person in detail: the account, what it holds, and what happened to it. Each statement reads a limited number of rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import F

from accounts.host import users
from accounts.host.changes import is_deactivated
from accounts.models import Account, MailToken, OutgoingMail, SecurityMailCount
from accounts.proofs.lockout import is_locked
from accounts.state.lookup import get_account_for_operator
from apikeys.keys import ListedKey, list_keys_of
from core.db.ids import parse_id
from core.keys.jwt import Caller
from events.models import Event
from events.vocabulary import OPERATOR_ACTS, EventType
from sessions_app.families.client_sessions import application_names
from sessions_app.families.queries import Session, count_live, session_of
from sessions_app.logins.factor_changes import FactorInventory
from sessions_app.logins.identities import LinkedIdentity, list_identities_of
from sessions_app.models import Family, LastLogin, Token

from ..models import Operator, Review
from .users import live_failures

LISTED_MAX = 50
"""The number of sessions and of API keys that the page shows."""
RECENT_MAX = 20
"""The number of events, of reviews and of mails that the page shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedSession:
    """A live session with the time of its latest login or refresh. `amr` are the methods of the login, or ""."""

    session: Session
    used_at: datetime
    expires_at: datetime
    amr: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PastEvent:
    """An event of the account. `status` is the review of a flagged event, and "" for another event."""

    id: UUID
    type: str
    ip: str
    metadata: dict[str, object]
    created_at: datetime
    status: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailedLink:
    """A mail with a link, without the link itself. `spent_at` is the time of its use or of its end by a newer mail."""

    purpose: str
    created_at: datetime
    expires_at: datetime
    spent_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingMail:
    """A mail that waits in the queue. `attempts` counts those that failed."""

    template: str
    created_at: datetime
    expires_at: datetime
    next_attempt_at: datetime
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Mails:
    """The mails to the account owner of which the service still knows. It stores no mail that it sent."""

    waiting: Sequence[WaitingMail]
    links: Sequence[MailedLink]
    counts: Sequence[SecurityMailCount]


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """All that the page of a user shows, apart from the metadata. `role` is "" for an account that is no operator."""

    user_id: str
    email: str
    created_at: datetime
    updated_at: datetime
    email_proven_at: datetime | None
    last_sign_in_at: datetime | None
    role: str
    granted_at: datetime | None
    is_deactivated: bool
    deactivated_at: datetime | None
    is_locked: bool
    locked_until: datetime | None
    failed_attempts: int
    live_sessions: int
    sessions: Sequence[UsedSession]
    factors: Sequence[str]
    identities: Sequence[LinkedIdentity]
    keys: Sequence[ListedKey]
    reviews: Sequence[PastEvent]
    activity: Sequence[PastEvent]
    mails: Mails


def get_profile(*, user_id: str, operator: Caller, now: datetime) -> Profile:
    """Return the person with this account. Raises NotFound when no account has the id."""
    account = get_account_for_operator(user_id=user_id)
    grant = Operator.objects.filter(pk=account.pk).first()
    sessions = _sessions(account, operator=operator, now=now)
    factors = FactorInventory().describe(account_id=account.pk, now=now)
    return Profile(
        user_id=str(account.pk),
        email=users.email_of(account.user),
        created_at=account.created_at,
        updated_at=account.updated_at,
        email_proven_at=account.email_proven_at,
        last_sign_in_at=LastLogin.objects.filter(pk=account.pk).values_list("at", flat=True).first(),
        role=grant.role if grant else "",
        granted_at=grant.granted_at if grant else None,
        is_deactivated=is_deactivated(account),
        deactivated_at=account.deactivated_at,
        is_locked=is_locked(locked_until=account.locked_until, now=now),
        locked_until=account.locked_until,
        failed_attempts=live_failures(account, now=now),
        live_sessions=len(sessions) if len(sessions) < LISTED_MAX else count_live(account_id=account.pk, now=now),
        sessions=sessions,
        factors=factors,
        identities=list_identities_of(account).identities,
        keys=list_keys_of(account=account, now=now, limit=LISTED_MAX),
        reviews=_reviews(account),
        activity=_activity(account),
        mails=_mails(account),
    )


def _sessions(account: Account, *, operator: Caller, now: datetime) -> list[UsedSession]:
    live = Family.objects.filter(account_id=account.pk).live(now).values("pk")
    rows = Token.objects.filter(family__in=live, pk=F("family__current_token_id")).select_related("family")
    own = parse_id(operator.token_id)
    own_family = Token.objects.filter(pk=own).values_list("family_id", flat=True).first() if own else None
    listed = list(rows.order_by("-family__started_at", "-family_id")[:LISTED_MAX])
    names = application_names(family_ids=[row.family_id for row in listed])
    return [
        UsedSession(
            session=session_of(
                row.pk,
                row.ip,
                row.user_agent,
                row.family.started_at,
                is_current=row.family_id == own_family,
                name=names.get(row.family_id, ""),
            ),
            used_at=row.created_at,
            expires_at=min(row.family.idle_expires_at, row.family.absolute_expires_at),
            amr=row.family.amr,
        )
        for row in listed
    ]


def _reviews(account: Account) -> list[PastEvent]:
    """Return the latest flagged events of the account with their reviews. Only this flagged type names an account."""
    rows = Event.objects.filter(user_id=str(account.pk), type=EventType.ANOMALY_DETECTED).order_by("-created_at")
    found = list(rows[:RECENT_MAX])
    statuses = dict(Review.objects.filter(pk__in=[row.pk for row in found]).values_list("pk", "status"))
    return [_past(row, status=statuses.get(row.pk, Review.Status.UNREVIEWED)) for row in found]


def _activity(account: Account) -> list[PastEvent]:
    rows = Event.objects.filter(user_id=str(account.pk)).exclude(type__in=OPERATOR_ACTS).order_by("-id")
    return [_past(row) for row in rows[:RECENT_MAX]]


def _past(row: Event, *, status: str = "") -> PastEvent:
    return PastEvent(
        id=row.pk, type=row.type, ip=row.ip, metadata=row.metadata, created_at=row.created_at, status=status
    )


def _mails(account: Account) -> Mails:
    waiting = OutgoingMail.objects.filter(account=account).defer("sealed").order_by("-created_at")[:RECENT_MAX]
    links = MailToken.objects.filter(account=account).order_by("-created_at")
    links = links.only("purpose", "created_at", "expires_at", "spent_at")[:RECENT_MAX]
    return Mails(
        waiting=[
            WaitingMail(
                template=row.template,
                created_at=row.created_at,
                expires_at=row.expires_at,
                next_attempt_at=row.next_attempt_at,
                attempts=row.attempts,
            )
            for row in waiting
        ],
        links=[
            MailedLink(purpose=row.purpose, created_at=row.created_at, expires_at=row.expires_at, spent_at=row.spent_at)
            for row in links
        ],
        counts=list(SecurityMailCount.objects.filter(account=account).order_by("kind")),
    )
