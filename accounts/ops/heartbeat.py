"""The heartbeat of the background workers. A missing heartbeat means that no worker runs."""

from collections.abc import Callable
from datetime import datetime, timedelta

from core.db.transactions import write

from ..models import WorkerHeartbeat

BEAT_INTERVAL = timedelta(seconds=20)

SILENCE_MAX = timedelta(seconds=60)
"""Without a heartbeat for this time, no worker runs or no worker reaches the database."""


def find_last_beat() -> datetime | None:
    """Return the time of the last heartbeat of any worker, or None when no worker has run yet."""
    return WorkerHeartbeat.objects.values_list("seen_at", flat=True).first()


class Heartbeat:
    """Job that stores the time every BEAT_INTERVAL. All workers of a deployment share one row."""

    name = "heartbeat"

    def __init__(self) -> None:
        self._due_at: datetime | None = None

    def next_due(self, now: datetime) -> datetime | None:
        return self._due_at or now

    def run(self, now: datetime, stop: Callable[[], bool]) -> None:
        _beat(now=now)
        self._due_at = now + BEAT_INTERVAL


@write
def _beat(*, now: datetime) -> None:
    WorkerHeartbeat.objects.bulk_create(
        [WorkerHeartbeat(seen_at=now)], update_conflicts=True, unique_fields=["id"], update_fields=["seen_at"]
    )
