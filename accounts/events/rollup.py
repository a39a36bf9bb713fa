"""How often things happened: counts of the days that are over, kept by day, and the rows for all others."""

from collections.abc import Collection, Iterator
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import Count, Max, Min, Sum

from ..core.db.transactions import write
from .models import Event, EventCount
from .vocabulary import EventType

SAFE_DELAY = timedelta(hours=1)
"""How long after its end a day may still get events.

An event carries the moment at which its request began, and counts from its commit on. No request comes near an hour:
waiting for a hash, a lock or the database ends within seconds, and a stopped process is killed within half a minute.
The rest of the hour is for machines whose clocks differ.
"""

ONE_DAY = timedelta(days=1)
BEGINNING = date(1970, 1, 1)


def count_events(
    *, types: Collection[EventType], since: date | datetime | None, until: date | datetime
) -> dict[EventType, int]:
    """Return how many events of each type there were from `since`, None for ever, to before `until`; all types are in.

    Exact, whatever has been counted by day so far; a date is its first moment in UTC. Days whose rows were pruned count
    as wholes: a `since` within one of them misses what is left of that day.
    """
    start, end = _moment(since or BEGINNING), _moment(until)
    first_day = start.date() if start == _moment(start.date()) else start.date() + ONE_DAY
    last_day = min(end.date(), find_uncounted_day() or BEGINNING)
    counts = dict.fromkeys(types, 0)
    if first_day >= last_day:
        _add_rows(counts, start=start, end=end)
        return counts
    days = EventCount.objects.filter(type__in=types, day__gte=first_day, day__lt=last_day)
    for event, count in days.values_list("type").annotate(Sum("count")).order_by():
        counts[EventType(event)] += count
    _add_rows(counts, start=start, end=_moment(first_day))
    _add_rows(counts, start=_moment(last_day), end=end)
    return counts


def find_uncounted_day() -> date | None:
    """Return the first day that has not been counted yet; None as long as none has. All days before it have been."""
    counted: date | None = EventCount.objects.aggregate(last=Max("day"))["last"]
    return counted + ONE_DAY if counted else None


def roll_up(*, now: datetime) -> Iterator[date]:
    """Count the days that are over, the oldest first, and yield each once its counts are committed.

    Any number of workers may do so at once: a day that is over has the same counts for each of them.
    """
    last = (now.astimezone(UTC) - SAFE_DELAY).date() - ONE_DAY
    day = find_uncounted_day() or min(_find_first_day() or last, last)
    while day <= last:
        counts = dict.fromkeys(EventType, 0)
        _add_rows(counts, start=_moment(day), end=_moment(day + ONE_DAY))
        _store(day, counts)
        yield day
        day += ONE_DAY


def _add_rows(counts: dict[EventType, int], *, start: datetime, end: datetime) -> None:
    if start >= end:
        return
    # All types are named, even where it is all that there are: they lead the one index on created_at.
    rows = Event.objects.filter(type__in=list(counts), created_at__gte=start, created_at__lt=end)
    for event, count in rows.values_list("type").annotate(Count("pk")).order_by():
        counts[EventType(event)] += count


def _find_first_day() -> date | None:
    first: datetime | None = Event.objects.aggregate(first=Min("created_at"))["first"]
    return first.astimezone(UTC).date() if first else None


@write
def _store(day: date, counts: dict[EventType, int]) -> None:
    # Zeros of types that did not occur are left out, but for one: the day must be seen to have been counted.
    rows = [EventCount(day=day, type=event, count=count) for event, count in counts.items() if count]
    rows = rows or [EventCount(day=day, type=EventType.LOGIN_SUCCESS, count=0)]
    EventCount.objects.bulk_create(rows, ignore_conflicts=True)


def _moment(value: date | datetime) -> datetime:
    if isinstance(value, datetime):
        return value.astimezone(UTC)
    return datetime.combine(value, time.min, tzinfo=UTC)
