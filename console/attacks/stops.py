"""The latest login to an account by which an attack reached it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from events.models import Event
from events.vocabulary import EventType

from ..reviews.queue import FlaggedColumns
from .definition import is_sign_in, is_stop
from .incident import find_password_changes

MEMORY = timedelta(days=30)
"""The age from which on a reached account no longer concerns a supporter."""
REPORTS_MAX = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A login with the right password that was probably not the owner's.

    `was_opened` is false when the second factor stopped the login. `is_open` is true while the password of the account
    is still the same.
    """

    at: datetime
    ip: str
    was_opened: bool
    is_open: bool


def find_reached(*, user_id: str, now: datetime) -> Reached | None:
    """Return the latest such login within MEMORY, among the latest REPORTS_MAX reports of the account.

    Needs PostgreSQL.
    """
    reports = Event.objects.filter(
        user_id=user_id, type=EventType.ANOMALY_DETECTED, created_at__gt=now - MEMORY, created_at__lte=now
    )
    for at, ip, metadata in reports.order_by("-created_at").values_list("created_at", "ip", "metadata")[:REPORTS_MAX]:
        flag = FlaggedColumns(type=EventType.ANOMALY_DETECTED, user_id=user_id, ip=ip, metadata=metadata, created_at=at)
        if is_stop(flag) or is_sign_in(flag):
            is_open = user_id not in find_password_changes([user_id], since=at)
            return Reached(at=at, ip=ip, was_opened=is_sign_in(flag), is_open=is_open)
    return None
