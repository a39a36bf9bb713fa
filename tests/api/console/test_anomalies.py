from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from accounts.models import Event
from tests.description import TIMESTAMP
from tests.factories import EventFactory
from tests.operators import Console
from tests.people import Person
from tests.rows import each

from .flagged import ELSEWHERE, guess_at, spray
from .invalid_numbers import invalid_numbers

START = datetime(2026, 3, 10, 12, tzinfo=UTC)
LIMITS, OFFSETS = invalid_numbers(1, 500), invalid_numbers(0, 10_000)


def flag(number: int, *, user_id: str = "carol") -> list[str]:
    """Record `number` anomalies, one minute apart; return their ids, the newest first."""
    moments = [START - timedelta(minutes=minute) for minute in range(number)]
    return [
        str(EventFactory.create(type="anomaly_detected", user_id=user_id, created_at=moment).pk) for moment in moments
    ]


def ids(page: dict[str, Any]) -> list[str]:
    return [anomaly["id"] for anomaly in page["anomalies"]]


def submit_review(console: Console, event_id: str, status: str) -> None:
    assert console.put(f"/anomalies/{event_id}", {"status": status}).status == 200


def test_reported_anomalies_are_listed_with_the_newest_first(console: Console, alice: Person) -> None:
    anomaly = guess_at(alice)
    stuffing = spray()

    data = console.get("/anomalies").data

    newest, oldest = data["anomalies"]
    assert data == {"anomalies": [newest, oldest], "limit": 50, "offset": 0, "status": None, "has_more": False}
    assert newest == {
        "id": stuffing,
        "type": "credential_stuffing_detected",
        "user_id": None,
        "ip": ELSEWHERE,
        "metadata": {"signals": ["unknown_account_spray"], "unknown_accounts": 10, "window_minutes": 60},
        "created_at": newest["created_at"],
        "status": "unreviewed",
        "note": "",
    }
    assert oldest == {
        "id": anomaly,
        "type": "anomaly_detected",
        "user_id": alice.user_id,
        "ip": alice.api.ip,
        "metadata": {
            "signals": ["user_failure_velocity"],
            "event": "login_failed",
            "user_failures": 5,
            "window_minutes": 15,
        },
        "created_at": oldest["created_at"],
        "status": "unreviewed",
        "note": "",
    }
    assert TIMESTAMP.fullmatch(newest["created_at"])


def test_the_list_is_empty_without_reports(console: Console, alice: Person) -> None:
    alice.log_in()

    assert console.get("/anomalies").data == {
        "anomalies": [],
        "limit": 50,
        "offset": 0,
        "status": None,
        "has_more": False,
    }


def test_a_reviewed_event_shows_its_review(console: Console, alice: Person) -> None:
    anomaly = guess_at(alice)
    review = console.put(f"/anomalies/{anomaly}", {"status": "confirmed", "note": "phoned her"}).data

    (listed,) = console.get("/anomalies").data["anomalies"]

    assert {name: listed[name] for name in review} == review
    assert listed["reviewer_id"] == console.user_id


@pytest.mark.parametrize("status", ["unreviewed", "confirmed", "dismissed"])
def test_a_filter_shows_only_events_with_that_review_status(console: Console, status: str) -> None:
    events = flag(6)
    wanted = {
        "confirmed": [events[0], events[3]],
        "dismissed": [events[1], events[4]],
        "unreviewed": [events[2], events[5]],
    }
    for review in ("confirmed", "dismissed"):
        for event in wanted[review]:
            submit_review(console, event, review)
    # An event is unreviewed after a withdrawn review, and without any review.
    submit_review(console, events[2], "confirmed")
    submit_review(console, events[2], "unreviewed")

    page = console.get("/anomalies", {"status": status}).data

    assert ids(page) == wanted[status]
    assert (page["status"], page["has_more"]) == (status, False)
    assert {anomaly["status"] for anomaly in page["anomalies"]} == {status}


@pytest.mark.parametrize("status", ["unreviewed", "dismissed"])
def test_the_filter_applies_before_the_pages(console: Console, status: str) -> None:
    events = flag(9)
    for event in events[::2]:
        submit_review(console, event, "dismissed")
    wanted = events[::2] if status == "dismissed" else events[1::2]

    pages = [
        console.get("/anomalies", {"status": status, "limit": 2, "offset": offset}).data for offset in (0, 2, 4, 6)
    ]

    assert [event for page in pages for event in ids(page)] == wanted
    assert [page["has_more"] for page in pages] == [True, len(wanted) > 4, False, False]


def test_has_more_shows_whether_another_page_follows(console: Console) -> None:
    events = flag(3)

    for limit, offset, expected in [(2, 0, True), (3, 0, False), (2, 1, False), (1, 1, True), (50, 3, False)]:
        page = console.get("/anomalies", {"limit": limit, "offset": offset}).data
        assert ids(page) == events[offset : offset + limit]
        assert (page["has_more"], page["limit"], page["offset"]) == (expected, limit, offset)


def test_events_of_the_same_moment_have_a_stable_order(console: Console) -> None:
    flag(6)
    Event.objects.filter(type="anomaly_detected").update(created_at=START)

    whole = ids(console.get("/anomalies").data)
    pages = [ids(console.get("/anomalies", {"limit": 2, "offset": offset}).data) for offset in (0, 2, 4)]

    assert whole == sorted(whole, reverse=True)
    assert [event for page in pages for event in page] == whole


@pytest.mark.parametrize(("limit", "offset"), [(1, 0), (500, 10_000)])
def test_the_smallest_and_the_largest_page_are_allowed(console: Console, limit: int, offset: int) -> None:
    page = console.get("/anomalies", {"limit": limit, "offset": offset}).data

    assert (page["limit"], page["offset"]) == (limit, offset)


def test_a_page_holds_five_hundred_events(console: Console) -> None:
    events = flag(501)

    page = console.get("/anomalies", {"limit": 500}).data

    assert (ids(page), page["has_more"]) == (events[:500], True)


@each("query", [f"limit={value}" for value in LIMITS] + [f"offset={value}" for value in OFFSETS])
def test_a_page_out_of_bounds_is_refused(console: Console, query: str) -> None:
    assert console.get("/anomalies", query).code == "bad_request"


@pytest.mark.parametrize("status", ["", "%20", "Confirmed", "open", "confirmed,dismissed", "null", "confirmed%00"])
def test_an_unknown_status_is_refused(console: Console, status: str) -> None:
    assert console.get("/anomalies", f"status={status}").code == "bad_request"


def test_an_event_of_a_deleted_account_stays_without_the_address(
    travel: time_machine.Traveller, console: Console, alice: Person
) -> None:
    anomaly = guess_at(alice)
    travel.shift(timedelta(hours=1))
    session = alice.log_in()
    session.api.post("/v1/delete-account", {"current_password": alice.password}, token=session.access)
    fresh = console.renewed()

    (listed,) = fresh.get("/anomalies").data["anomalies"]

    assert (listed["id"], listed["user_id"], listed["ip"]) == (anomaly, alice.user_id, "")
    assert fresh.put(f"/anomalies/{anomaly}", {"status": "dismissed"}).status == 200
