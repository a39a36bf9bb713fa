"""The overview of a deployment."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from accounts.models import Event
from console.attacks import finding
from console.reports import overview
from core.clock import now as read_clock
from core.clock import rfc3339
from events.rollup import roll_up
from events.webhooks.models import Delivery
from tests.client import Api
from tests.factories import DeliveryFactory, EventFactory
from tests.mails import delivered
from tests.operators import Console
from tests.people import Person, sign_up
from tests.rows import each
from tests.second_factors import enroll_totp, lock

from .flagged import ELSEWHERE, guess_at, spray
from .invalid_numbers import invalid_numbers

PATH = "/overview"
START = datetime(2026, 3, 10, 12, tzinfo=UTC)
WEBHOOK = {"WEBHOOK_URL": "https://hooks.example.invalid/", "WEBHOOK_SECRET": "whsec_" + "A" * 32}

Configure = Callable[..., None]


def show(console: Console, **query: Any) -> dict[str, Any]:
    data: dict[str, Any] = console.get(PATH, query).data
    return data


def test_a_quiet_deployment_needs_nothing(travel: time_machine.Traveller, console: Console) -> None:
    data = show(console)

    assert data == {
        "since": "2026-03-03T12:00:00.000000Z",
        "until": "2026-03-10T12:00:00.000000Z",
        "window_days": 7,
        "attacks": [],
        "unreviewed": 0,
        "oldest_unreviewed_at": None,
        "deliveries": None,
        "late_jobs": [],
        "locked_accounts": 0,
        "total_users": 1,
        "counts": console.get("/config-tuning", {"window_days": 7}).data["counts"],
        "counts_before": dict.fromkeys(data["counts"], 0),
        "mfa_adoption": console.get("/security/mfa-adoption").data,
        "hash_migration": console.get("/security/hash-migration").data,
        "series": data["series"],
    }


def test_the_reports_and_counts_are_those_of_their_own_routes(console: Console, alice: Person) -> None:
    enroll_totp(alice.log_in())
    EventFactory.create(type="password_hash_upgraded", created_at=read_clock() - timedelta(days=40))

    data = show(console, window_days=30)

    tuning = console.get("/config-tuning", {"window_days": 30}).data
    assert data["counts"]["totp_enabled"] == 1
    assert data["hash_migration"]["upgraded_events"] == 1
    assert data["counts"] == tuning["counts"]
    assert data["mfa_adoption"] == console.get("/security/mfa-adoption", {"window_days": 30}).data
    assert data["hash_migration"] == console.get("/security/hash-migration", {"window_days": 30}).data


def test_the_counts_are_compared_with_the_window_before(travel: time_machine.Traveller, console: Console) -> None:
    for days, number in {1: 2, 8: 3, 15: 4}.items():
        for _ in range(number):
            EventFactory.create(type="login_failed", created_at=START - timedelta(days=days))

    by_rows = show(console)
    assert len(list(roll_up(now=START))) > 0
    by_days = show(console)

    assert (by_rows["counts"]["login_failed"], by_rows["counts_before"]["login_failed"]) == (2, 3)
    assert by_days == by_rows


def test_attacks_are_listed_by_network_and_a_forgetful_person_is_none(console: Console, alice: Person) -> None:
    spray(ip="198.51.100.9")
    spray(ip="198.51.100.10")
    guess_at(alice)
    oldest = Event.objects.get(type="credential_stuffing_detected", ip="198.51.100.9")
    newest = Event.objects.get(type="credential_stuffing_detected", ip="198.51.100.10")

    data = show(console)

    assert data["attacks"] == [
        {
            "network": "198.51.100.0/24",
            "grounds": ["several_accounts"],
            "stopped_accounts": 0,
            "signed_in_accounts": 0,
            "reports": 2,
            "failed_logins": 20,
            "ip": "198.51.100.10",
            "first_at": rfc3339(oldest.created_at),
            "last_at": rfc3339(newest.created_at),
        },
    ]
    assert (data["unreviewed"], data["oldest_unreviewed_at"]) == (3, rfc3339(oldest.created_at))


def test_the_addresses_of_an_ipv6_network_are_one_attack(console: Console) -> None:
    for host in (7, 8):
        EventFactory.create(type="credential_stuffing_detected", ip=f"2001:db8::{host}")

    (attack,) = show(console)["attacks"]

    assert (attack["network"], attack["reports"]) == ("2001:db8::/64", 2)


def test_a_login_from_a_new_place_is_no_attack(console: Console) -> None:
    EventFactory.create(type="anomaly_detected", ip=ELSEWHERE, metadata={"signals": ["new_ip", "new_device"]})
    EventFactory.create(type="credential_stuffing_detected", ip="")

    data = show(console)

    assert (data["attacks"], data["unreviewed"]) == ([], 2)


def test_attacks_before_the_window_are_not_listed(console: Console) -> None:
    EventFactory.create(type="credential_stuffing_detected", ip=ELSEWHERE, created_at=read_clock() - timedelta(days=8))

    assert show(console)["attacks"] == []
    assert len(show(console, window_days=9)["attacks"]) == 1


def test_only_the_ten_networks_with_the_most_reports_are_listed(console: Console) -> None:
    for network in range(12):
        for _ in range(network + 1):
            EventFactory.create(type="credential_stuffing_detected", ip=f"203.0.{network}.7")

    assert [attack["reports"] for attack in show(console)["attacks"]] == list(range(12, 2, -1))


def test_a_reviewed_event_needs_no_review(console: Console) -> None:
    console.put(f"/anomalies/{spray()}", {"status": "confirmed"})

    assert (show(console)["unreviewed"], len(show(console)["attacks"])) == (0, 1)


def test_a_dismissed_event_is_no_attack(console: Console) -> None:
    console.put(f"/anomalies/{spray()}", {"status": "dismissed"})

    assert (show(console)["unreviewed"], show(console)["attacks"]) == (0, [])


def test_deliveries_are_counted_while_a_webhook_is_configured(console: Console, configure: Configure) -> None:
    now = read_clock()
    for status, days in (("failed", 1), ("failed", 8), ("delivered", 1), ("pending", 1), ("in_flight", 20)):
        moment = now - timedelta(days=days)
        row = EventFactory.build(created_at=moment)
        DeliveryFactory.create(
            id=row.pk,
            status=status,
            error="The receiver answered 500." if status == "in_flight" else "",
            created_at=moment,
            next_attempt_at=now + timedelta(hours=1),
        )
    configure(**WEBHOOK)

    data = show(console)

    assert data["deliveries"] == {"failed": 1, "waiting": 2, "retrying": 1}
    assert data["late_jobs"] == []


def test_overdue_work_is_shown_with_its_time(
    travel: time_machine.Traveller, console: Console, configure: Configure, alice: Person
) -> None:
    configure(**WEBHOOK)
    alice.api.post("/v1/magic-link/request", {"email": alice.email})
    DeliveryFactory.create(created_at=START)
    travel.shift(timedelta(minutes=1))
    console = console.renewed()

    in_time = show(console)["late_jobs"]
    travel.shift(timedelta(seconds=1))
    late = show(console)["late_jobs"]
    delivered(alice.email)
    Delivery.objects.all().delete()

    assert in_time == []
    assert late == [{"job": name, "due_at": "2026-03-10T12:00:00.000000Z"} for name in ("mails", "webhooks")]
    assert show(console)["late_jobs"] == []


def test_accounts_are_counted_while_they_are_locked(
    travel: time_machine.Traveller, console: Console, alice: Person, bob: Person
) -> None:
    lock(alice)
    lock(bob)
    locked = show(console)["locked_accounts"]
    EventFactory.create(type="account_locked", user_id="no account")
    travel.shift(timedelta(minutes=15))

    assert locked == 2
    assert show(console.renewed())["locked_accounts"] == 0


def test_the_counts_stop_at_their_bound(
    console: Console, configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overview, "COUNTED_MAX", 2)
    monkeypatch.setattr(finding, "COUNTED_MAX", 2)
    configure(**WEBHOOK)
    for _ in range(3):
        EventFactory.create(type="credential_stuffing_detected", ip=ELSEWHERE)
        DeliveryFactory.create()
        DeliveryFactory.create(status="failed")

    data = show(console)

    assert (data["unreviewed"], data["attacks"][0]["reports"]) == (2, 2)
    assert data["deliveries"] == {"failed": 2, "waiting": 2, "retrying": 0}


def test_the_number_of_statements_does_not_grow(console: Console, django_assert_max_num_queries: Any) -> None:
    for number in range(30):
        EventFactory.create(type="credential_stuffing_detected", ip=f"203.0.113.{number}")
        EventFactory.create(type="account_locked", user_id=str(number))

    with django_assert_max_num_queries(28):
        show(console)


def test_the_series_has_a_bucket_for_each_day_in_utc(
    travel: time_machine.Traveller, console: Console, alice: Person, configure: Configure
) -> None:
    configure(**WEBHOOK)
    enroll_totp(alice.log_in())
    moments = {
        "2026-03-03T23:59:59Z": 5,
        "2026-03-04T00:00:00Z": 2,
        "2026-03-08T23:59:59Z": 1,
        "2026-03-10T11:00:00Z": 3,
    }
    for text, number in moments.items():
        for _ in range(number):
            row = EventFactory.create(type="login_failed", created_at=datetime.fromisoformat(text))
            DeliveryFactory.create(id=row.pk, status="delivered", created_at=row.created_at)

    by_rows = show(console)["series"]
    assert len(list(roll_up(now=START))) > 0
    by_days = show(console)["series"]

    buckets = by_rows["buckets"]
    assert by_days == by_rows
    assert by_rows["unit"] == "day"
    assert [bucket["start"] for bucket in buckets] == [f"2026-03-{day:02}T00:00:00.000000Z" for day in range(4, 11)]
    assert [bucket["failed_logins"] for bucket in buckets] == [2, 0, 0, 0, 1, 0, 3]
    assert [bucket["deliveries"]["delivered"] for bucket in buckets] == [2, 0, 0, 0, 1, 0, 3]
    assert (buckets[-1]["factors_added"], buckets[-1]["logins"]) == (1, 2)


def test_the_series_of_one_day_has_a_bucket_for_each_hour(travel: time_machine.Traveller, console: Console) -> None:
    for event, text in (
        ("account_locked", "2026-03-09T12:59:59Z"),
        ("anomaly_detected", "2026-03-09T13:00:00Z"),
        ("credential_stuffing_detected", "2026-03-09T13:59:59Z"),
        ("totp_disabled", "2026-03-09T14:00:00Z"),
        ("password_hash_upgraded", "2026-03-10T12:00:00Z"),
    ):
        EventFactory.create(type=event, created_at=datetime.fromisoformat(text))

    series = show(console, window_days=1)["series"]

    buckets = series["buckets"]
    names = ("locks", "anomalies", "attacks", "factors_removed", "hashes_upgraded")
    assert (series["unit"], len(buckets)) == ("hour", 24)
    assert (buckets[0]["start"], buckets[-1]["start"]) == ("2026-03-09T13:00:00.000000Z", "2026-03-10T12:00:00.000000Z")
    assert [[bucket[name] for name in names] for bucket in (buckets[0], buckets[1], buckets[-1])] == [
        [0, 1, 1, 0, 0],
        [0, 0, 0, 1, 0],
        [0, 0, 0, 0, 1],
    ]
    assert {bucket["deliveries"] for bucket in buckets} == {None}


@pytest.mark.parametrize("window_days", [1, 365])
def test_the_shortest_and_the_longest_window_are_allowed(console: Console, window_days: int) -> None:
    assert show(console, window_days=window_days)["window_days"] == window_days


@each("window_days", invalid_numbers(1, 365))
def test_a_window_out_of_bounds_is_refused(console: Console, window_days: str) -> None:
    assert console.get(PATH, f"window_days={window_days}").code == "bad_request"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_the_overview_is_read_only(console: Console, method: str) -> None:
    assert console.call(method, PATH, {}).code == "method_not_allowed"


def test_only_operators_see_the_overview(console: Console) -> None:
    session = sign_up("eve", api=Api(ip=ELSEWHERE)).log_in()

    assert session.api.get(f"/v1/admin{PATH}", token=session.access).code == "not_operator"
    assert session.api.get(f"/v1/admin{PATH}").code == "missing_auth_header"
