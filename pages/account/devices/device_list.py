"""The sessions of the account's devices, with the time of their last use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from core.http.call import Call
from sessions_app.families.own_session import get_own_session
from sessions_app.families.queries import Session, count_live, list_live
from sessions_app.inventory import session_name
from sessions_app.models import Token

from ...models import BrowserSession
from ..wording import place

DEVICES_MAX = 50
"""The number of other sessions that the page lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedDevice:
    """A session as its owner recognizes it. `is_browser` is False for the session of an application."""

    id: UUID
    name: str
    place: str
    ip: str
    since: datetime
    last_used_at: datetime
    is_browser: bool
    is_this: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Devices:
    """The session of the request, and the others, newest login first. `left_out` is the number of older others."""

    own: ListedDevice
    others: Sequence[ListedDevice]
    left_out: int


def list_devices(call: Call, *, account_id: object) -> Devices:
    """Return the live sessions of the account. Raises InvalidAccessToken when the session of the request has ended."""
    own = get_own_session(caller=call.signed_in, now=call.now)
    found = list_live(account_id=account_id, now=call.now, limit=DEVICES_MAX + 1)
    others = [session for session in found if session.id != own.id][:DEVICES_MAX]
    # Only a longer list needs another statement.
    total = count_live(account_id=account_id, now=call.now) if len(found) > DEVICES_MAX else len(others) + 1
    uses = _find_uses([own, *others])
    return Devices(
        own=_listed(own, uses, is_this=True),
        others=[_listed(session, uses, is_this=False) for session in others],
        left_out=total - 1 - len(others),
    )


def _listed(session: Session, uses: Mapping[UUID, tuple[datetime, bool]], *, is_this: bool) -> ListedDevice:
    used_at, is_browser = uses.get(session.id, (session.created_at, False))
    return ListedDevice(
        id=session.id,
        name=session_name(session),
        place=place(session.location),
        ip=session.ip,
        since=session.created_at,
        last_used_at=max(used_at, session.created_at),
        is_browser=is_browser,
        is_this=is_this,
    )


def _find_uses(sessions: Sequence[Session]) -> Mapping[UUID, tuple[datetime, bool]]:
    """Return the time of the last use of each session, and whether it is the session of a browser at these pages.

    An application gets a new token at each refresh. A browser keeps its token, and each use extends the session by its
    idle time.
    """
    rows = Token.objects.filter(pk__in=[session.id for session in sessions])
    tokens = list(rows.values_list("pk", "created_at", "family_id", "family__idle_expires_at"))
    families = [family_id for _, _, family_id, _ in tokens]
    idle = dict(BrowserSession.objects.filter(pk__in=families).values_list("pk", "idle_seconds"))
    return {
        key: (until - timedelta(seconds=idle[family_id]), True) if family_id in idle else (refreshed_at, False)
        for key, refreshed_at, family_id, until in tokens
    }
