"""The page of one attack, the definition of an attack, and the lists that block its network."""

import csv
import io
import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from ipaddress import ip_network
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Event
from console.attacks import finding, incident
from console.attacks.blocking import block_lists
from console.attacks.definition import Ground, grounds_of
from console.models import Review
from console.reviews.queue import FlaggedColumns
from core.clock import now as read_clock
from events.networks import in_network_of
from mail.models import SecurityMailCount
from tests.console_browser import Browser, grant, prefix, signed_in
from tests.factories import EventFactory
from tests.people import Person, existing
from tests.rows import each

pytestmark = pytest.mark.usefixtures("full_deployment", "db")

Configure = Callable[..., None]

IP, NETWORK = "198.51.100.9", "198.51.100.0/24"
STOPPED: dict[str, Any] = {"signals": ["stopped_at_factor"], "event": "login_stopped_at_factor", "wrong_codes": 0}
GUESSED: dict[str, Any] = {"signals": ["user_failure_velocity"], "event": "login_failed", "user_failures": 5}
SIGNED_IN: dict[str, Any] = {"signals": ["new_ip", "ip_failure_velocity"], "event": "login_success", "ip_failures": 25}


@pytest.fixture
def browser(configure: Configure) -> Browser:
    """A browser in which Olivia, an operator, is signed in."""
    configure(OPERATOR_SECOND_FACTOR="optional")
    olivia = existing("olivia")
    grant(olivia)
    return signed_in(olivia)


def happen(type_: str, *, minutes: int, user: Person | None = None, ip: str = IP, **metadata: Any) -> Event:
    """Return a new event that happened so many minutes ago."""
    at = read_clock() - timedelta(minutes=minutes)
    user_id = user.user_id if user else None
    event: Event = EventFactory.create(type=type_, created_at=at, user_id=user_id, ip=ip, metadata=metadata)
    return event


def attack(alice: Person, bob: Person) -> None:
    """Let the network try an unknown address, stop at the second factor of Alice, and sign in to Bob's account."""
    happen("login_success", minutes=300, user=bob, ip="192.0.2.7", method="password")
    happen("login_failed", minutes=60, email_hmac="ab")
    for minute in (59, 58, 57):
        happen("login_failed", minutes=minute, user=alice)
    happen("account_locked", minutes=56, user=alice)
    SecurityMailCount.objects.create(
        account_id=alice.user_id, kind="stopped_sign_in", started_at=read_clock() - timedelta(minutes=50), count=1
    )
    happen("login_stopped_at_factor", minutes=50, user=alice)
    happen("anomaly_detected", minutes=50, user=alice, **STOPPED)
    happen("login_success", minutes=40, user=bob, method="password")
    happen("anomaly_detected", minutes=40, user=bob, **SIGNED_IN)
    happen("credential_stuffing_detected", minutes=45, signals=["account_spray"], accounts=10)


def text_of(browser: Browser) -> str:
    """Return the text of the page without tags, with single blanks."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", browser.text)).split())


def flags(*events: tuple[str, str | None, dict[str, Any]]) -> list[FlaggedColumns]:
    at = read_clock()
    return [
        FlaggedColumns(type=event, user_id=user_id, ip=IP, metadata=metadata, created_at=at)
        for event, user_id, metadata in events
    ]


@each(
    "events, grounds",
    [
        ([("anomaly_detected", "1", GUESSED)] * 9, ()),
        ([("anomaly_detected", str(user), GUESSED) for user in range(2)], ()),
        ([("anomaly_detected", "1", {**GUESSED, "event": "login_success"})], ()),
        ([("anomaly_detected", "1", {"signals": ["new_ip", "new_device"], "event": "login_success"})], ()),
        ([("anomaly_detected", str(user), GUESSED) for user in range(3)], (Ground.SEVERAL_ACCOUNTS,)),
        ([("credential_stuffing_detected", None, {})], (Ground.SEVERAL_ACCOUNTS,)),
        ([("anomaly_detected", "1", {"signals": ["ip_failure_velocity"]})], (Ground.UNUSUAL_RATE,)),
        ([("anomaly_detected", "1", STOPPED)], (Ground.STOPPED_AT_FACTOR,)),
        ([("anomaly_detected", "1", SIGNED_IN)], (Ground.SIGNED_IN, Ground.UNUSUAL_RATE)),
    ],
)
def test_an_attack_needs_several_accounts_an_unusual_rate_or_a_reached_account(
    events: list[tuple[str, str | None, dict[str, Any]]], grounds: tuple[Ground, ...]
) -> None:
    assert grounds_of(flags(*events)) == grounds


def test_a_failed_login_hours_later_is_no_part_of_the_attack(alice: Person) -> None:
    for minutes in (303, 302, 301):
        happen("login_failed", minutes=minutes, user=alice)
    happen("credential_stuffing_detected", minutes=300, signals=["account_spray"], accounts=10)
    happen("login_failed", minutes=1, user=alice)
    now = read_clock()

    found = incident.report(network=ip_network(NETWORK), since=now - timedelta(days=1), until=now, now=now)

    assert len(found.failures_at) == 3


def test_the_page_says_first_what_the_attack_reached(browser: Browser, alice: Person, bob: Person) -> None:
    attack(alice, bob)
    happen("password_changed", minutes=10, user=alice, ip="192.0.2.7")
    happen("anomaly_detected", minutes=30, user=alice, ip="192.0.2.77", **GUESSED)

    text = text_of(browser.open(f"attacks/{NETWORK}"))

    assert f"Attack from {NETWORK} Attack" in text
    assert (
        "It signed in to 1 account that never signed in from this network before. "
        "It had the right password of 1 account and stopped at the second factor. The account was not opened. "
        "4 failed logins at 1 account and 1 address without an account. The service locked accounts 1 time."
    ) in text
    reached = text[text.index("What happened When") : text.index("What came")]
    assert re.search(rf"{bob.email} Signed in .* not changed since", reached)
    assert re.search(rf"{alice.email} Password right, stopped at the second factor .* changed ", reached)
    assert "Reports 3, 3 without a review" in text
    assert "1 about a stopped sign-in" in text
    assert "No account signed in from this network before the attack." in text
    assert "192.0.2.0/24 For review" in text
    assert f'href="{prefix()}events?network=198.51.100.0%2F24&amp;since=' in browser.text
    # Each address of the network leads to the page of the network.
    assert text_of(browser.open(f"attacks/{IP}")).count("It signed in to 1 account") == 1
    assert browser.open("attacks/everything").status == 404
    assert browser.open("attacks/198.51.0.0/16").status == 404


def test_an_attack_from_many_addresses_of_an_ipv6_network_is_counted_as_one() -> None:
    for number in range(12):
        happen("login_failed", minutes=30, ip=f"2001:db8:bad:cafe::{number + 1:x}")
    happen("login_failed", minutes=30, ip="2001:db8:bad:beef::1")
    happen("credential_stuffing_detected", minutes=29, ip="2001:db8:bad:cafe::a", signals=["unknown_account_spray"])

    (found,) = finding.find_attacks(since=read_clock() - timedelta(hours=1), until=read_clock())

    assert (found.network, found.failed_logins, found.reports) == ("2001:db8:bad:cafe::/64", 12, 1)


def test_an_account_that_knows_the_network_is_not_reached(browser: Browser, alice: Person, bob: Person) -> None:
    happen("login_success", minutes=400, user=bob, method="password")
    attack(alice, bob)

    text = text_of(browser.open(f"attacks/{NETWORK}"))

    assert "It signed in to" not in text
    assert "A block also shuts out 1 account that signed in from this network before." in text


def test_one_forgetful_person_is_a_note_for_review(browser: Browser, alice: Person) -> None:
    for minute in range(10, 15):
        happen("login_failed", minutes=minute, user=alice)
    happen("anomaly_detected", minutes=10, user=alice, **GUESSED)

    text = text_of(browser.open(f"attacks/{NETWORK}"))
    overview = text_of(browser.open())

    assert f"Network {NETWORK} For review" in text
    assert "It reached no account" in text
    assert "This is no attack" in text
    assert "Nothing waits for you" not in overview
    assert "guesses passwords" not in overview


def test_the_overview_leads_to_the_attack(browser: Browser, alice: Person, bob: Person) -> None:
    attack(alice, bob)

    text = text_of(browser.open("?window_days=7"))

    assert (
        f"Attack {NETWORK} signed in to 1 account, and had the right password of 1 account and stopped at the second "
        "factor: 4 failed logins, 3 reports."
    ) in text
    assert f'href="{prefix()}attacks/{NETWORK}?window_days=7"' in browser.text


def test_all_reports_of_an_attack_get_one_review(browser: Browser, alice: Person, bob: Person) -> None:
    attack(alice, bob)
    other = happen("anomaly_detected", minutes=20, user=alice, ip="192.0.2.7", **GUESSED)
    found = re.search(r'href="[^"]*(reviews/all\?[^"]*)"', browser.open(f"attacks/{NETWORK}").text)
    assert found is not None
    url = unescape(found[1])

    assert "3 events will get this review" in text_of(browser.open(url))
    browser.submit(url, {"new_status": "confirmed", "note": "An attack.", "total": "3"})

    assert "Finished: 3 events now are confirmed" in text_of(browser)
    assert set(Review.objects.values_list("status", "note")) == {("confirmed", "An attack.")}
    assert not Review.objects.filter(pk=other.pk).exists()
    # A dismissed report no longer counts.
    Review.objects.update(status="dismissed")
    assert "Detection reported nothing" in text_of(browser.open(f"attacks/{NETWORK}"))


def test_the_export_has_the_reached_accounts_first_and_is_an_act(browser: Browser, alice: Person, bob: Person) -> None:
    attack(alice, bob)

    browser.submit("export/attack", {"network": NETWORK, "window_days": "7"})

    rows = list(csv.DictReader(io.StringIO(b"".join(browser.page.streaming_content).decode())))
    assert [(row["email"], row["outcome"], row["failed_logins"]) for row in rows] == [
        (bob.email, "signed_in", "0"),
        (alice.email, "stopped_at_factor", "3"),
    ]
    act = Event.objects.get(type="operator_exported")
    assert act.metadata["list"] == "attack"


@pytest.mark.parametrize("network", ["203.0.113.0/24", "2001:db8:bad:cafe::/64"])
def test_a_block_list_names_the_network(network: str) -> None:
    lists = block_lists(ip_network(network))

    assert lists == {
        "nginx": f"deny {network};",
        "HAProxy": f"http-request deny deny_status 403 if {{ src {network} }}",
        "fail2ban": f"fail2ban-client set gatehouse banip {network}",
    }


def test_a_report_reads_a_bounded_number_of_rows_through_the_index(
    browser: Browser, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incident, "FAILURES_MAX", 3)
    monkeypatch.setattr(finding, "COUNTED_MAX", 3)
    happen("credential_stuffing_detected", minutes=5, signals=["account_spray"], accounts=10)
    for minute in range(10):
        happen("login_failed", minutes=minute, user=alice)
    elsewhere = (EventFactory.build(type="login_failed", ip=f"203.0.{number % 200}.7") for number in range(3_000))
    # An index without the type would read these logins of the attacked network.
    logins = (EventFactory.build(type="login_success", ip=IP) for _ in range(3_000))
    Event.objects.bulk_create([*elsewhere, *logins])
    rows = in_network_of(Event.objects.filter(type="login_failed"), ip_network(NETWORK)).order_by("-id")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE authsvc_accounts_event")

    plan = rows[:3].explain()
    with CaptureQueriesContext(connection) as captured:
        found = incident.report(
            network=ip_network(NETWORK),
            since=read_clock() - timedelta(days=7),
            until=read_clock(),
            now=read_clock(),
        )

    assert "authsvc_event_incident" in plan
    assert len(found.failures_at) == 3
    assert len(captured) <= 12
    assert found.targets[0].user_id == alice.user_id


def test_sign_ins_from_a_new_network_without_guesses_are_no_attack(
    browser: Browser, alice: Person, bob: Person
) -> None:
    for person in (alice, bob):
        happen("login_success", minutes=300, user=person, ip="192.0.2.7", method="password")
        happen("login_success", minutes=40, user=person, method="password")
        happen("anomaly_detected", minutes=40, user=person, signals=["new_ip"], event="login_success")

    page = browser.open(f"attacks/{NETWORK}").text

    assert "2 accounts signed in from this network for the first time." in page
    assert "This is no attack: detection saw no guessed passwords from here." in page
    assert "require a new password" not in page
    assert '<span class="badge bad">' not in page


def test_the_groups_of_the_queue_begin_with_the_most_urgent_attack(browser: Browser, alice: Person) -> None:
    for number in range(4):
        happen("credential_stuffing_detected", minutes=number, ip="192.0.2.9", signals=["account_spray"])
    happen("anomaly_detected", minutes=30, user=alice, **SIGNED_IN)

    page = browser.open("reviews").text

    assert -1 < page.index(f">{NETWORK}</a>") < page.index(">192.0.2.0/24</a>")
