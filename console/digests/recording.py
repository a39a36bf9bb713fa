"""Digests on a schedule. Each due digest is recorded once, with any number of workers."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.utils import translation

from core.clock import now as read_clock
from core.db.ids import new_id
from core.db.transactions import transaction_required, write
from mail.languages import ENGLISH

from ..conf import digest_settings
from ..models import DigestSchedule, RecordedDigest
from ..reports import digest
from ..reports.window import Window


class RecordDigests:
    """Records a digest every DIGEST_INTERVAL_HOURS. The first digest is due one interval after the first worker started.

    The schedule is one row. The worker that advances the schedule records the digest in the same transaction.
    Therefore no digest is recorded twice, and a digest stays due when its worker dies.
    """

    name = "digests"

    def next_due(self, now: datetime) -> datetime | None:
        interval = _interval()
        if interval is None:
            return None
        due = DigestSchedule.objects.values_list("due_at", flat=True).first()
        # A shortened interval applies at once.
        return now if due is None or due > now + interval else due

    def run(self, now: datetime, stop: Callable[[], bool]) -> None:
        interval = _interval()
        if interval is None:
            return
        schedule = DigestSchedule.objects.first()
        if schedule is None or schedule.due_at > now + interval:
            _store_schedule(due_at=now + interval)
        elif schedule.due_at <= now:
            window = Window(since=now - interval, until=now)
            _record_scheduled(schedule, window, text=english_text(window), interval=interval)


def english_text(window: Window) -> str:
    """Return the digest of the window in English, in which digests are recorded. The site can have another language."""
    with translation.override(ENGLISH):
        return digest.render(digest.gather(window), window)


@write
def record_now(*, window: Window, text: str) -> None:
    """Record a digest outside the schedule. Opens its own transaction."""
    _record(window, text=text)


@write
def _store_schedule(*, due_at: datetime) -> None:
    """Store the schedule unless another worker has stored it. A stored time later than `due_at` becomes `due_at`."""
    DigestSchedule.objects.bulk_create([DigestSchedule(due_at=due_at)], ignore_conflicts=True)
    DigestSchedule.objects.filter(due_at__gt=due_at).update(due_at=due_at)


@write
def _record_scheduled(schedule: DigestSchedule, window: Window, *, text: str, interval: timedelta) -> None:
    due = DigestSchedule.objects.filter(pk=schedule.pk, due_at=schedule.due_at)
    # After a long pause, only one digest is due, not one for each missed interval.
    next_due_at = max(schedule.due_at + interval, window.until + interval / 2)
    if due.update(due_at=next_due_at):
        _record(window, text=text)


@transaction_required
def _record(window: Window, *, text: str) -> None:
    RecordedDigest.objects.create(
        id=new_id(), window_start=window.since, window_end=window.until, generated_at=read_clock(), text=text
    )


def _interval() -> timedelta | None:
    hours = digest_settings().interval_hours
    return timedelta(hours=hours) if hours else None
