"""Periods as JSON: the reader, the writer, and their part of the schema.

A moment is a text: a day, and perhaps a part of the day or a time of day. The day is one of NAMES, a date with or
without a year (`2026-03-01`, `2026-03`, `2026`, `--03-01`, `--03`), or `2 weeks ago`. So `yesterday`, `--11-13 evening`
and `3 days ago 14:30` are moments.
"""

import re
from typing import Any

from .json_values import members_of, positive, text, word
from .periods import (
    CALENDAR_UNITS,
    COUNT_MAX,
    NAMES,
    Ago,
    Between,
    Calendar,
    Clock,
    Date,
    Day,
    DayPart,
    Last,
    Moment,
    Named,
    Part,
    Period,
    Relation,
    Unit,
)
from .plan import PlanInvalid

WHEN = (
    f"A day or span: one of {', '.join(NAMES)}; a date such as 2026-03-01, 2026-03, 2026, or --03-01 without a year; "
    f"or `2 weeks ago` (days, weeks, months, years). It may be followed by one of {', '.join(DayPart)}, or by a time "
    "such as 14:30."
)

_MOMENT = re.compile(
    r"(?:(?P<name>[a-z_]+)|(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?|--(?P<only_month>\d\d)(?:-(?P<only_day>\d\d))?"
    r"|(?P<count>\d{1,4}) (?P<unit>[a-z]+) ago)"
    r"(?: (?:(?P<part>[a-z]+)|(?P<hour>[01]\d|2[0-3]):(?P<minute>[0-5]\d)))?",
    re.ASCII,
)


def read_period(value: Any) -> Period:
    """Return the period of a JSON value. Raises PlanInvalid for a value of another form."""
    match members_of(value, {"kind", "when", "count", "unit", "first", "last"}):
        case {"kind": "last", "count": count, "unit": unit, **rest} if not rest:
            if positive(count) > COUNT_MAX:
                raise PlanInvalid
            return Last(count=count, unit=word(Unit, unit))
        case {"kind": "between", "first": first, "last": last, **rest} if not rest:
            return _in_order(Between(first=read_moment(first), last=read_moment(last)))
        case {"kind": kind, "when": when, **rest} if not rest:
            return Calendar(relation=word(Relation, kind), when=read_moment(when))
    raise PlanInvalid


def read_moment(value: Any) -> Moment:
    """Return the moment of a text. Raises PlanInvalid when the text is none."""
    match = _MOMENT.fullmatch(text(value))
    if match is None:
        raise PlanInvalid
    day = _day(match)
    if match["part"]:
        return Part(of=day, part=word(DayPart, match["part"]))
    return Clock(of=day, hour=int(match["hour"]), minute=int(match["minute"])) if match["hour"] else day


def _day(match: re.Match[str]) -> Day:
    if match["name"]:
        if match["name"] not in NAMES:
            raise PlanInvalid
        return Named(name=match["name"])
    if match["count"]:
        unit, count = word(Unit, match["unit"]), positive(int(match["count"]))
        if unit not in CALENDAR_UNITS or count > COUNT_MAX:
            raise PlanInvalid
        return Ago(count=count, unit=unit)
    month, day = match["month"] or match["only_month"], match["day"] or match["only_day"]
    try:
        return Date(
            year=int(match["year"]) if match["year"] else None,
            month=int(month) if month else None,
            day=int(day) if day else None,
        )
    except ValueError:
        raise PlanInvalid from None


def _in_order(between: Between) -> Between:
    """Return the period. Raises PlanInvalid when it ends on a day before its first one."""
    match between:
        case Between(first=Date(year=int() as first_year) as first, last=Date(year=int() as last_year) as last) if (
            last_year,
            last.month or 12,
            last.day or 31,
        ) < (first_year, first.month or 1, first.day or 1):
            raise PlanInvalid
    return between


def period_json(period: Period) -> dict[str, Any]:
    """Return the JSON value from which `read_period` reads this period."""
    match period:
        case Calendar():
            return {"kind": period.relation, "when": moment_json(period.when)}
        case Last():
            return {"kind": "last", "count": period.count, "unit": period.unit}
        case Between():
            return {"kind": "between", "first": moment_json(period.first), "last": moment_json(period.last)}


def moment_json(moment: Moment) -> str:
    """Return the text from which `read_moment` reads this moment."""
    match moment:
        case Named():
            return moment.name
        case Ago():
            return f"{moment.count} {moment.unit} ago"
        case Part():
            return f"{moment_json(moment.of)} {moment.part}"
        case Clock():
            return f"{moment_json(moment.of)} {moment.hour:02}:{moment.minute:02}"
        case Date():
            year = "-" if moment.year is None else f"{moment.year:04}"
            return "-".join([year, *(f"{part:02}" for part in (moment.month, moment.day) if part is not None)])
