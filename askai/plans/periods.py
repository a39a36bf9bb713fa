"""Periods as users name them. A plan stores the words; `resolve()` makes moments in UTC when the plan runs."""

import calendar
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import TypeAlias

DAY = timedelta(days=1)
COUNT_MAX = 1000
YEARS = range(2000, 2101)
ANY_DAY = date(2026, 1, 1)
"""A date for calls of `days_of` that only check whether a word names a period. Any other date would do as well."""

MONTHS = tuple(name.lower() for name in calendar.month_name[1:])
WEEKDAYS = tuple(name.lower() for name in calendar.day_name)
NAMES = (
    "today",
    "yesterday",
    "this_week",
    "last_week",
    "this_month",
    "last_month",
    "this_year",
    "last_year",
    *WEEKDAYS,
    *MONTHS,
)
"""The names of periods. Weeks begin on Monday. The name of a weekday or month means the latest one that has begun."""

_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?", re.ASCII)


class Relation(StrEnum):
    """The relation of a record's time to the named period: within it, from its beginning on, or before it."""

    DURING = "during"
    SINCE = "since"
    BEFORE = "before"


class Unit(StrEnum):
    """The unit of `last 3 …`. A day has 24 hours, and a week has seven days. Months are calendar months."""

    HOURS = "hours"
    DAYS = "days"
    WEEKS = "weeks"
    MONTHS = "months"


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """A time in relation to a day, week, month or year.

    `when` is one of NAMES, or a date such as 2026-03-01, 2026-03 or 2026.
    """

    relation: Relation
    when: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Last:
    """The last `count` units up to this moment. `count` is at most COUNT_MAX."""

    count: int
    unit: Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """The days from `first` to `last`, both included."""

    first: date
    last: date


Period: TypeAlias = Calendar | Last | Between


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The time from `since` up to, but not including, `until`. None means that this end is open."""

    since: datetime | None = None
    until: datetime | None = None


def resolve(period: Period, *, now: datetime) -> Span:
    """Return the span that the period means at the moment `now`."""
    match period:
        case Last():
            return Span(since=_ago(now.astimezone(UTC), count=period.count, unit=period.unit))
        case Between():
            return Span(since=_midnight(period.first), until=_midnight(period.last + DAY))
    first, after = days_of(period.when, today=now.astimezone(UTC).date())
    match period.relation:
        case Relation.DURING:
            return Span(since=_midnight(first), until=_midnight(after))
        case Relation.SINCE:
            return Span(since=_midnight(first))
        case Relation.BEFORE:
            return Span(until=_midnight(first))


def days_of(when: str, *, today: date) -> tuple[date, date]:
    """Return the first day of the named period and the day after its last one.

    Raises ValueError when `when` names no period.
    """
    if when in WEEKDAYS:
        day = today - (today.weekday() - WEEKDAYS.index(when)) % 7 * DAY
        return day, day + DAY
    if when in MONTHS:
        month = MONTHS.index(when) + 1
        return _month(date(today.year - (month > today.month), month, 1))
    monday = today - today.weekday() * DAY
    named = {
        "today": (today, today + DAY),
        "yesterday": (today - DAY, today),
        "this_week": (monday, monday + 7 * DAY),
        "last_week": (monday - 7 * DAY, monday),
        "this_month": _month(today),
        "last_month": _month(today.replace(day=1) - DAY),
        "this_year": _year(today.year),
        "last_year": _year(today.year - 1),
    }
    return named.get(when) or _days_of_date(when)


def _days_of_date(text: str) -> tuple[date, date]:
    match = _DATE.fullmatch(text)
    if match is None or int(match[1]) not in YEARS:
        raise ValueError
    year, month, day = (int(part or 0) for part in match.groups())
    if match[3]:
        return date(year, month, day), date(year, month, day) + DAY
    return _month(date(year, month, 1)) if match[2] else _year(year)


def _month(day: date) -> tuple[date, date]:
    first = day.replace(day=1)
    return first, (first + 32 * DAY).replace(day=1)


def _year(year: int) -> tuple[date, date]:
    return date(year, 1, 1), date(year + 1, 1, 1)


def _ago(now: datetime, *, count: int, unit: Unit) -> datetime:
    match unit:
        case Unit.HOURS:
            return now - timedelta(hours=count)
        case Unit.DAYS:
            return now - timedelta(days=count)
        case Unit.WEEKS:
            return now - timedelta(weeks=count)
        case Unit.MONTHS:
            years, month = divmod(now.year * 12 + now.month - 1 - count, 12)
            day = min(now.day, calendar.monthrange(years, month + 1)[1])
            return now.replace(year=years, month=month + 1, day=day)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)
