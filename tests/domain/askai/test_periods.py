from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from askai.plans.periods import NAMES, Between, Calendar, Last, Period, Relation, Span, Unit, days_of, resolve

pytestmark = pytest.mark.once

# A Sunday, one second before the end of February in a leap year.
NOW = datetime(2032, 2, 29, 23, 59, 59, tzinfo=UTC)


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("when", "first", "after"),
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
    ],
)
def test_a_period_name_covers_whole_days(when: str, first: str, after: str) -> None:
    assert days_of(when, today=NOW.date()) == (date.fromisoformat(first), date.fromisoformat(after))


@pytest.mark.parametrize(
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
        "1999",
        "2101",
        "2031-1-1",
        "２０３１",
    ],
)
def test_an_unknown_period_name_is_refused(when: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        days_of(when, today=NOW.date())


def test_a_week_begins_on_monday_and_a_day_at_midnight_in_utc() -> None:
    monday = datetime(2032, 3, 1, tzinfo=UTC)
    week = Calendar(relation=Relation.DURING, when="last_week")

    assert resolve(week, now=monday) == Span(since=monday - timedelta(7), until=monday)
    assert resolve(week, now=monday - timedelta(microseconds=1)).until == monday - timedelta(7)
    abroad = monday.astimezone(timezone(timedelta(hours=-10)))
    assert resolve(week, now=abroad) == resolve(week, now=monday)


@pytest.mark.parametrize(
    ("period", "since", "until"),
    [
        (Calendar(relation=Relation.DURING, when="february"), "2032-02-01", "2032-03-01"),
        (Calendar(relation=Relation.SINCE, when="february"), "2032-02-01", None),
        (Calendar(relation=Relation.BEFORE, when="february"), None, "2032-02-01"),
        (Between(first=date(2032, 2, 1), last=date(2032, 2, 1)), "2032-02-01", "2032-02-02"),
        (Last(count=1, unit=Unit.HOURS), "2032-02-29T22:59:59", None),
        (Last(count=2, unit=Unit.DAYS), "2032-02-27T23:59:59", None),
        (Last(count=1, unit=Unit.WEEKS), "2032-02-22T23:59:59", None),
        (Last(count=1, unit=Unit.MONTHS), "2032-01-29T23:59:59", None),
        (Last(count=12, unit=Unit.MONTHS), "2031-02-28T23:59:59", None),
        (Last(count=2, unit=Unit.MONTHS), "2031-12-29T23:59:59", None),
        (Last(count=1000, unit=Unit.MONTHS), "1948-10-29T23:59:59", None),
    ],
)
def test_a_period_needs_a_beginning_and_an_end(period: Period, since: str | None, until: str | None) -> None:
    assert resolve(period, now=NOW) == Span(since=since and moment(since), until=until and moment(until))  # type: ignore[arg-type]


@pytest.mark.parametrize("when", NAMES)
@pytest.mark.parametrize("today", [date(2032, 1, 1), date(2032, 2, 29), date(2032, 12, 31), date(2031, 3, 31)])
def test_every_named_period_has_begun_by_now(when: str, today: date) -> None:
    first, after = days_of(when, today=today)

    assert first <= today
    assert first < after
