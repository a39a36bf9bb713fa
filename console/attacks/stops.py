"""The latest login to an account that had the right password and stopped at the second factor."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from events.models import Event
from events.vocabulary import EventType
from sessions_app.detection.signals import Signal

from .incident import find_password_changes

MEMORY = timedelta(days=30)
"""The age from which on a stop no longer concerns a supporter."""
REPORTS_MAX = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """A stopped login. `is_open` is true while the password of the account is still the same."""

    at: datetime
    ip: str
    is_open: bool


def find_stop(*, user_id: str, now: datetime) -> Stop | None:
    """Return the latest stop of the account within MEMORY, among its latest REPORTS_MAX reports. Needs PostgreSQL."""
    reports = Event.objects.filter(
        user_id=user_id, type=EventType.ANOMALY_DETECTED, created_at__gt=now - MEMORY, created_at__lte=now
    )
    for at, ip, metadata in reports.order_by("-created_at").values_list("created_at", "ip", "metadata")[:REPORTS_MAX]:
        if Signal.STOPPED_AT_FACTOR in metadata.get("signals", ()):
            return Stop(at=at, ip=ip, is_open=user_id not in find_password_changes([user_id], since=at))
    return None
