"""Plans over the fixed world: every shape and every filter finds exactly the right records."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from askai.plans.periods import WEEKDAYS
from askai.plans.plan import PlanInvalid
from askai.plans.plan_json import read_query
from askai.running import runner
from askai.running.results import Compared, Counted, Found, Records, Status
from sessions_app.detection.locations import own_geolocators
from tests.factories import EventFactory
from tests.people import Person

from .deployment import Deployment
from .world import Populated, populated


@pytest.fixture
def world(deployment: Deployment, alice: Person, bob: Person) -> Iterator[Populated]:
    EventFactory.create_batch(3, user_id=bob.user_id, type="login_failed", ip="203.0.113.7")
    bob.log_in()
    with populated(alice, dsn=deployment.dsn) as found:
        yield found


def read(
    world: Populated, part: Mapping[str, Any], *, zone: str = "Europe/Berlin", language: str = "en", **more: Any
) -> Any:
    (result,) = world.read(read_query({"language": language, "parts": [part]}), zone=zone, **more)
    return result


def events(answer: Mapping[str, Any] | None = None, **filters: Any) -> dict[str, Any]:
    shape = answer or {"kind": "rows", "columns": ["created_at"]}
    return {"entity": "audit_events", "answer": shape, "filters": filters}


def sessions(answer: Mapping[str, Any] | None = None, **filters: Any) -> dict[str, Any]:
    return {**events(answer, **filters), "entity": "sessions"}


def one(*values: str) -> dict[str, Any]:
    return {"values": [*values]}


def none_of(*values: str) -> dict[str, Any]:
    return {"values": [*values], "is_not": True}


FAILED = one("login_failed")


def names(world: Populated, result: Records) -> set[str]:
    return {world.names[row] for row in result.ids}


def expected(world: Populated, records: str, is_asked: Any) -> set[str]:
    return {record["id"] for record in getattr(world.world, records) if is_asked(record)}


def test_each_filter_of_events_finds_the_right_ones(world: Populated) -> None:
    failed = [event for event in world.world.events if event["type"] == "login_failed"]
    attacker = {event["id"] for event in failed if event["agent"] == "curl"}
    everything = {event["id"] for event in world.world.events}

    def found(**filters: Any) -> set[str]:
        return names(world, read(world, events(**filters)))

    def of(is_asked: Any) -> set[str]:
        return expected(world, "events", is_asked)

    assert found() == everything
    assert found(types=one("login_failed", "logout")) == of(lambda e: e["type"] in ("login_failed", "logout"))
    assert found(types=none_of("login_failed", "logout")) == of(lambda e: e["type"] not in ("login_failed", "logout"))
    assert found(types=FAILED, systems=none_of("macOS", "ios", "ANDROID")) == attacker
    assert found(browsers=one("firefox", "Edge")) == of(lambda e: e["agent"] in ("windows", "linux", "edge"))
    assert found(browsers=none_of("Chrome")) == of(lambda e: e["agent"] not in ("mac", "pixel"))
    assert found(forms=one("iphone")) == of(lambda e: e["agent"] == "iphone")
    assert found(forms=one("ipad")) == found(forms=one("tablet")) == of(lambda e: e["agent"] == "ipad")
    assert found(forms=one("phone")) == of(lambda e: e["agent"] in ("iphone", "pixel"))
    assert found(forms=one("android_phone")) == of(lambda e: e["agent"] == "pixel")
    assert found(forms=none_of("desktop", "phone", "tablet")) == of(lambda e: e["agent"] == "curl")
    assert found(forms=one("bot")) == found(forms=one("android_tablet")) == set()
    assert found(ips=one("203.0.113.7")) == of(lambda e: e["ip"] == "203.0.113.7")
    assert found(ips=none_of("203.0.113.0/24", "2001:db8::/32")) == of(
        lambda e: not e["ip"].startswith(("203.0.113.", "2001:db8:"))
    )
    assert found(ips=one("198.51.100.0/24", "2001:db8::7")) == of(
        lambda e: e["ip"].startswith(("198.51.100.", "2001:db8:"))
    )
    assert found(places=one("de")) == found(places=one("Germany")) == found(places=one("deutschland"))
    assert found(places=one("DE")) == of(lambda e: e["ip"] in ("203.0.113.7", "198.51.100.20"))
    assert found(places=one("paris", "São Paulo")) == of(lambda e: e["ip"] in ("192.0.2.44", "198.51.100.99"))
    assert found(places=none_of("DE", "FR", "BR", "ES")) == of(lambda e: e["ip"] == "192.0.2.250")
    assert found(places=one("DE"), forms=one("phone"), types=one("login_success")) == {"e5", "e37", "e56", "e62"}
    assert found(period={"kind": "during", "when": "--11-13"}) == {"e54", "e55", "e56"}
    assert found(period={"kind": "during", "when": "yesterday"}) == {"e61", "e62", "e63"}
    assert found(hours={"first": 22, "last": 4}, types=FAILED) == {"e8", "e18", "e19", "e20", "e21", "e22"} | {
        *("e51", "e52", "e55", "e64")
    }
    assert found(hours={"first": 22, "last": 23}) == {"e8", "e9", "e55", "e56"}
    assert found(weekdays=["saturday", "sunday"], types=one("login_success")) == {"e12", "e15", "e37", "e40"}


def test_times_are_those_of_the_zone(world: Populated) -> None:
    late = events(period={"kind": "during", "when": "yesterday"})

    assert names(world, read(world, late, zone="UTC")) == {"e61", "e62", "e63", "e64"}
    assert names(world, read(world, late, zone="Asia/Tokyo")) == {"e63", "e64", "e65", "e66"}
    by_day = events({"kind": "group_by", "by": "day", "sort": "most", "limit": 1})
    assert read(world, by_day).pairs == [("2026-09-25", 11)]


def test_sessions_are_live_ended_or_any_and_this_one_or_the_others(world: Populated) -> None:
    def found(**filters: Any) -> set[str]:
        return names(world, read(world, sessions(**filters)))

    assert found() == {"s2", "s4", "s6", "s8", "s9"}
    assert found(state="ended") == {"s1", "s3", "s5", "s7"}
    assert found(state="any") == found() | found(state="ended")
    assert found(which="this") == {"s9"}
    assert found(which="others") == {"s2", "s4", "s6", "s8"}
    assert found(which="others", state="any") == found(state="any") - {"s9"}
    assert found(which="others", forms=one("phone"), places=one("Berlin")) == {"s2", "s8"}
    october = {"kind": "during", "when": "2026-10"}
    assert found(state="ended", period=october) == found(state="ended", period=october, by_end=True) == {"s1", "s3"}
    assert found(state="any", period=october) == {"s1", "s2", "s3"}
    assert found(state="any", period=october, by_end=True) == {"s1", "s3"}
    newest = read(world, sessions({"kind": "rows", "columns": ["ended_at"], "limit": 1}, state="ended", by_end=True))
    assert names(world, newest) == {"s7"}
    by_day = sessions({"kind": "group_by", "by": "day"}, state="ended", by_end=True)
    assert [day for day, _ in read(world, by_day).pairs] == ["2026-10-27", "2026-10-30", "2026-11-09", "2026-11-18"]
    ended = read(world, sessions({"kind": "rows", "columns": ["created_at", "ended_at"]}, state="any"))
    stored = {world.names[row]: cells[1] for row, cells in zip(ended.ids, ended.rows, strict=True)}
    assert {name for name, moment in stored.items() if moment is None} == found()
    assert stored["s1"].isoformat() == "2026-10-30T16:00:00+00:00"


def test_the_session_is_that_of_the_access_token_alone(world: Populated) -> None:
    this = read_query({"language": "en", "parts": [sessions(which="this")]})
    stranger = replace(world, caller=replace(world.caller, token_id="not-an-id"))

    (result,) = stranger.read(this)

    assert isinstance(result, Records)
    assert result.ids == ()


def test_counts_of_several_types_have_a_number_each(world: Populated) -> None:
    counted = read(world, events({"kind": "count"}, types=one("login_failed", "logout", "account_unlocked")))

    assert isinstance(counted, Counted)
    assert (counted.total.count, counted.by_type) == (14, {"account_unlocked": 0, "login_failed": 11, "logout": 3})
    alone = read(world, events({"kind": "count"}, types=none_of("login_failed", "logout")))
    assert (alone.total.count, alone.by_type) == (len(world.world.events) - 14, None)


def test_existence_has_the_number_and_the_newest_record(world: Populated) -> None:
    found = read(world, events({"kind": "exists"}, types=FAILED))

    assert isinstance(found, Found)
    assert (found.total.count, names(world, found.newest)) == (11, {"e64"})
    nothing = read(world, events({"kind": "exists"}, types=one("account_unlocked")))
    assert (nothing.total.count, nothing.newest.ids) == (0, ())


def test_two_periods_are_compared(world: Populated) -> None:
    compare = {"kind": "compare", "other": {"kind": "during", "when": "last_week"}}

    result = read(world, events(compare, types=FAILED, period={"kind": "during", "when": "this_week"}))

    assert isinstance(result, Compared)
    assert [total.count for _, total in result.counts] == [2, 3]


def test_groups_have_all_values_in_their_order(world: Populated) -> None:
    def local(event: Mapping[str, str]) -> datetime:
        return datetime.fromisoformat(event["created_at"]).astimezone(ZoneInfo("Europe/Berlin"))

    forms = {**dict.fromkeys(("mac", "windows", "edge", "linux"), "desktop"), "ipad": "tablet", "curl": ""}
    browsers = {
        "mac": "Chrome",
        "pixel": "Chrome",
        "edge": "Edge",
        "curl": "curl",
        "iphone": "Safari",
        "ipad": "Safari",
    }
    values: Mapping[str, Callable[[Mapping[str, str]], str]] = {
        "type": lambda event: event["type"],
        "ip": lambda event: event["ip"],
        "place": lambda event: ", ".join(world.world.locations.get(event["ip"], {}).values()),
        "browser": lambda event: browsers.get(event["agent"], "Firefox"),
        "form": lambda event: forms.get(event["agent"], "phone"),
        "hour": lambda event: f"{local(event):%H}",
        "day": lambda event: f"{local(event):%Y-%m-%d}",
        "week": lambda event: f"{local(event) - timedelta(days=local(event).weekday()):%Y-%m-%d}",
        "month": lambda event: f"{local(event):%Y-%m}",
    }
    for by, value_of in values.items():
        counts = sorted(Counter(value_of(event) for event in world.world.events).items())
        assert read(world, events({"kind": "group_by", "by": by})).pairs == counts
        most = sorted(counts, key=lambda pair: -pair[1])
        assert read(world, events({"kind": "group_by", "by": by, "sort": "most"})).pairs == most
    weekdays = Counter(f"{local(event):%A}".lower() for event in world.world.events)
    pairs = read(world, events({"kind": "group_by", "by": "weekday"})).pairs
    assert [day for day, _ in pairs] == [day for day in WEEKDAYS if day in weekdays]
    assert dict(pairs) == weekdays
    assert read(world, events({"kind": "group_by", "by": "type", "sort": "most", "limit": 2})).pairs == [
        ("login_success", 21),
        ("login_failed", 11),
    ]
    assert read(world, sessions({"kind": "group_by", "by": "device"})).pairs == [
        ("Chrome on Android", 1),
        ("Chrome on macOS", 1),
        ("Edge on Windows", 1),
        ("Safari on iOS", 2),
    ]


def test_groups_as_large_as_the_last_one_are_not_cut(world: Populated) -> None:
    by_form = events({"kind": "group_by", "by": "form", "sort": "most", "limit": 1}, types=one("passkey_registered"))

    assert read(world, by_form).pairs == [("desktop", 1), ("phone", 1)]


def test_weeks_begin_as_in_the_language(world: Populated) -> None:
    by_week = events({"kind": "group_by", "by": "week"}, period={"kind": "since", "when": "2026-11-15"})

    assert read(world, by_week).pairs == [("2026-11-09", 1), ("2026-11-16", 8)]
    assert read(world, by_week, language="ja").pairs == [("2026-11-15", 9)]


def test_nothing_is_cut_silently(world: Populated, monkeypatch: pytest.MonkeyPatch) -> None:
    records = read(world, events(), max_rows=50)
    assert (len(records.ids), records.total.count, records.total.is_more) == (50, 66, False)
    groups = read(world, events({"kind": "group_by", "by": "type"}), max_rows=5)
    assert (len(groups.pairs), groups.total.count) == (5, 30)
    monkeypatch.setattr(runner, "COUNT_MAX", 20)
    counted = read(world, events({"kind": "count"}))
    assert (counted.total.count, counted.total.is_more) == (20, True)
    monkeypatch.setattr(runner, "VALUES_MAX", 2)
    assert read(world, events({"kind": "count"}, browsers=one("Chrome"), types=one("login_success"))).total.is_more
    assert read(world, events({"kind": "group_by", "by": "device"})).total.is_partial
    most_frequent = [("203.0.113.7", 31), ("198.51.100.20", 14)]
    by_ip = read(world, events({"kind": "group_by", "by": "ip"}))
    assert (by_ip.pairs, by_ip.total.is_partial) == (sorted(most_frequent), True)


def test_without_locations_a_question_about_places_is_refused(world: Populated) -> None:
    (geolocator,) = own_geolocators
    own_geolocators.unregister(geolocator)
    try:
        for part in (events(places=one("DE")), events({"kind": "group_by", "by": "place"})):
            with pytest.raises(PlanInvalid):
                read(world, part)
        where = read(world, events({"kind": "rows", "columns": ["created_at", "location"], "limit": 1}))
    finally:
        own_geolocators.register(geolocator)

    assert where.columns == ("created_at", "ip")


def test_a_period_without_a_moment_is_refused(world: Populated) -> None:
    for period in (
        {"kind": "between", "first": "yesterday", "last": "2026-01-01"},
        {"kind": "during", "when": "2026-02-30"},
    ):
        with pytest.raises(PlanInvalid):
            read(world, events(period=period))


def test_facts_are_the_present_state_of_the_account(world: Populated) -> None:
    for name, expected_state in world.world.facts.items():
        result = read(world, {"fact": name})
        assert isinstance(result, Status)
        assert (name, result.holds) == (name, bool(expected_state))
    assert read(world, {"fact": "api_keys"}).number == 1
