"""Counts are exact at any time, with or without the counts by day."""

import random
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import islice

import pytest

from events.models import Event, EventCount
from events.rollup import count_by_day, count_by_hour, count_events, find_uncounted_day, roll_up
from events.vocabulary import EventType
from tests.factories import EventFactory
from tests.races.crowd import Crowd

LOGINS, FAILURES, HASHES = EventType.LOGIN_SUCCESS, EventType.LOGIN_FAILED, EventType.PASSWORD_HASH_UPGRADED
NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
TODAY = NOW.date()


def record_events(event: EventType, *moments: datetime) -> None:
    Event.objects.bulk_create([EventFactory.build(type=event, created_at=moment) for moment in moments])


def at(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-03-{text}").replace(tzinfo=UTC)


def run(*, now: datetime = NOW) -> list[date]:
    return list(roll_up(now=now))


@pytest.mark.django_db
@pytest.mark.parametrize("counted_until", [None, at("08T12:00"), NOW])
def test_the_counts_of_each_day_and_hour_are_those_of_its_span(counted_until: datetime | None) -> None:
    record_events(
        LOGINS, at("06T23:59"), at("07T00:00"), at("07T23:59"), at("09T10:00"), at("10T00:00"), at("10T11:59")
    )
    record_events(FAILURES, at("08T05:00"), at("10T11:00"), at("10T10:59"))
    record_events(HASHES, at("09T10:00"))
    if counted_until is not None:
        run(now=counted_until)
    types = [LOGINS, FAILURES]

    days = count_by_day(types=types, since=date(2026, 3, 7), until=date(2026, 3, 11))
    hours = count_by_hour(types=types, since=at("09T13:00"), until=at("10T13:00"))

    day, hour = timedelta(days=1), timedelta(hours=1)
    assert list(days) == [at("07T00:00") + number * day for number in range(4)]
    assert list(hours) == [at("09T13:00") + number * hour for number in range(24)]
    assert days == {start: count_events(types=types, since=start, until=start + day) for start in days}
    assert hours == {start: count_events(types=types, since=start, until=start + hour) for start in hours}
    assert [sum(found.values()) for found in days.values()] == [2, 1, 1, 4]


@pytest.mark.django_db
def test_a_count_contains_exactly_the_requested_types() -> None:
    record_events(LOGINS, at("09T10:00"), at("10T11:00"))
    record_events(FAILURES, at("09T10:00"))
    run()

    assert count_events(types=[LOGINS, HASHES], since=None, until=NOW) == {LOGINS: 2, HASHES: 0}
    assert count_events(types=[], since=None, until=NOW) == {}


@pytest.mark.django_db
def test_rows_are_counted_until_a_worker_has_run() -> None:
    record_events(LOGINS, at("01T00:00"), at("09T23:59:59.999999"), at("10T00:00"), NOW)

    assert find_uncounted_day() is None
    assert count_events(types=[LOGINS], since=None, until=NOW) == {LOGINS: 3}
    assert count_events(types=[LOGINS], since=date(2026, 3, 9), until=TODAY) == {LOGINS: 1}


@pytest.mark.django_db
def test_counts_of_past_days_survive_the_deletion_of_their_rows() -> None:
    record_events(LOGINS, at("01T00:00"), at("01T12:00"), at("09T23:59:59.999999"), at("10T00:00"))
    assert run() == [date(2026, 3, day) for day in range(1, 10)]
    Event.objects.filter(created_at__lt=at("10T00:00")).delete()

    assert count_events(types=[LOGINS], since=None, until=NOW) == {LOGINS: 4}
    assert count_events(types=[LOGINS], since=date(2026, 3, 1), until=date(2026, 3, 2)) == {LOGINS: 2}
    assert count_events(types=[LOGINS], since=date(2026, 3, 2), until=TODAY) == {LOGINS: 1}


@pytest.mark.django_db
def test_a_count_does_not_depend_on_the_days_counted_so_far() -> None:
    chance = random.Random(7)
    start = at("01T00:00")
    moments = [start + timedelta(seconds=chance.randrange(9 * 86_400)) for _ in range(300)]
    moments += [start + timedelta(days=day) for day in range(9)]
    record_events(LOGINS, *moments)
    edges = [start + timedelta(hours=chance.randrange(-30, 9 * 24 + 30)) for _ in range(40)]
    edges += [start + timedelta(days=day) for day in range(-1, 11)]
    windows = [sorted(chance.choices(edges, k=2)) for _ in range(60)]

    for days in (0, 1, 4, 9):
        run(now=start + timedelta(days=days, hours=1))
        for since, until in windows:
            expected = sum(since <= moment < until for moment in moments)
            assert count_events(types=[LOGINS], since=since, until=until) == {LOGINS: expected}, (days, since, until)
        assert count_events(types=[LOGINS], since=None, until=NOW) == {LOGINS: len(moments)}


@pytest.mark.django_db
def test_days_are_utc_days() -> None:
    record_events(LOGINS, at("08T20:00"), at("09T04:00"))
    run()
    kathmandu = timezone(timedelta(hours=5, minutes=45))

    midnight_there = datetime(2026, 3, 9, tzinfo=kathmandu)

    assert count_events(types=[LOGINS], since=midnight_there, until=NOW) == {LOGINS: 2}
    assert count_events(types=[LOGINS], since=date(2026, 3, 9), until=NOW) == {LOGINS: 1}


@pytest.mark.django_db
def test_a_day_is_counted_an_hour_late_for_events_that_are_committed_late() -> None:
    record_events(LOGINS, at("09T10:00"))
    run(now=at("10T00:59:59"))
    assert find_uncounted_day() == date(2026, 3, 9)
    record_events(LOGINS, at("09T23:59:59.999999"))

    assert run(now=at("10T01:00")) == [date(2026, 3, 9)]

    Event.objects.all().delete()
    assert count_events(types=[LOGINS], since=None, until=NOW) == {LOGINS: 2}


@pytest.mark.django_db
def test_a_day_is_counted_once_even_without_events() -> None:
    record_events(LOGINS, at("05T10:00"))
    assert len(run()) == 5

    assert run() == []
    assert run(now=NOW + timedelta(days=2)) == [date(2026, 3, 10), date(2026, 3, 11)]

    assert count_events(types=[LOGINS], since=None, until=NOW) == {LOGINS: 1}


@pytest.mark.django_db
def test_without_events_the_day_before_is_counted_first() -> None:
    assert run() == [date(2026, 3, 9)]
    assert run() == []


@pytest.mark.django_db
def test_an_interrupted_run_loses_no_count() -> None:
    record_events(LOGINS, *[at(f"0{day}T10:00") for day in range(1, 10)])

    assert list(islice(roll_up(now=NOW), 2)) == [date(2026, 3, 1), date(2026, 3, 2)]

    assert count_events(types=[LOGINS], since=None, until=NOW) == {LOGINS: 9}
    assert run()[0] == date(2026, 3, 3)
    assert count_events(types=[LOGINS], since=None, until=NOW) == {LOGINS: 9}


@pytest.mark.django_db(transaction=True)
def test_concurrent_workers_count_each_day_once() -> None:
    moments = [at(f"{day:02}T{hour:02}:00") for day in range(1, 10) for hour in range(24)]
    record_events(LOGINS, *moments)
    record_events(FAILURES, *moments)

    with Crowd(4) as crowd:
        crowd.at_once(*[run] * 4)

    assert EventCount.objects.count() == 18
    assert count_events(types=[LOGINS, FAILURES], since=None, until=NOW) == {LOGINS: 216, FAILURES: 216}
