"""Lists as CSV. The functions serve the pages of the console."""

import csv
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest

from console.deliveries.search import DeliveryFilters
from console.exports import lists
from console.logs.search import LogFilters
from console.people.conditions import State, UserFilters
from console.people.positions import Sort
from console.reviews.queue import Status
from console.trail.search import EventFilters
from core.clock import now as read_clock
from core.http.client import Client
from tests.client import Api
from tests.factories import AccountFactory, DeliveryFactory, EventFactory, ShippedLogFactory
from tests.operators import Console
from tests.people import Person

from .flagged import guess_at

CLIENT = Client(ip="203.0.113.7", user_agent="")
LISTS: dict[str, tuple[str, str, Callable[..., Iterator[str]], dict[str, Any]]] = {
    "events": ("/events", "events", lists.export_events, {"filters": EventFilters(type="login_failed")}),
    "users": ("/user-search", "users", lists.export_users, {"filters": UserFilters(), "sort": Sort.NEWEST}),
    "anomalies": ("/anomalies", "anomalies", lists.export_reviews, {"status": None}),
    "deliveries": (
        "/webhooks/deliveries",
        "deliveries",
        lists.export_deliveries,
        {"filters": DeliveryFilters(status="failed")},
    ),
    "logs": ("/logging/recent", "events", lists.export_shipped_logs, {"filters": LogFilters(level="warn")}),
}
QUERIES = {"events": "type=login_failed", "deliveries": "status=failed", "logs": "level=warn"}


def export(name: str, **changes: Any) -> list[dict[str, str]]:
    """Return the rows of the export as a reader of CSV sees them."""
    _, _, function, filters = LISTS[name]
    parts = function(**{**filters, **changes}, operator_id="olivia", client=CLIENT, now=read_clock())
    return list(csv.DictReader(StringIO("".join(parts), newline="")))


@pytest.fixture
def filled(console: Console, alice: Person, configure: Callable[..., None]) -> Console:
    """A console with several rows in each list, some of them with the same time."""
    configure(WEBHOOK_URL="https://hooks.example.invalid/", WEBHOOK_SECRET="whsec_" + "A" * 32, LOG_SHIPPING="record")
    console.put(f"/anomalies/{guess_at(alice)}", {"status": "confirmed", "note": 'He said "no",\nand left.'})
    moment = read_clock() - timedelta(hours=1)
    for number in range(4):
        AccountFactory.create(created_at=moment)
        EventFactory.create(type="anomaly_detected", created_at=moment)
        DeliveryFactory.create(status="failed" if number else "delivered", payload='{"a":1}', response_code=500)
        ShippedLogFactory.create(level=30, content={"reason": "x"})
    return console


@pytest.mark.parametrize("name", LISTS)
def test_an_export_has_the_rows_of_the_list_and_leaves_an_act(
    filled: Console, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path, member, *_ = LISTS[name]
    monkeypatch.setattr(lists, "BATCH", 2)

    rows = export(name)

    listed = filled.get(path, QUERIES.get(name, "")).data[member]
    assert [row["id"] for row in rows] == [entry["id"] for entry in listed]
    assert len(rows) > 2
    assert set(rows[0]) >= set(listed[0])
    for row, entry in zip(rows, listed, strict=True):
        texts = {key: value for key, value in entry.items() if isinstance(value, str)}
        assert {key: row[key] for key in texts} == texts
        assert {row[key] for key in entry if entry[key] is None} <= {""}
    (act,) = filled.get("/events", "type=operator_exported").data["events"]
    filters = [QUERIES[name].partition("=")[0]] if name in QUERIES else []
    assert (act["user_id"], act["metadata"]) == ("olivia", {"list": name, "filters": filters})


def test_json_booleans_and_missing_values_have_one_form(filled: Console) -> None:
    events = export("events")
    users = export("users")
    (reviewed,) = export("anomalies", status=Status.CONFIRMED)
    (open_one, *_) = export("anomalies", status=Status.UNREVIEWED)

    assert events[0]["metadata"].startswith("{")
    assert {user["locked"] for user in users} == {"true", "false"}
    assert (reviewed["note"], reviewed["reviewer_id"]) == ('He said "no",\nand left.', filled.user_id)
    assert (open_one["reviewer_id"], open_one["updated_at"]) == ("", "")
    assert export("logs")[0]["fields"] == '{"reason":"x"}'
    assert export("deliveries")[0]["response_code"] == "500"


def test_an_export_reads_one_part_after_the_other(filled: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "BATCH", 2)
    _, _, function, filters = LISTS["users"]
    parts = function(**filters, operator_id="olivia", client=CLIENT, now=read_clock())

    read = [next(parts), next(parts)]
    AccountFactory.create(email="late@example.com", created_at=read_clock() - timedelta(days=9_000))
    text = "".join([*read, *parts])

    assert [part.count("\r\n") for part in read] == [1, 2]
    assert "late@example.com" in text


def test_an_export_of_users_follows_the_filters(filled: Console) -> None:
    filters = UserFilters(state=State.LOCKED)

    assert {row["locked"] for row in export("users", filters=filters)} == {"true"}
    (act,) = filled.get("/events", "type=operator_exported").data["events"]
    assert act["metadata"] == {"list": "users", "filters": ["state"]}


def test_the_lines_end_as_the_standard_demands(filled: Console) -> None:
    _, _, function, filters = LISTS["users"]
    text = "".join(function(**filters, operator_id="olivia", client=CLIENT, now=read_clock()))

    assert text.startswith(
        "id,email,created_at,updated_at,email_proven_at,last_sign_in_at,has_factor,operator,deactivated,"
        "failed_attempts,locked,locked_until\r\n"
    )
    assert text.count("\r\n") == text.count("\n") == 7


@pytest.mark.parametrize("start", [*"=+-@", *"＝＋－＠", "\t", "\r"])
def test_a_cell_that_a_spreadsheet_would_run_is_neutralised(console: Console, start: str) -> None:
    EventFactory.create(type="login_failed", user_agent=f"{start}1+1", metadata={"a": "=1"})
    EventFactory.create(type="login_failed", user_agent=f"1{start}1")

    assert sorted(row["user_agent"] for row in export("events")) == sorted([f"'{start}1+1", f"1{start}1"])


@pytest.mark.parametrize("separator", [";", "; ", ';"', "\t", "\n"])
def test_a_formula_behind_a_separator_of_another_spreadsheet_is_neutralised(console: Console, separator: str) -> None:
    """A spreadsheet in Germany separates cells by semicolons, and then a quotation mark does not protect them."""
    EventFactory.create(type="login_failed", user_agent=f"Mozilla/5.0 (X11; Linux){separator}=1+1")

    (row,) = export("events")

    assert row["user_agent"] == f"Mozilla/5.0 (X11; Linux){separator}'=1+1"


def test_an_address_that_is_a_formula_is_neutralised(console: Console) -> None:
    email = "=1+1@example.com"
    Api(ip="198.51.100.9").post("/v1/signup", {"email": email, "password": "correct horse battery"})

    assert f"'{email}" in {row["email"] for row in export("users")}
