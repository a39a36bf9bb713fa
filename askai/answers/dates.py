"""Times in the reader's words and zone."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from ..plans.periods import Span
from .words.table import Dates

DAY = timedelta(days=1)


def say_moment(moment: datetime, *, zone: ZoneInfo, dates: Dates) -> str:
    """Return the day and the minute of the moment."""
    local = moment.astimezone(zone)
    return dates.moment.format(date=say_day(local.date(), dates=dates), time=f"{local:%H:%M}")


def say_day(day: date, *, dates: Dates) -> str:
    """Return the day with its month and year."""
    return dates.day.format(d=_number(day, dates), m=dates.months[day.month - 1], y=day.year)


def say_span(span: Span, *, zone: ZoneInfo, dates: Dates) -> str:
    """Return the span with its first and its last day, or with times when an end is no midnight."""
    since, until = (end and end.astimezone(zone) for end in (span.since, span.until))
    if since is None and until is None:
        return ""
    if until is None:
        return dates.since.format(a=_say_end(since, zone=zone, dates=dates))
    if since is None:
        return dates.before.format(b=_say_end(until, zone=zone, dates=dates))
    if not (_is_midnight(since) and _is_midnight(until)):
        ends = (say_moment(end, zone=zone, dates=dates) for end in (since, until))
        return dates.from_to.format(**dict(zip("ab", ends, strict=True)))
    return _say_days(since.date(), (until - timedelta(hours=1)).date(), dates=dates)


def say_hour(hour: int) -> str:
    """Return the beginning of an hour; 24 is the end of a day."""
    return f"{hour}:00"


def _say_days(first: date, last: date, *, dates: Dates) -> str:
    names = {"d": first, "d1": first, "d2": last}
    months = {"m": first, "m1": first, "m2": last}
    parts = {
        **{name: _number(day, dates) for name, day in names.items()},
        **{name: dates.months[day.month - 1] for name, day in months.items()},
        "y": first.year,
        "y1": first.year,
        "y2": last.year,
    }
    if first == last:
        template = dates.on
    elif (first.year, first.month) == (last.year, last.month):
        template = dates.in_month
    else:
        template = dates.in_year if first.year == last.year else dates.in_years
    return template.format(**parts)


def _say_end(end: datetime | None, *, zone: ZoneInfo, dates: Dates) -> str:
    end = end or datetime.max.replace(tzinfo=UTC)
    return say_day(end.date(), dates=dates) if _is_midnight(end) else say_moment(end, zone=zone, dates=dates)


def _is_midnight(moment: datetime) -> bool:
    return moment.time() == time()


def _number(day: date, dates: Dates) -> str:
    return dates.first_day if day.day == 1 else str(day.day)
