"""Accounts in the view of an operator. This module only reads."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from django.db.models import QuerySet

from accounts.conf import settings
from accounts.host import users
from accounts.host.changes import is_deactivated
from accounts.models import Account
from accounts.proofs.lockout import LONGEST_SECONDS, is_locked
from accounts.state.lookup import find_account_for_operator, get_account_for_operator
from core.http.answers import Described
from core.http.examples import EARLIER, EMAIL, MOMENT, USER_ID
from events.models import Event
from events.vocabulary import OPERATOR_ACTS, EventType
from sessions_app.families.queries import count_live

RECENT_MAX = 20
EXACT_COUNT_MAX = 100_000
COUNT_AGE = timedelta(seconds=60)


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """An account. `failed_attempts` is the number of failures that count towards the next lock."""

    example: ClassVar = {
        "id": USER_ID,
        "email": EMAIL,
        "created_at": EARLIER,
        "updated_at": MOMENT,
        "failed_attempts": 0,
        "locked": False,
        "locked_until": None,
    }

    id: str
    email: str
    created_at: datetime
    updated_at: datetime
    failed_attempts: int
    locked: bool
    locked_until: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UserPage:
    """A page of users. `match` is `exact_email` for a search by address and `browse` for a list of all users."""

    example: ClassVar = {
        "users": [User.example],
        "total": 1,
        "limit": 50,
        "offset": 0,
        "match": "exact_email",
        "query": EMAIL,
    }

    users: Sequence[User]
    total: Annotated[int, Described("The number is exact up to 100,000. A larger number may be a minute old.")]
    limit: int
    offset: int
    match: Literal["exact_email", "browse"]
    query: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """The type and the time of an event."""

    example: ClassVar = {"type": "login_success", "created_at": MOMENT}

    type: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class UserDetail:
    """An account, its number of live sessions, and its latest events, the newest first."""

    example: ClassVar = {"user": User.example, "active_sessions": 2, "recent_activity": [Activity.example]}

    user: User
    active_sessions: int
    recent_activity: Sequence[Activity]


def browse_users(*, limit: int, offset: int, now: datetime) -> UserPage:
    """Return a page of all users, the newest first."""
    rows = _newest_first()[offset : offset + limit]
    found = [_user(account, now=now) for account in rows]
    return UserPage(users=found, total=count_users(now=now), limit=limit, offset=offset, match="browse", query="")


def find_users(*, email: str, limit: int, offset: int, now: datetime) -> UserPage:
    """Return the user with exactly this address. For a blank address, return all users, the newest first."""
    if email.strip():
        return search_users(email=email, limit=limit, offset=offset, now=now)
    return browse_users(limit=limit, offset=offset, now=now)


def search_users(*, email: str, limit: int, offset: int, now: datetime) -> UserPage:
    """Return the user whose stored address equals `email` exactly; an empty page when there is none."""
    account = find_account_for_operator(email=email)
    found = [_user(account, now=now)] if account and users.email_of(account.user) == email else []
    page = found[offset : offset + limit]
    return UserPage(users=page, total=len(found), limit=limit, offset=offset, match="exact_email", query=email)


def get_user(*, user_id: str, now: datetime) -> UserDetail:
    """Return the user in detail. Raises NotFound when no account has this id."""
    account = get_account_for_operator(user_id=user_id)
    return UserDetail(
        user=_user(account, now=now),
        active_sessions=count_live(account_id=account.pk, now=now),
        recent_activity=recent_activity(user_id=user_id),
    )


def find_deactivated(*, user_ids: Iterable[str]) -> Mapping[str, datetime | None]:
    """Return those of the ids whose account is deactivated, with the time of the deactivation.

    The time is None when a host project deactivated the user.
    """
    keys = {users.to_account_id(user_id) for user_id in user_ids} - {None}
    accounts = Account.objects.select_related("user").filter(pk__in=keys)
    return {str(account.pk): account.deactivated_at for account in accounts if is_deactivated(account)}


def find_emails(*, user_ids: Iterable[str | None]) -> Mapping[str | None, str]:
    """Return the present address of each account, by its id as text. Ids without an account are missing."""
    keys = {users.to_account_id(user_id) for user_id in user_ids if user_id is not None} - {None}
    accounts = Account.objects.select_related("user").filter(pk__in=keys)
    return {str(account.pk): users.email_of(account.user) for account in accounts}


def recent_activity(*, user_id: str) -> list[Activity]:
    """Return the account's latest events without operators' acts, at most RECENT_MAX, the newest first."""
    rows = Event.objects.filter(user_id=user_id).exclude(type__in=OPERATOR_ACTS).order_by("-id")
    latest = rows.values_list("type", "created_at")[:RECENT_MAX]
    return [Activity(type=event, created_at=created_at) for event, created_at in latest]


def live_failures(account: Account, *, now: datetime) -> int:
    """Return the number of failures that count towards the next lock; 0 when the last lock has expired."""
    is_lock_over = account.locked_until is not None and not is_locked(locked_until=account.locked_until, now=now)
    return 0 if is_lock_over else account.failed_attempts


class _Count:
    """The last count of a large table, and the time of that count."""

    def __init__(self) -> None:
        self.taken_at: datetime | None = None
        self.users = 0


_count = _Count()


def count_users(*, now: datetime) -> int:
    """Return the number of accounts. Up to EXACT_COUNT_MAX it is exact; above that, it may be as old as COUNT_AGE."""
    few = Account.objects.order_by()[: EXACT_COUNT_MAX + 1].count()
    if few <= EXACT_COUNT_MAX:
        return few
    if _count.taken_at is None or not timedelta() <= now - _count.taken_at < COUNT_AGE:
        _count.users, _count.taken_at = Account.objects.count(), now
    return _count.users


def count_locked(*, limit: int, now: datetime) -> int:
    """Return how many of the accounts of the latest `limit` locks are locked now."""
    # No index finds locked accounts, but each lock has recorded an event.
    longest = timedelta(seconds=max(LONGEST_SECONDS, settings().lockout_seconds))
    locks = Event.objects.filter(type=EventType.ACCOUNT_LOCKED, created_at__gte=now - longest)
    ids = locks.order_by("-created_at").values_list("user_id", flat=True)[:limit]
    keys = {users.to_account_id(user_id) for user_id in ids if user_id is not None}
    return Account.objects.filter(pk__in=keys - {None}, locked_until__gt=now).count()


def _newest_first() -> QuerySet[Account]:
    return Account.objects.select_related("user").order_by("-created_at", "-pk")


def _user(account: Account, *, now: datetime) -> User:
    return User(
        id=str(account.pk),
        email=users.email_of(account.user),
        created_at=account.created_at,
        updated_at=account.updated_at,
        failed_attempts=live_failures(account, now=now),
        locked=is_locked(locked_until=account.locked_until, now=now),
        locked_until=account.locked_until,
    )
