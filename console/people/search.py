"""The search of users. A page costs about the same on any number of accounts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar

from django.db import transaction
from django.db.models import Exists, Func, OuterRef, Q, QuerySet, Subquery, TextField, Value
from django.db.models.lookups import GreaterThan, GreaterThanOrEqual, LessThan, LessThanOrEqual

from accounts.host import users
from accounts.host.changes import is_deactivated
from accounts.models import Account
from accounts.proofs.lockout import is_locked
from core.db import sql
from core.http.answers import Described
from core.http.examples import EARLIER, EMAIL, MOMENT, USER_ID
from sessions_app.models import LastLogin

from ..models import Operator
from .conditions import HasFactor, State, UserFilters
from .positions import Sort, UserPosition, read_user_cursor
from .users import live_failures

FEW = 2_000
"""The largest number of accounts that one condition finds and that a page sorts completely."""
SCANNED_MAX = 10_000
"""The number of accounts that a page otherwise reads at most, in the order of the list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundUser:
    """An account in the list. `email_proven_at` is null while the owner has not proven the address.

    `last_sign_in_at` is null for an account that never signed in.
    """

    example: ClassVar = {
        "id": USER_ID,
        "email": EMAIL,
        "created_at": EARLIER,
        "updated_at": MOMENT,
        "email_proven_at": EARLIER,
        "last_sign_in_at": MOMENT,
        "has_factor": True,
        "operator": False,
        "deactivated": False,
        "failed_attempts": 0,
        "locked": False,
        "locked_until": None,
    }

    id: str
    email: str
    created_at: datetime
    updated_at: datetime
    email_proven_at: datetime | None
    last_sign_in_at: datetime | None
    has_factor: bool
    operator: bool
    deactivated: bool
    failed_attempts: int
    locked: bool
    locked_until: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundUsers:
    """A page of the search of users."""

    example: ClassVar = {"users": [FoundUser.example], "limit": 50, "next_cursor": None}

    users: Sequence[FoundUser]
    limit: int
    next_cursor: Annotated[str | None, Described("The `cursor` of the next page. Null on the last page.")]


class _Row(Func):
    """A row of columns, which PostgreSQL compares as a whole. One range of an index then serves the condition."""

    template = "(%(expressions)s)"
    output_field = TextField()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """An order of the list. `column` and the key of the model are its index."""

    model: Any
    column: str
    is_descending: bool

    def sorted(self) -> QuerySet[Any]:
        sign = "-" if self.is_descending else ""
        return self.model.objects.order_by(f"{sign}{self.column}", f"{sign}pk")  # type: ignore[no-any-return]  # a model's manager

    def after(self, rows: QuerySet[Any], position: UserPosition) -> QuerySet[Any]:
        lookup = LessThan if self.is_descending else GreaterThan
        return rows.filter(lookup(*self._compared(position)))

    def until(self, rows: QuerySet[Any], position: UserPosition) -> QuerySet[Any]:
        lookup = GreaterThanOrEqual if self.is_descending else LessThanOrEqual
        return rows.filter(lookup(*self._compared(position)))

    def _compared(self, position: UserPosition) -> tuple[_Row, _Row]:
        return _Row(self.column, "pk"), _Row(Value(position.value), Value(position.account_id))


_ORDERS = {
    Sort.NEWEST: _Order(model=Account, column="created_at", is_descending=True),
    Sort.OLDEST: _Order(model=Account, column="created_at", is_descending=False),
    Sort.ADDRESS: _Order(model=Account, column="email_key", is_descending=False),
    Sort.LAST_SIGN_IN: _Order(model=LastLogin, column="at", is_descending=True),
}


def search_users(*, filters: UserFilters, sort: Sort, cursor: str | None, limit: int, now: datetime) -> FoundUsers:
    """Return the page after the cursor; the first page without one. Raises BadRequest when it is not a cursor.

    A page can have fewer users than `limit`, even none, although more follow. Accounts that never signed in have no
    order by their sign-in, so they come in the order of NEWEST.
    """
    if filters.state is State.NEVER_SIGNED_IN and sort is Sort.LAST_SIGN_IN:
        sort = Sort.NEWEST
    with transaction.atomic():
        # A plan for all values would read a million rows of the index for a part that most addresses have.
        sql.execute("SET LOCAL plan_cache_mode = force_custom_plan", ())
        keys, end = _find(
            filters,
            sort,
            after=read_user_cursor(cursor, sort=sort) if cursor is not None else None,
            limit=limit,
            now=now,
        )
        found = _load(keys, now=now)
    return FoundUsers(users=found, limit=limit, next_cursor=str(end) if end else None)


def _find(
    filters: UserFilters, sort: Sort, *, after: UserPosition | None, limit: int, now: datetime
) -> tuple[list[Any], UserPosition | None]:
    """Return the ids of the accounts of the page, and the position at which the next page begins."""
    order = _ORDERS[sort]
    rows = order.sorted()
    if after is not None:
        rows = order.after(rows, after)
    indexed = list(filters.indexed(now=now))
    few = next(filter(_matches_few, indexed), None)
    end = None
    if few is not None:
        rows = rows.filter(pk__in=Account.objects.filter(few).values("pk")[:FEW])
    elif indexed or any(filters.others()):
        end = _position(rows[SCANNED_MAX - 1 : SCANNED_MAX].values_list(order.column, "pk").first(), sort=sort)
        rows = order.until(rows, end) if end else rows
    conditions = [*indexed, *filters.others()]
    if conditions:
        matching = Account.objects.filter(*conditions)
        rows = rows.filter(*conditions) if order.model is Account else rows.filter(_is_among(matching))
    found = list(rows.values_list(order.column, "pk")[: limit + 1])
    if len(found) > limit:
        end = _position(found[limit - 1], sort=sort)
    return [account_id for _, account_id in found[:limit]], end


def _matches_few(condition: Q) -> bool:
    return Account.objects.filter(condition).order_by()[: FEW + 1].count() <= FEW


def _is_among(accounts: QuerySet[Account]) -> Exists:
    return Exists(accounts.filter(pk=OuterRef("pk")))


def _position(row: tuple[Any, Any] | None, *, sort: Sort) -> UserPosition | None:
    return UserPosition(sort=sort, value=row[0], account_id=row[1]) if row else None


def _load(account_ids: Sequence[Any], *, now: datetime) -> list[FoundUser]:
    """Return the users with these ids, in this order."""
    rows = Account.objects.select_related("user").annotate(
        last_sign_in_at=Subquery(LastLogin.objects.filter(pk=OuterRef("pk")).values("at")),
        is_operator=Exists(Operator.objects.filter(pk=OuterRef("pk"))),
        has_factor=HasFactor("pk"),
    )
    found = rows.in_bulk(list(account_ids))
    return [_user(found[account_id], now=now) for account_id in account_ids if account_id in found]


def _user(account: Any, *, now: datetime) -> FoundUser:
    return FoundUser(
        id=str(account.pk),
        email=users.email_of(account.user),
        created_at=account.created_at,
        updated_at=account.updated_at,
        email_proven_at=account.email_proven_at,
        last_sign_in_at=account.last_sign_in_at,
        has_factor=account.has_factor,
        operator=account.is_operator,
        deactivated=is_deactivated(account),
        failed_attempts=live_failures(account, now=now),
        locked=is_locked(locked_until=account.locked_until, now=now),
        locked_until=account.locked_until,
    )
