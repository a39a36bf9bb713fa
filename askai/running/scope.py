"""Whose records a question reads, and how it reads times."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The caller, the moment and the zone of a question. Only the access token determines the caller.

    `family_id` is the session of the access token; None when it has ended. `week_start` is the first day of a week; 0
    is Monday. Events before `events_since` may have been deleted; None when the account is younger than that.
    """

    user_id: str
    family_id: UUID | None
    now: datetime
    zone: ZoneInfo
    week_start: int
    events_since: datetime | None = None
