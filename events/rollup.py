"""Counts of events: stored counts for the finished days, and counts of the events' rows for all other days."""

from collections.abc import Collection, Iterator
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import Count, Max, Min, QuerySet, Sum
from django.db.models.functions import TruncDay, TruncHour

from core.db.transactions import write

from .models import Event, EventCount
from .vocabulary import EventType

SAFE_DELAY = timedelta(hours=1)
"""How long after its end a day may still get events.

The time of an event is the start of its request, but the event becomes visible with its commit. A request takes much
less than an hour: it waits only seconds for a hash, a lock or the database. A process that stops is killed within half
a minute. The rest of the hour allows for machines whose clocks differ.
"""

ONE_DAY = timedelta(days=1)
ONE_HOUR = timedelta(hours=1)
BEGINNING = date(1970, 1, 1)


def count_events(
    *, types: Collection[EventType], since: date | datetime | None, until: date | datetime
) -> dict[EventType, int]:
    """Return the number of events of each type from `since` to before `until`. The result contains all `types`.

    `since` None means no lower bound. A date means its first moment in UTC. The result is exact and does not
    depend on how many days have stored counts. There is one exception: `since` lies within a day whose events were
    pruned. Then the rest of that day is not counted.
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


def count_by_day(*, types: Collection[EventType], since: date, until: date) -> dict[datetime, dict[EventType, int]]:
    """Return the number of events of each type on each day from `since` to before `until`.

    The keys are the starts of the days in UTC.

    The result has all these days and all `types`. It is exact, except for days whose events were pruned before the days
    were counted.
    """
    counts = _zeros(types, start=_moment(since), end=_moment(until), step=ONE_DAY)
    uncounted = min(max(since, find_uncounted_day() or BEGINNING), until)
    days = EventCount.objects.filter(type__in=types, day__gte=since, day__lt=uncounted)
    for day, event, count in days.values_list("day", "type", "count"):
        counts[_moment(day)][EventType(event)] = count
    rows = _rows(types, start=_moment(uncounted), end=_moment(until)).annotate(start=TruncDay("created_at", tzinfo=UTC))
    for start, event, count in rows.values_list("start", "type").annotate(count=Count("*")):
        counts[start][EventType(event)] = count
    return counts


def count_by_hour(
    *, types: Collection[EventType], since: datetime, until: datetime
) -> dict[datetime, dict[EventType, int]]:
    """Return the number of events of each type in each hour from `since` to before `until`, by the hour's start.

    Both bounds are full hours in UTC. The result has all these hours and all `types`.
    """
    counts = _zeros(types, start=since, end=until, step=ONE_HOUR)
    rows = _rows(types, start=since, end=until).annotate(start=TruncHour("created_at", tzinfo=UTC))
    for start, event, count in rows.values_list("start", "type").annotate(count=Count("*")):
        counts[start][EventType(event)] = count
    return counts


def find_uncounted_day() -> date | None:
    """Return the first day without stored counts, or None when no day has any. All earlier days have been counted."""
    counted: date | None = EventCount.objects.aggregate(last=Max("day"))["last"]
    return counted + ONE_DAY if counted else None


def roll_up(*, now: datetime) -> Iterator[date]:
    """Count the finished days from the oldest to the newest, and yield each day after the commit of its counts.

    A day is finished SAFE_DELAY after its end in UTC. Each day opens its own transaction. Several workers can count at
    the same time, because they all get the same counts for a finished day.
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
    for event, count in _rows(counts, start=start, end=end).values_list("type").annotate(count=Count("*")):
        counts[EventType(event)] += count


def _rows(types: Collection[EventType], *, start: datetime, end: datetime) -> QuerySet[Event]:
    # The query lists the types even when it needs all: `type` is the first column of the index on `created_at`. With
    # `Count("*")` PostgreSQL reads only this index.
    return Event.objects.filter(type__in=list(types), created_at__gte=start, created_at__lt=end).order_by()


def _zeros(
    types: Collection[EventType], *, start: datetime, end: datetime, step: timedelta
) -> dict[datetime, dict[EventType, int]]:
    return {start + number * step: dict.fromkeys(types, 0) for number in range((end - start) // step)}


def _find_first_day() -> date | None:
    first: datetime | None = Event.objects.aggregate(first=Min("created_at"))["first"]
    return first.astimezone(UTC).date() if first else None


@write
def _store(day: date, counts: dict[EventType, int]) -> None:
    # Types that did not occur get no row. A day without events gets one row with 0, which marks the day as counted.
    rows = [EventCount(day=day, type=event, count=count) for event, count in counts.items() if count]
    rows = rows or [EventCount(day=day, type=EventType.LOGIN_SUCCESS, count=0)]
    EventCount.objects.bulk_create(rows, ignore_conflicts=True)


def _moment(value: date | datetime) -> datetime:
    if isinstance(value, datetime):
        return value.astimezone(UTC)
    return datetime.combine(value, time.min, tzinfo=UTC)
