"""Periods as users name them. A plan stores the words; `resolve()` makes moments in UTC when the plan runs.

Days are those of the time zone that the request names, and weeks begin as the reader's weeks do.
"""

import calendar
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import TypeAlias
from zoneinfo import ZoneInfo

DAY = timedelta(days=1)
COUNT_MAX = 1000
YEARS = range(2000, 2101)

MONTHS = tuple(name.lower() for name in calendar.month_name[1:])
WEEKDAYS = tuple(name.lower() for name in calendar.day_name)
NAMES = (
    "today",
    "yesterday",
    "day_before_yesterday",
    *(f"{which}_{unit}" for unit in ("week", "month", "year", "weekend") for which in ("this", "last")),
    *(f"{prefix}{name}" for prefix in ("", "last_") for name in (*WEEKDAYS, *MONTHS)),
)
"""The names of periods.

`monday`, `march` and `this_weekend` mean the latest that have begun. `last_monday`, `last_march` and `last_weekend` mean
the latest that are over.
"""


class Relation(StrEnum):
    """The relation of a record's time to the moment. `since` and `until` include the moment; `after` does not."""

    DURING = "during"
    SINCE = "since"
    BEFORE = "before"
    AFTER = "after"
    UNTIL = "until"


class Unit(StrEnum):
    """The unit of `last 3 …` and `3 … ago`. A day has 24 hours in `last`. Months and years are those of the calendar."""

    MINUTES = "minutes"
    HOURS = "hours"
    DAYS = "days"
    WEEKS = "weeks"
    MONTHS = "months"
    YEARS = "years"


CALENDAR_UNITS = (Unit.DAYS, Unit.WEEKS, Unit.MONTHS, Unit.YEARS)
"""The units of Ago."""


class DayPart(StrEnum):
    """A part of a day. The night begins on the day and ends on the next one."""

    MORNING = "morning"
    AFTERNOON = "afternoon"
    EVENING = "evening"
    NIGHT = "night"


HOURS_OF: dict[DayPart, tuple[int, int]] = {
    DayPart.MORNING: (5, 12),
    DayPart.AFTERNOON: (12, 18),
    DayPart.EVENING: (18, 24),
    DayPart.NIGHT: (22, 6),
}
"""The first hour of each part, and the hour at which it ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A day, weekend, week, month or year of NAMES."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Date:
    """A day, a month or a year. Without a year, the latest that has begun.

    A date has a month or a year or both. A day needs a month.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None

    def __post_init__(self) -> None:
        """Refuse a date that no calendar has, with ValueError."""
        if (self.year is None and self.month is None) or (self.day is not None and self.month is None):
            raise ValueError
        if self.year is not None and self.year not in YEARS:
            raise ValueError
        date(self.year or 2000, 1 if self.month is None else self.month, 1 if self.day is None else self.day)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ago:
    """The calendar day, week, month or year that lies `count` units back. `unit` is one of CALENDAR_UNITS."""

    count: int
    unit: Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of the day `of`."""

    of: "Named | Date | Ago"
    part: DayPart


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """A minute of the day `of`."""

    of: "Named | Date | Ago"
    hour: int
    minute: int = 0


Day: TypeAlias = Named | Date | Ago
Moment: TypeAlias = Day | Part | Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """A time in relation to a moment."""

    relation: Relation
    when: Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Last:
    """The last `count` units up to this moment. `count` is at most COUNT_MAX."""

    count: int
    unit: Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """The time from the beginning of `first` to the end of `last`. A Clock at the end is the end."""

    first: Moment
    last: Moment


Period: TypeAlias = Calendar | Last | Between


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The time from `since` up to, but not including, `until`. None means that this end is open."""

    since: datetime | None = None
    until: datetime | None = None


def resolve(period: Period, *, now: datetime, zone: ZoneInfo, week_start: int) -> Span:
    """Return the span that the period means at the moment `now`, in UTC.

    `week_start` is the first day of a week; 0 is Monday. Raises ValueError for a period that no calendar has.
    """
    today = now.astimezone(zone).date()
    match period:
        case Last():
            return Span(since=_back(now.astimezone(zone), count=period.count, unit=period.unit).astimezone(UTC))
        case Between():
            first, last = _ends(period, today=today, week_start=week_start)
            return Span(since=_utc(first[0], zone), until=_utc(last[1], zone))
    start, end = _bounds(period.when, today=today, week_start=week_start)
    # A clock alone means its minute.
    during = end if end > start else end + timedelta(minutes=1)
    since, until = {
        Relation.DURING: (start, during),
        Relation.SINCE: (start, None),
        Relation.BEFORE: (None, start),
        Relation.AFTER: (end, None),
        Relation.UNTIL: (None, end),
    }[period.relation]
    return Span(since=since and _utc(since, zone), until=until and _utc(until, zone))


def _ends(period: Between, *, today: date, week_start: int) -> tuple[tuple[datetime, datetime], ...]:
    """Return the bounds of both ends. An end without a year, or a weekday, follows or precedes the other end."""
    first = _bounds(period.first, today=today, week_start=week_start)
    last = _bounds(period.last, today=today, week_start=week_start)
    if first[0] > last[0] and isinstance(period.last, Date) and period.last.year is None:
        year = first[0].year
        dated = [Date(year=year + more, month=period.last.month, day=period.last.day) for more in (0, 1)]
        bounds = [_bounds(day, today=today, week_start=week_start) for day in dated]
        last = next(bound for bound in bounds if bound[1] > first[0])
    elif first[0] > last[0] and isinstance(period.first, Named) and period.first.name in WEEKDAYS:
        first = (first[0] - 7 * DAY, first[1] - 7 * DAY)
    return first, last


def _bounds(moment: Moment, *, today: date, week_start: int) -> tuple[datetime, datetime]:
    """Return the beginning and the end of the moment, as naive times. Both are equal for a Clock."""
    if not isinstance(moment, Part | Clock):
        first, after = days_of(moment, today=today, week_start=week_start)
        return datetime.combine(first, time()), datetime.combine(after, time())
    midnight = datetime.combine(days_of(moment.of, today=today, week_start=week_start)[0], time())
    if isinstance(moment, Clock):
        clock = midnight + timedelta(hours=moment.hour, minutes=moment.minute)
        return clock, clock
    begin, end = HOURS_OF[moment.part]
    return midnight + timedelta(hours=begin), midnight + timedelta(hours=end if end > begin else end + 24)


def days_of(when: Day, *, today: date, week_start: int) -> tuple[date, date]:
    """Return the first day of the period and the day after its last one.

    Raises ValueError when the calendar has no such period.
    """
    match when:
        case Named(name=name):
            return _named(name, today=today, week_start=week_start)
        case Date():
            return _dated(when, today=today)
        case Ago(count=count, unit=unit):
            day = _back(datetime.combine(today, time()), count=count, unit=unit).date()
            return _unit(unit, day, week_start=week_start)


def _named(name: str, *, today: date, week_start: int) -> tuple[date, date]:
    is_over = name.startswith("last_")
    word = name.removeprefix("last_").removeprefix("this_")
    if name in ("today", "yesterday", "day_before_yesterday"):
        day = today - ("today", "yesterday", "day_before_yesterday").index(name) * DAY
        return day, day + DAY
    if word in WEEKDAYS:
        day = today - ((today.weekday() - WEEKDAYS.index(word) - is_over) % 7 + is_over) * DAY
        return day, day + DAY
    if word in MONTHS:
        month = MONTHS.index(word) + 1
        return _month(date(today.year - (month > today.month or (is_over and month == today.month)), month, 1))
    if word == "weekend":
        saturday = today - (today.weekday() - 5) % 7 * DAY
        saturday -= 7 * DAY if is_over and today < saturday + 2 * DAY else 0 * DAY
        return saturday, saturday + 2 * DAY
    unit = {"week": Unit.WEEKS, "month": Unit.MONTHS, "year": Unit.YEARS}.get(word)
    if unit is None or word == name:
        raise ValueError
    return days_of(Ago(count=int(is_over), unit=unit), today=today, week_start=week_start)


def _dated(when: Date, *, today: date) -> tuple[date, date]:
    if when.month is None:
        return _year(when.year or today.year)
    # A leap day without a year lies up to eight years back.
    years = range(today.year, today.year - 9, -1) if when.year is None else (when.year,)
    for year in years:
        if when.day is not None and when.day > calendar.monthrange(year, when.month)[1]:
            continue
        first = date(year, when.month, when.day or 1)
        if when.year is not None or first <= today:
            return _month(first) if when.day is None else (first, first + DAY)
    raise ValueError


def _unit(unit: Unit, day: date, *, week_start: int) -> tuple[date, date]:
    """Return the calendar unit that contains the day."""
    match unit:
        case Unit.DAYS:
            return day, day + DAY
        case Unit.WEEKS:
            first = day - (day.weekday() - week_start) % 7 * DAY
            return first, first + 7 * DAY
        case Unit.MONTHS:
            return _month(day)
        case Unit.YEARS:
            return _year(day.year)
    raise ValueError


def _month(day: date) -> tuple[date, date]:
    first = day.replace(day=1)
    return first, (first + 32 * DAY).replace(day=1)


def _year(year: int) -> tuple[date, date]:
    return date(year, 1, 1), date(year + 1, 1, 1)


def _back(now: datetime, *, count: int, unit: Unit) -> datetime:
    """Return the time so many units earlier. Minutes to weeks have a fixed length."""
    if unit in (Unit.MONTHS, Unit.YEARS):
        years, month = divmod(now.year * 12 + now.month - 1 - count * (12 if unit is Unit.YEARS else 1), 12)
        years = max(years, 1)
        return now.replace(year=years, month=month + 1, day=min(now.day, calendar.monthrange(years, month + 1)[1]))
    length = timedelta(**{unit.value: count})
    return now - length if now.tzinfo is None else (now.astimezone(UTC) - length).astimezone(now.tzinfo)


def _utc(moment: datetime, zone: ZoneInfo) -> datetime:
    return moment.replace(tzinfo=zone).astimezone(UTC)
