"""Queries of live sessions."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar
from uuid import UUID

from accounts.host import users
from accounts.state.lookup import get_own_account
from core.db import sql
from core.db.ids import parse_id
from core.db.transactions import transaction_required
from core.errors import InvalidAccessToken
from core.http.answers import Described
from core.http.examples import MOMENT, SESSION_ID
from core.keys.jwt import Caller

from ..detection.devices import Device, describe, label
from ..detection.locations import Location, locate
from ..models import Family, FamilyQuerySet, Token, live_condition
from .client_sessions import name_column

# psycopg parses a datetime by Python code in 4 µs, but a text costs next to nothing. `to_datetime` then takes 0.2 µs. For
# ten sessions, that was a tenth of the request's time.
_LIVE_SESSIONS_SQL = f"""
    SELECT t.id, t.ip, t.user_agent, CAST(f.started_at AS text),
        f.id = (SELECT family_id FROM {Token._meta.db_table} WHERE id = %s), {{name}}
    FROM {Family._meta.db_table} f JOIN {Token._meta.db_table} t ON t.id = f.current_token_id
    WHERE f.account_id = %s AND {live_condition()}
    ORDER BY f.started_at DESC, f.id DESC
"""  # noqa: S608 - only constants are interpolated


# orjson dumps a dataclass without slots in half the time. Each session of a list has three: itself, Device and Location.
@dataclass(frozen=True, kw_only=True)
class Session:
    """A session as the account owner sees it.

    `ip` and `user_agent` are those of the last login or refresh.
    """

    example: ClassVar = {
        "id": SESSION_ID,
        "ip": "203.0.113.7",
        "user_agent": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) "
        "Chrome/141.0.0.0 Safari/537.36",
        "created_at": MOMENT,
        "label": "Chrome on macOS",
        "application": "",
        "device": {"browser": "Chrome", "os": "macOS", "form": "desktop"},
        "location": {"city": "", "region": "", "country": ""},
        "current": True,
    }

    id: Annotated[UUID, Described("The id changes at each refresh. The older ids also identify the session.")]
    ip: str
    user_agent: str
    created_at: Annotated[datetime, Described("The time of the login.")]
    label: Annotated[str, Described("The browser, or the name of the application that got the session by OpenID.")]
    application: Annotated[str, Described("The name of the application whose session it is. Empty for a login.")]
    device: Device
    location: Location
    current: Annotated[bool, Described("True for the session of the request, and false for all others.")]


def list_sessions(*, caller: Caller, now: datetime) -> list[Session]:
    """Return the caller's live sessions, newest login first.

    Raises InvalidAccessToken when the account does not exist. Raises it also when a host project deactivated the user
    or set another password, even before the sessions end.
    """
    account_id = users.to_account_id(caller.user_id)
    if account_id is None:
        raise InvalidAccessToken
    sessions = list_live(account_id=account_id, now=now, own_token_id=parse_id(caller.token_id))
    # In the standalone project, the sessions of a deleted account are deleted too, so there is none to list.
    if not sessions or users.belong_to_host():
        get_own_account(user_id=caller.user_id)
    return sessions


def list_live(
    *, account_id: Any, now: datetime, own_token_id: UUID | None = None, limit: int | None = None
) -> list[Session]:
    """Return the account's live sessions, newest login first. The session of the token row `own_token_id` is current.

    The list has at most `limit` sessions.
    """
    statement = _LIVE_SESSIONS_SQL.format(name=name_column(family_id="f.id"))
    statement, parameters = (statement, ()) if limit is None else (f"{statement} LIMIT %s", (limit,))
    rows = sql.fetch_all(statement, (own_token_id, account_id, now, now, *parameters))
    return [session_of(*columns, is_current=is_current, name=name) for *columns, is_current, name in rows]


def session_of(
    token_id: object, ip: str, user_agent: str, started_at: object, *, is_current: object, name: str = ""
) -> Session:
    """Return the session for a row of a query: the columns of its newest token, and its start.

    `name` is the name of the application whose session it is, or "".
    """
    device = describe(user_agent)
    return Session(
        id=sql.to_uuid(token_id),
        ip=ip,
        user_agent=user_agent,
        created_at=sql.to_datetime(started_at),
        label=name or label(device),
        application=name,
        device=device,
        location=locate(ip),
        # The column is null when no token row has the id: the caller gave none, or the row was pruned.
        current=bool(is_current),
    )


class FamilySessions:
    """Session store for the accounts app. A session is live while its family is live."""

    def is_live(self, *, token_id: str, account_id: Any, now: datetime) -> bool:
        """Return whether the token row with this id belongs to a live family of the account."""
        return self._live(token_id=token_id, account_id=account_id, now=now).exists()

    @transaction_required
    def hold_live(self, *, token_id: str, account_id: Any, now: datetime) -> bool:
        """Return the same as `is_live`, and lock the family's row.

        A revocation of the family waits until the transaction commits.
        """
        rows = self._live(token_id=token_id, account_id=account_id, now=now)
        return bool(rows.select_for_update(no_key=True, of=("self",)).values_list("pk"))

    def find_family(self, *, token_id: str, account_id: Any, now: datetime) -> UUID | None:
        """Return the id of the live family of the token row with this id. None without such a family."""
        rows = self._live(token_id=token_id, account_id=account_id, now=now)
        return rows.values_list("pk", flat=True).first()

    def authenticated_at(self, *, token_id: str, account_id: Any, now: datetime) -> datetime | None:
        """Return the `authenticated_at` of the live family of the token row with this id. None without such a family."""
        rows = self._live(token_id=token_id, account_id=account_id, now=now)
        return rows.values_list("authenticated_at", flat=True).first()

    @transaction_required
    def mark_authenticated(self, *, token_id: str, account_id: Any, now: datetime) -> bool:
        """Set the `authenticated_at` of the family to `now`. Return False when no live family has the token row."""
        # The row is locked first. After a wait for the lock, PostgreSQL would not check a condition on the joined token
        # again.
        if not self.hold_live(token_id=token_id, account_id=account_id, now=now):
            return False
        rows = self._live(token_id=token_id, account_id=account_id, now=now)
        return bool(rows.update(authenticated_at=now))

    def _live(self, *, token_id: str, account_id: Any, now: datetime) -> FamilyQuerySet:
        known = parse_id(token_id)
        rows = Family.objects.filter(tokens=known) if known else Family.objects.none()
        return rows.filter(account_id=account_id).live(now)


def count_live(*, account_id: Any, now: datetime) -> int:
    """Return the number of the account's live sessions."""
    return Family.objects.filter(account_id=account_id).live(now).count()
