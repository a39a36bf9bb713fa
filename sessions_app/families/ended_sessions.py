"""The ended sessions whose access tokens can still be valid.

A verifier that knows them refuses an access token as soon as its session has ended. The events SESSION_ENDED are the
only source, because they outlive the rows of a deleted account.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, ClassVar

from core.conf import core_settings
from core.http.answers import Described
from core.http.examples import LATER, MOMENT, SESSION_ID
from events.models import Event
from events.vocabulary import EventType

PAGE_MAX = 500
"""The maximum number of revocations in one answer. Each has at most IDS_MAX ids."""

OVERLAP = timedelta(minutes=1)
"""The longest time from the start of a request that ends a session to the commit of the event.

The event has the time of the start. Therefore a list that begins where the previous one ended must go back this far.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revocation:
    """Ids of ended sessions. An access token whose `jti` is one of them is revoked."""

    example: ClassVar = {"session_ids": [SESSION_ID], "expires_at": LATER}

    session_ids: Annotated[Sequence[str], Described("The ids that an access token can have as its `jti`.")]
    expires_at: Annotated[datetime, Described("The last of the access tokens expires at this time.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Revocations:
    """The revocations since a time, the oldest first."""

    example: ClassVar = {"revocations": [Revocation.example], "next_since": MOMENT, "has_more": False}

    revocations: Sequence[Revocation]
    next_since: Annotated[datetime, Described("Send this time as `since` in the next request.")]
    has_more: Annotated[bool, Described("True when the service has more. Then send the next request at once.")]


def list_revocations(*, since: datetime | None, now: datetime) -> Revocations:
    """Return the revocations since the time that have not expired, at most PAGE_MAX of them.

    Without `since`, the list begins with the oldest. A caller that always continues at `next_since` misses none and
    gets some twice. A request that takes longer than OVERLAP is the exception.
    """
    oldest = now - timedelta(seconds=core_settings().access_token_seconds) - OVERLAP
    start = oldest if since is None else max(since, oldest)
    events = Event.objects.filter(type=EventType.SESSION_ENDED, created_at__gte=start).order_by("created_at", "id")
    rows = list(events.values_list("created_at", "metadata")[: PAGE_MAX + 1])
    has_more = len(rows) > PAGE_MAX
    found = (_revocation(**metadata) for _, metadata in rows[:PAGE_MAX])
    return Revocations(
        revocations=[one for one in found if one.expires_at > now],
        next_since=rows[PAGE_MAX][0] if has_more else now - OVERLAP,
        has_more=has_more,
    )


def _revocation(*, session_ids: Sequence[str], last_expiry: str, **_: object) -> Revocation:
    return Revocation(session_ids=session_ids, expires_at=datetime.fromisoformat(last_expiry))
