from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from askai.plans.period_json import read_moment, read_period
from askai.plans.periods import NAMES, Calendar, Day, Named, Relation, Span, days_of, resolve
from askai.plans.plan import PlanInvalid
from tests.rows import each

pytestmark = pytest.mark.once

# A Sunday, one second before the end of February in a leap year.
NOW = datetime(2032, 2, 29, 23, 59, 59, tzinfo=UTC)


MONDAY = 0
SUNDAY = 6
IN_UTC = ZoneInfo("UTC")


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def day(text: str) -> Day:
    read = read_moment(text)
    assert isinstance(read, Day)
    return read


@each(
    "when, first, after",
    [
        ("today", "2032-02-29", "2032-03-01"),
        ("yesterday", "2032-02-28", "2032-02-29"),
        ("this_week", "2032-02-23", "2032-03-01"),
        ("last_week", "2032-02-16", "2032-02-23"),
        ("this_month", "2032-02-01", "2032-03-01"),
        ("last_month", "2032-01-01", "2032-02-01"),
        ("this_year", "2032-01-01", "2033-01-01"),
        ("last_year", "2031-01-01", "2032-01-01"),
        ("sunday", "2032-02-29", "2032-03-01"),
        ("monday", "2032-02-23", "2032-02-24"),
        ("saturday", "2032-02-28", "2032-02-29"),
        ("february", "2032-02-01", "2032-03-01"),
        ("january", "2032-01-01", "2032-02-01"),
        ("march", "2031-03-01", "2031-04-01"),
        ("december", "2031-12-01", "2032-01-01"),
        ("2032-02-29", "2032-02-29", "2032-03-01"),
        ("2031-12", "2031-12-01", "2032-01-01"),
        ("2031", "2031-01-01", "2032-01-01"),
        ("2100-12-31", "2100-12-31", "2101-01-01"),
        ("day_before_yesterday", "2032-02-27", "2032-02-28"),
        ("this_weekend", "2032-02-28", "2032-03-01"),
        ("last_weekend", "2032-02-21", "2032-02-23"),
        ("last_sunday", "2032-02-22", "2032-02-23"),
        ("last_monday", "2032-02-23", "2032-02-24"),
        ("last_february", "2031-02-01", "2031-03-01"),
        ("--02-29", "2032-02-29", "2032-03-01"),
        ("--03-01", "2031-03-01", "2031-03-02"),
        ("--03", "2031-03-01", "2031-04-01"),
        ("2 days ago", "2032-02-27", "2032-02-28"),
        ("1 weeks ago", "2032-02-16", "2032-02-23"),
        ("1 months ago", "2032-01-01", "2032-02-01"),
        ("2 years ago", "2030-01-01", "2031-01-01"),
    ],
)
def test_a_period_name_covers_whole_days(when: str, first: str, after: str) -> None:
    assert days_of(day(when), today=NOW.date(), week_start=MONDAY) == (
        date.fromisoformat(first),
        date.fromisoformat(after),
    )


@each(
    "when",
    [
        "",
        "Today",
        "last week",
        "mar",
        "2031-02-29",
        "2031-13",
        "2031-00",
        "2031-11-00",
        "2031-00-10",
        "31",
        "--02-30",
        "2 hours ago",
        "1999",
        "2101",
        "2031-1-1",
        "２０３１",
    ],
)
def test_an_unknown_period_name_is_refused(when: str) -> None:
    with pytest.raises(PlanInvalid):
        read_moment(when)


def test_days_and_weeks_begin_as_the_zone_and_the_language_say() -> None:
    monday = datetime(2032, 3, 1, tzinfo=UTC)
    week = Calendar(relation=Relation.DURING, when=Named(name="last_week"))

    assert resolve(week, now=monday, zone=IN_UTC, week_start=MONDAY) == Span(since=monday - timedelta(7), until=monday)
    before = monday - timedelta(microseconds=1)
    assert resolve(week, now=before, zone=IN_UTC, week_start=MONDAY).until == monday - timedelta(7)
    assert resolve(week, now=monday, zone=IN_UTC, week_start=SUNDAY).until == monday - timedelta(1)
    tokyo = resolve(week, now=before, zone=ZoneInfo("Asia/Tokyo"), week_start=MONDAY)
    assert tokyo.until == monday - timedelta(hours=9)


def test_a_day_has_23_or_25_hours_when_the_clock_changes() -> None:
    for text, hours in (("2026-03-29", 23), ("2026-10-25", 25), ("2026-11-01", 24)):
        span = resolve(
            read_period({"kind": "during", "when": text}), now=NOW, zone=ZoneInfo("Europe/Berlin"), week_start=0
        )
        assert span.since is not None
        assert span.until is not None
        assert span.until - span.since == timedelta(hours=hours)


@each(
    "period, since, until",
    [
        ({"kind": "during", "when": "february"}, "2032-02-01", "2032-03-01"),
        ({"kind": "since", "when": "february"}, "2032-02-01", None),
        ({"kind": "before", "when": "february"}, None, "2032-02-01"),
        ({"kind": "after", "when": "january"}, "2032-02-01", None),
        ({"kind": "until", "when": "january"}, None, "2032-02-01"),
        ({"kind": "during", "when": "yesterday night"}, "2032-02-28T22:00:00", "2032-02-29T06:00:00"),
        ({"kind": "during", "when": "today morning"}, "2032-02-29T05:00:00", "2032-02-29T12:00:00"),
        ({"kind": "since", "when": "yesterday 08:30"}, "2032-02-28T08:30:00", None),
        ({"kind": "during", "when": "yesterday 08:30"}, "2032-02-28T08:30:00", "2032-02-28T08:31:00"),
        ({"kind": "between", "first": "2032-02-01", "last": "2032-02-01"}, "2032-02-01", "2032-02-02"),
        ({"kind": "between", "first": "--11-20", "last": "--01-10"}, "2031-11-20", "2032-01-11"),
        ({"kind": "between", "first": "--11-20", "last": "--11-19"}, "2031-11-20", "2032-11-20"),
        ({"kind": "between", "first": "today 08:00", "last": "today 10:00"}, "2032-02-29T08:00", "2032-02-29T10:00"),
        ({"kind": "last", "count": 30, "unit": "minutes"}, "2032-02-29T23:29:59", None),
        ({"kind": "last", "count": 1, "unit": "hours"}, "2032-02-29T22:59:59", None),
        ({"kind": "last", "count": 2, "unit": "days"}, "2032-02-27T23:59:59", None),
        ({"kind": "last", "count": 1, "unit": "weeks"}, "2032-02-22T23:59:59", None),
        ({"kind": "last", "count": 1, "unit": "months"}, "2032-01-29T23:59:59", None),
        ({"kind": "last", "count": 12, "unit": "months"}, "2031-02-28T23:59:59", None),
        ({"kind": "last", "count": 2, "unit": "months"}, "2031-12-29T23:59:59", None),
        ({"kind": "last", "count": 1000, "unit": "months"}, "1948-10-29T23:59:59", None),
        ({"kind": "last", "count": 2, "unit": "years"}, "2030-02-28T23:59:59", None),
    ],
)
def test_a_period_has_a_beginning_and_an_end(period: Any, since: str | None, until: str | None) -> None:
    span = Span(since=moment(since) if since else None, until=moment(until) if until else None)
    assert resolve(read_period(period), now=NOW, zone=IN_UTC, week_start=MONDAY) == span


@each("when", NAMES)
@each("today", [date(2032, 1, 1), date(2032, 2, 29), date(2032, 12, 31), date(2031, 3, 31)])
def test_every_named_period_has_begun_by_now(when: str, today: date) -> None:
    first, after = days_of(Named(name=when), today=today, week_start=MONDAY)

    assert first <= today
    assert first < after
