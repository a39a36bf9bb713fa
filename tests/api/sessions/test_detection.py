"""Operators see reports of suspicious logins. Callers see none of these reports."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from accounts.models import Event
from tests.client import PASSWORD, Api
from tests.people import Person, sign_up

START = "2026-03-01T12:00:00Z"
ELSEWHERE = "198.51.100.9"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0"
NEWER_CHROME_ON_MAC = (
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/142.0.0.0 Safari/537.36"
)


@pytest.fixture(autouse=True)
def travel() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


def configure(settings: Settings, **variables: str) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **variables}


def attempt(email: str, *, ip: str, password: str = "wrong") -> str:
    answer = Api(ip=ip).post("/v1/login", {"email": email, "password": password})
    return answer.code if answer.status >= 400 else "ok"


def anomalies(person: Person) -> list[dict[str, Any]]:
    events = Event.objects.filter(type="anomaly_detected", user_id=person.user_id).order_by("created_at", "id")
    return [event.metadata for event in events]


def signals(person: Person) -> list[list[str]]:
    return [metadata["signals"] for metadata in anomalies(person)]


def stuffing() -> list[dict[str, Any]]:
    events = Event.objects.filter(type="credential_stuffing_detected").order_by("created_at", "id")
    return [event.metadata for event in events]


def queries_of(call: Callable[[], object]) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        call()
    return [query["sql"] for query in captured]


def test_a_login_from_a_new_address_is_reported_after_three_logins(alice: Person) -> None:
    for _ in range(3):
        alice.log_in()

    alice.log_in(Api(ip=ELSEWHERE))

    (event,) = Event.objects.filter(type="anomaly_detected")
    assert (event.user_id, event.ip) == (alice.user_id, ELSEWHERE)
    assert event.metadata == {
        "signals": ["new_ip"],
        "event": "login_success",
        "known_logins": 3,
        "window_minutes": 15,
    }


def test_a_new_device_or_address_is_not_reported_before_three_logins(alice: Person) -> None:
    alice.log_in()
    alice.log_in(Api(ip="192.0.2.1", user_agent=FIREFOX))

    alice.log_in(Api(ip=ELSEWHERE, user_agent=""))

    assert signals(alice) == []


def test_a_login_with_a_new_device_is_reported_but_not_one_with_a_newer_browser(alice: Person) -> None:
    for _ in range(3):
        alice.log_in()

    alice.log_in(Api(user_agent=NEWER_CHROME_ON_MAC))
    assert signals(alice) == []

    alice.log_in(Api(user_agent=FIREFOX))
    assert signals(alice) == [["new_device"]]


def test_addresses_of_one_ipv6_network_count_as_one_address(alice: Person) -> None:
    for host in range(1, 4):
        alice.log_in(Api(ip=f"2001:db8::{host}"))

    alice.log_in(Api(ip="2001:db8::ffff"))
    assert signals(alice) == []

    alice.log_in(Api(ip="2001:db8:1::1"))
    assert signals(alice) == [["new_ip"]]


def test_the_second_login_from_an_address_is_not_reported(alice: Person, travel: time_machine.Traveller) -> None:
    for _ in range(3):
        alice.log_in()
    alice.log_in(Api(ip=ELSEWHERE))
    travel.shift(timedelta(minutes=15))

    alice.log_in(Api(ip=ELSEWHERE))

    assert signals(alice) == [["new_ip"]]


def test_five_failures_at_an_account_are_reported_once(alice: Person) -> None:
    answers = [attempt(alice.email, ip=f"192.0.2.{number}") for number in range(4)]
    assert signals(alice) == []

    answers += [attempt(alice.email, ip=f"192.0.2.{number}") for number in range(4, 8)]

    assert answers == ["invalid_credentials"] * 5 + ["account_locked"] * 3
    assert anomalies(alice) == [
        {"signals": ["user_failure_velocity"], "event": "login_failed", "user_failures": 5, "window_minutes": 15}
    ]


def test_failures_spread_over_time_are_not_reported(alice: Person, travel: time_machine.Traveller) -> None:
    for number in range(10):
        attempt(alice.email, ip=f"192.0.2.{number}")
        alice.log_in()
        travel.shift(timedelta(minutes=4))

    assert signals(alice) == []


def test_a_wrong_password_at_a_password_change_counts_as_a_failure(alice: Person) -> None:
    session = alice.log_in()
    body = {"current_password": "wrong", "new_password": "another horse battery"}

    for _ in range(5):
        alice.api.post("/v1/change-password", body, token=session.access)

    assert signals(alice) == [["user_failure_velocity"]]


def test_a_login_from_an_address_with_many_failures_is_reported(alice: Person) -> None:
    for _ in range(20):
        attempt("nobody@example.com", ip=ELSEWHERE)
    assert not Event.objects.filter(type="anomaly_detected").exists()

    alice.log_in(Api(ip=ELSEWHERE))

    assert anomalies(alice) == [
        {"signals": ["ip_failure_velocity"], "event": "login_success", "ip_failures": 20, "window_minutes": 15}
    ]


def test_a_failed_login_from_an_address_with_many_failures_is_reported(alice: Person) -> None:
    for _ in range(20):
        attempt("nobody@example.com", ip=ELSEWHERE)

    attempt(alice.email, ip=ELSEWHERE)

    assert anomalies(alice) == [
        {"signals": ["ip_failure_velocity"], "event": "login_failed", "ip_failures": 21, "window_minutes": 15}
    ]


def test_a_spraying_address_is_reported_once_and_not_for_each_account(alice: Person) -> None:
    for number in range(25):
        attempt(f"nobody{number}@example.com", ip=ELSEWHERE)

    attempt(alice.email, ip=ELSEWHERE)
    assert (signals(alice), len(stuffing())) == ([], 1)

    alice.log_in(Api(ip=ELSEWHERE))
    assert signals(alice) == [["ip_failure_velocity"]]


def test_logins_after_a_reused_token_are_reported_for_a_day(alice: Person, travel: time_machine.Traveller) -> None:
    session = alice.log_in()
    session.refreshed()
    assert not session.is_live()

    alice.log_in()
    assert anomalies(alice) == [
        {"signals": ["token_reuse"], "event": "login_success", "reuse_hours": 24, "window_minutes": 15}
    ]

    travel.shift(timedelta(hours=23, minutes=59))
    alice.log_in()
    assert signals(alice) == [["token_reuse"]] * 2

    travel.shift(timedelta(minutes=15))
    alice.log_in()
    assert signals(alice) == [["token_reuse"]] * 2


def test_the_eleventh_live_session_is_reported(alice: Person) -> None:
    ended = alice.log_in()
    ended.api.post("/v1/logout-all", token=ended.access)
    for _ in range(10):
        alice.log_in()
    assert signals(alice) == []

    alice.log_in()

    assert anomalies(alice) == [
        {"signals": ["concurrent_sessions"], "event": "login_success", "sessions": 11, "window_minutes": 15}
    ]


def test_a_signal_is_reported_once_in_fifteen_minutes_and_does_not_hide_others(
    alice: Person, travel: time_machine.Traveller
) -> None:
    for _ in range(12):
        alice.log_in()
    assert signals(alice) == [["concurrent_sessions"]]

    alice.log_in(Api(user_agent=FIREFOX))
    assert signals(alice) == [["concurrent_sessions"], ["new_device"]]

    travel.shift(timedelta(minutes=14, seconds=59))
    alice.log_in()
    assert len(signals(alice)) == 2

    travel.shift(timedelta(seconds=1))
    alice.log_in(Api(ip=ELSEWHERE))
    assert signals(alice)[2:] == [["new_ip", "concurrent_sessions"]]


def test_a_report_about_one_account_does_not_affect_another(alice: Person, bob: Person) -> None:
    for number in range(5):
        attempt(alice.email, ip=f"192.0.2.{number}")

    bob.log_in()

    assert (signals(alice), signals(bob)) == ([["user_failure_velocity"]], [])


def test_an_address_that_fails_at_ten_accounts_is_reported() -> None:
    people = [sign_up(f"person{number}") for number in range(10)]
    for person in people[:9]:
        attempt(person.email, ip=ELSEWHERE)
        attempt(person.email, ip=ELSEWHERE)
    assert stuffing() == []

    attempt(people[9].email, ip=ELSEWHERE)

    (event,) = Event.objects.filter(type="credential_stuffing_detected")
    assert (event.user_id, event.ip) == (None, ELSEWHERE)
    assert event.metadata == {"signals": ["account_spray"], "accounts": 10, "window_minutes": 60}


def test_an_address_that_fails_at_ten_unknown_accounts_is_reported() -> None:
    for number in range(10):
        attempt(f"nobody{number}@example.com", ip=ELSEWHERE)
        attempt(f"NOBODY{number}@example.com", ip=ELSEWHERE)

    assert stuffing() == [{"signals": ["unknown_account_spray"], "unknown_accounts": 10, "window_minutes": 60}]


def test_known_and_unknown_accounts_count_together() -> None:
    for number in range(5):
        attempt(sign_up(f"person{number}").email, ip=ELSEWHERE)
        attempt(f"nobody{number}@example.com", ip=ELSEWHERE)

    assert stuffing() == [
        {
            "signals": ["account_spray", "unknown_account_spray"],
            "accounts": 5,
            "unknown_accounts": 5,
            "window_minutes": 60,
        }
    ]


def test_failures_from_different_addresses_are_not_reported_as_stuffing() -> None:
    for number in range(20):
        attempt(f"nobody{number}@example.com", ip=f"192.0.2.{number % 3}")

    assert stuffing() == []


def test_the_addresses_of_one_ipv6_network_are_reported_as_one_address(travel: time_machine.Traveller) -> None:
    for number in range(9):
        attempt(f"nobody{number}@example.com", ip=f"2001:db8:bad:cafe::{number + 1:x}")
    attempt("nobody9@example.com", ip="2001:db8:bad:beef::1")
    assert stuffing() == []

    for number in range(9, 13):
        attempt(f"nobody{number}@example.com", ip=f"2001:db8:bad:cafe:{number + 1:x}::1")
    assert stuffing() == [{"signals": ["unknown_account_spray"], "unknown_accounts": 10, "window_minutes": 60}]

    travel.shift(timedelta(minutes=61))
    for number in range(9):
        attempt(f"nobody{number}@example.com", ip=f"2001:db8:bad:cafe::1:{number + 1:x}")
    assert len(stuffing()) == 1, "The failures of the last hour are too few again."


def test_the_failures_of_one_ipv6_network_count_together_at_a_login(alice: Person) -> None:
    for number in range(1, 21):
        attempt("nobody@example.com", ip=f"2001:db8::{number:x}")

    alice.log_in(Api(ip="2001:db8:0:1::1"))
    assert signals(alice) == []

    alice.log_in(Api(ip="2001:db8::ffff"))
    assert signals(alice) == [["ip_failure_velocity"]]


def test_failures_over_more_than_an_hour_are_not_reported_as_stuffing(travel: time_machine.Traveller) -> None:
    for number in range(20):
        attempt(f"nobody{number}@example.com", ip=ELSEWHERE)
        travel.shift(timedelta(minutes=7))

    assert stuffing() == []


def test_an_address_is_reported_once_in_fifteen_minutes(travel: time_machine.Traveller) -> None:
    for ip in (ELSEWHERE, "192.0.2.1"):
        for number in range(12):
            attempt(f"nobody{number}@example.com", ip=ip)
    assert len(stuffing()) == 2

    travel.shift(timedelta(minutes=14, seconds=59))
    attempt("nobody@example.com", ip=ELSEWHERE)
    assert len(stuffing()) == 2

    travel.shift(timedelta(seconds=1))
    attempt("nobody@example.com", ip=ELSEWHERE)
    assert len(stuffing()) == 3


def test_callers_without_an_address_do_not_count_as_one_address(alice: Person) -> None:
    for number in range(25):
        attempt(f"nobody{number}@example.com", ip="")

    for _ in range(3):
        alice.log_in()
    alice.log_in(Api(ip=""))

    assert not Event.objects.filter(type__in=["anomaly_detected", "credential_stuffing_detected"]).exists()


def test_reports_contain_neither_email_nor_ip_addresses(alice: Person) -> None:
    for number in range(10):
        attempt(f"nobody{number}@example.com", ip=ELSEWHERE)
    for number in range(5):
        attempt(alice.email, ip=f"192.0.2.{number}")

    reports = Event.objects.filter(type__in=["anomaly_detected", "credential_stuffing_detected"])
    assert len(reports) == 2
    for report in reports:
        assert not any(text in str(report.metadata) for text in ("@", "nobody", "192.0.2", ELSEWHERE))


def test_every_threshold_is_a_setting(alice: Person, settings: Settings, travel: time_machine.Traveller) -> None:
    configure(
        settings,
        ANOMALY_WINDOW_MINUTES="2",
        ANOMALY_USER_FAILURES="2",
        ANOMALY_IP_FAILURES="3",
        ANOMALY_MAX_SESSIONS="1",
        ANOMALY_REUSE_HOURS="1",
        ANOMALY_MIN_HISTORY="1",
        STUFFING_WINDOW_MINUTES="1",
        STUFFING_ACCOUNTS="2",
        STUFFING_COOLDOWN_MINUTES="3",
    )
    first = alice.log_in()
    first.refreshed()
    assert not first.is_live()
    alice.log_in()
    for _ in range(2):
        attempt(alice.email, ip=ELSEWHERE)
    attempt("nobody@example.com", ip=ELSEWHERE)

    alice.log_in(Api(ip=ELSEWHERE, user_agent=FIREFOX))

    assert signals(alice) == [
        ["token_reuse"],
        ["user_failure_velocity"],
        ["new_ip", "new_device", "ip_failure_velocity", "concurrent_sessions"],
    ]
    assert [report["window_minutes"] for report in stuffing()] == [1]

    travel.shift(timedelta(minutes=2))
    alice.log_in()
    attempt("nobody@example.com", ip=ELSEWHERE)
    attempt("somebody@example.com", ip=ELSEWHERE)
    assert signals(alice)[3:] == [["token_reuse", "concurrent_sessions"]]
    assert len(stuffing()) == 1

    travel.shift(timedelta(hours=1))
    alice.log_in()
    attempt("nobody@example.com", ip=ELSEWHERE)
    attempt("somebody@example.com", ip=ELSEWHERE)
    assert signals(alice)[4:] == [["concurrent_sessions"]]
    assert len(stuffing()) == 2


def test_disabled_detection_reports_nothing_and_runs_no_queries(alice: Person, settings: Settings) -> None:
    for _ in range(4):
        alice.log_in()
    login = {"email": alice.email, "password": PASSWORD}
    failure = {"email": alice.email, "password": "wrong"}
    on = [len(queries_of(partial(alice.api.post, "/v1/login", body))) for body in (failure, login)]
    configure(settings, ANOMALY_DETECTION="off")

    off = [len(queries_of(partial(alice.api.post, "/v1/login", body))) for body in (failure, login)]

    # At a failure: the facts, and the statement of a report, which runs for every address.
    assert (on[0] - off[0], on[1] - off[1]) == (2, 1)
    alice.log_in(Api(ip=ELSEWHERE, user_agent=FIREFOX))
    for number in range(12):
        attempt(f"nobody{number}@example.com", ip=ELSEWHERE)
        attempt(alice.email, ip=ELSEWHERE)
    assert signals(alice) == []
    assert stuffing() == []


def test_a_refresh_runs_no_queries_for_detection(alice: Person, settings: Settings) -> None:
    session = alice.log_in()
    on = queries_of(session.refreshed)
    session = alice.log_in()
    configure(settings, ANOMALY_DETECTION="off")

    off = queries_of(session.refreshed)

    assert len(on) == len(off)
