"""The list of audit events."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.db import connection

from accounts.models import Event
from console.trail import search as event_search
from core.clock import rfc3339
from core.db.ids import first_id
from tests.client import Api
from tests.factories import EventFactory
from tests.operators import Console
from tests.people import Person, sign_up
from tests.rows import each

from .invalid_numbers import invalid_numbers

PATH = "/events"
START = datetime(2026, 3, 10, 12, tzinfo=UTC)
IP, OTHER_IP = "203.0.113.7", "2001:db8::7"
INDEXES: dict[str, list[dict[str, str]]] = {
    "authsvc_accounts_event_pkey": [{}],
    "authsvc_event_user": [{"user": "7"}, {"user": "7", "type": "token_rotated"}, {"user": "7", "ip": IP}],
    "authsvc_event_ip": [{"ip": IP}, {"ip": IP, "type": "login_success"}],
    "authsvc_event_network": [{"network": "203.0.107.0/24"}, {"network": "203.0.107.0/26", "type": "token_rotated"}],
    "authsvc_event_type": [{"type": "login_failed"}],
}
"""The index that each combination of filters uses."""
INVALID_MOMENTS = [
    "",
    "yesterday",
    "2026-03-10",
    "2026-03-10T12:00:00",
    "2026-03-10 12:00:00Z",
    "2026-03-10T12:00:00+01:00".replace("+", " "),
    "2026-02-30T12:00:00Z",
    "2026-03-10T24:00:00Z",
    "1969-12-31T23:59:59Z",
    "3000-01-01T00:00:00Z",
    "2026-03-10T12:00:00.1234567Z",
    "2026-W11-2T12:00:00Z",
    "\u0662026-03-10T12:00:00Z",
]


@pytest.fixture
def empty_console(console: Console) -> Console:
    """A console without events of its operator."""
    Event.objects.all().delete()
    return console


def record_events(number: int, **columns: Any) -> list[str]:
    """Record events, one second apart; return their ids, the newest first."""
    moments = [START - timedelta(seconds=second) for second in range(number)]
    rows = [EventFactory.build(created_at=moment, **columns) for moment in moments]
    Event.objects.bulk_create(rows)
    return [str(row.pk) for row in rows]


def ids(page: Mapping[str, Any]) -> list[str]:
    return [event["id"] for event in page["events"]]


def pages(console: Console, **query: Any) -> Iterator[dict[str, Any]]:
    """Return all pages of the list."""
    cursor: dict[str, str] = {}
    while True:
        page = console.get(PATH, {**query, **cursor}).data
        yield page
        if page["next_cursor"] is None:
            return
        cursor = {"cursor": page["next_cursor"]}


def test_events_are_listed_with_the_newest_first(
    travel: time_machine.Traveller, empty_console: Console, alice: Person
) -> None:
    travel.shift(timedelta(seconds=1))
    alice.api.post("/v1/login", {"email": alice.email, "password": "wrong"})

    data = empty_console.get(PATH).data

    failure, signup = Event.objects.order_by("-id")
    assert data == {
        "events": [
            {
                "id": str(failure.pk),
                "type": "login_failed",
                "user_id": alice.user_id,
                "ip": alice.api.ip,
                "user_agent": alice.api.user_agent,
                "metadata": failure.metadata,
                "created_at": "2026-03-10T12:00:01.000000Z",
            },
            data["events"][1],
        ],
        "limit": 50,
        "next_cursor": None,
    }
    assert (data["events"][1]["type"], data["events"][1]["id"]) == ("signup_success", str(signup.pk))


def test_a_type_filters(empty_console: Console) -> None:
    failures = record_events(3, type="login_failed")
    record_events(3, type="login_success")

    assert ids(empty_console.get(PATH, {"type": "login_failed"}).data) == failures
    assert ids(empty_console.get(PATH, {"type": "passkey_removed"}).data) == []


def test_a_user_filters(empty_console: Console) -> None:
    own = record_events(3, user_id="4711")
    record_events(3, user_id="4712")
    record_events(3)

    assert ids(empty_console.get(PATH, {"user": "4711"}).data) == own
    assert ids(empty_console.get(PATH, {"user": "' OR 1=1 --"}).data) == []


@pytest.mark.parametrize("spelling", [OTHER_IP, "2001:DB8:0:0::7"])
def test_an_address_filters_in_every_spelling(empty_console: Console, spelling: str) -> None:
    here = record_events(3, ip=OTHER_IP)
    record_events(3, ip=IP)
    record_events(3)

    assert ids(empty_console.get(PATH, {"ip": spelling}).data) == here


def test_an_ipv4_address_in_the_form_of_ipv6_filters(empty_console: Console) -> None:
    here = record_events(1, ip=IP)

    assert ids(empty_console.get(PATH, {"ip": f"::ffff:{IP}"}).data) == here


@pytest.mark.parametrize(
    ("network", "inside", "outside"),
    [
        ("203.0.113.0/24", ["203.0.113.0", "203.0.113.255"], ["203.0.112.255", "203.0.114.0", "2001:db8::1"]),
        ("203.0.113.7/24", [IP], ["203.0.112.7"]),
        ("203.0.113.64/26", ["203.0.113.64", "203.0.113.127"], ["203.0.113.63", "203.0.113.128"]),
        ("203.0.113.7", [IP], ["203.0.113.8"]),
        ("::ffff:203.0.113.0/120", [IP], ["203.0.112.7"]),
        ("2001:DB8::/64", ["2001:db8::7", "2001:db8::ffff:1:2:3"], ["2001:db8:0:1::7", "2001:db9::7", "203.0.113.7"]),
        ("2001:db8:1:2::/80", ["2001:db8:1:2::9"], ["2001:db8:1:2:1::9"]),
        ("fe80::/64", ["fe80::1%eth0"], ["fe80:0:0:1::1%eth0"]),
        ("fe80::1%eth0", ["fe80::1%eth0"], ["fe80::2%eth0"]),
    ],
)
def test_a_network_filters(empty_console: Console, network: str, inside: list[str], outside: list[str]) -> None:
    here = [record_events(2, ip=ip)[1] for ip in inside]
    Event.objects.exclude(pk__in=here).delete()
    for ip in [*outside, ""]:
        record_events(1, ip=ip)

    listed = empty_console.get(PATH, {"network": network}).data

    assert sorted(ids(listed)) == sorted(here)
    assert ids(empty_console.get(PATH, {"network": network, "user": "4711"}).data) == []
    assert ids(empty_console.get(PATH, {"network": network, "ip": outside[0].partition("%")[0]}).data) == []


@each("value", ["", "203.0.113", "203.0.0.0/23", "2001:db8::/63", "::ffff:0:0/96", "203.0.113.0/33", "\0", "x" * 60])
def test_a_malformed_or_large_network_is_refused(console: Console, value: str) -> None:
    answer = console.get(PATH, {"network": value})

    assert answer.code == "bad_request"
    assert answer.body["error"]["message"].startswith("network: must ")


def test_an_event_must_match_all_filters(empty_console: Console) -> None:
    wanted = {"type": "login_failed", "user_id": "4711", "ip": IP}
    (match,) = record_events(1, **wanted)
    for change in ({"type": "login_success"}, {"user_id": "4712"}, {"ip": OTHER_IP}):
        record_events(1, **{**wanted, **change})
    query = {"type": "login_failed", "user": "4711", "ip": IP}

    assert ids(empty_console.get(PATH, query).data) == [match]
    for name in query:
        rest = {other: value for other, value in query.items() if other != name}
        assert len(ids(empty_console.get(PATH, rest).data)) == 2


@pytest.mark.parametrize("query", [{}, {"type": "login_success"}, {"user": "4711"}, {"ip": IP}])
def test_since_is_the_first_moment_and_until_the_first_one_after(empty_console: Console, query: dict[str, str]) -> None:
    found = record_events(10, user_id="4711", ip=IP)
    span = {"since": rfc3339(START - timedelta(seconds=6)), "until": "2026-03-10T12:59:57+01:00"}

    assert ids(empty_console.get(PATH, {**query, **span}).data) == found[4:7]
    assert ids(empty_console.get(PATH, {**query, "since": span["since"]}).data) == found[:7]
    assert ids(empty_console.get(PATH, {**query, "until": span["until"]}).data) == found[4:]


def test_an_event_whose_request_took_long_belongs_to_the_start_of_the_request(empty_console: Console) -> None:
    event = EventFactory.create(id=first_id(START + timedelta(seconds=20)), created_at=START)

    assert ids(empty_console.get(PATH, {"until": rfc3339(START + timedelta(seconds=1))}).data) == [str(event.pk)]
    assert ids(empty_console.get(PATH, {"since": rfc3339(START + timedelta(seconds=1))}).data) == []


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"type": "login_failed"},
        {"user": "4711"},
        {"ip": IP},
        {"ip": IP, "type": "login_failed"},
        {"network": "203.0.113.0/28", "type": "login_failed"},
        {"since": "2026-03-10T11:00:00Z", "until": "2026-03-10T13:00:00Z"},
        {"type": "login_failed", "since": "2026-03-10T11:00:00Z"},
    ],
)
def test_the_pages_together_contain_each_event_once(empty_console: Console, query: dict[str, str]) -> None:
    found = record_events(7, type="login_failed", user_id="4711", ip=IP)

    listed = list(pages(empty_console, **query, limit=3))

    assert [ids(page) for page in listed] == [found[:3], found[3:6], found[6:]]
    assert {page["limit"] for page in listed} == {3}


@pytest.mark.parametrize("query", [{}, {"type": "login_success"}])
def test_events_of_the_same_moment_are_on_one_page_each(empty_console: Console, query: dict[str, str]) -> None:
    keys = [UUID(int=first_id(START).int + number) for number in range(5)]
    Event.objects.bulk_create([EventFactory.build(id=key, created_at=START) for key in keys])

    listed = [ids(page) for page in pages(empty_console, **query, limit=1)]

    assert listed == [[str(key)] for key in reversed(keys)]


def test_events_that_are_recorded_meanwhile_move_no_page(empty_console: Console) -> None:
    found = record_events(4)
    first = empty_console.get(PATH, {"limit": 2}).data
    Event.objects.bulk_create([EventFactory.build(created_at=START + timedelta(hours=1))])

    second = empty_console.get(PATH, {"limit": 2, "cursor": first["next_cursor"]}).data

    assert ids(first) + ids(second) == found


@pytest.mark.parametrize("query", [{}, {"type": "login_failed"}])
def test_a_cursor_works_after_its_event_was_pruned(empty_console: Console, query: dict[str, str]) -> None:
    found = record_events(4, type="login_failed")
    first = empty_console.get(PATH, {**query, "limit": 2}).data
    Event.objects.filter(pk=found[1]).delete()

    assert ids(empty_console.get(PATH, {**query, "cursor": first["next_cursor"]}).data) == found[2:]


def test_a_page_that_scanned_enough_is_short_and_names_the_next(
    empty_console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_search, "SCANNED_MAX", 5)
    record_events(12, user_id="4711", type="login_success")
    EventFactory.create(user_id="4711", type="login_failed", created_at=START - timedelta(minutes=1))

    listed = list(pages(empty_console, user="4711", type="login_failed"))

    assert [len(page["events"]) for page in listed] == [0, 0, 1]


def test_each_combination_of_filters_has_an_index(empty_console: Console, django_assert_max_num_queries: Any) -> None:
    types = ("login_success", "token_rotated", "login_failed")
    rows = [
        EventFactory.build(
            created_at=START - timedelta(seconds=number),
            type=types[number % 3],
            user_id=str(number % 199),
            ip=f"203.0.{100 + number % 53}.7",
        )
        for number in range(20_000)
    ]
    Event.objects.bulk_create(rows)
    span = {"since": "2026-03-10T11:00:00Z", "until": "2026-03-10T11:30:00Z"}
    found = {}

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE authsvc_accounts_event")
        for index, query in [(index, query) for index, queries in INDEXES.items() for query in queries]:
            for narrowed in (query, {**query, **span}):
                with django_assert_max_num_queries(10) as captured:
                    empty_console.get(PATH, narrowed)
                statements = [one["sql"] for one in captured.captured_queries if "accounts_event" in one["sql"]]
                for statement in statements:
                    cursor.execute(f"EXPLAIN {statement}")
                    plan = " ".join(line for (line,) in cursor.fetchall())
                    # Within a short time span, another index can be as good.
                    is_indexed = index in plan or narrowed is not query
                    found[index, str(narrowed), statement] = is_indexed and "Seq Scan" not in plan

    assert [what for what, is_indexed in found.items() if not is_indexed] == []
    assert len(found) > 20


@each("name", ["since", "until"])
@each("value", INVALID_MOMENTS)
def test_a_malformed_time_is_refused(console: Console, name: str, value: str) -> None:
    answer = console.get(PATH, {name: value})

    assert answer.code == "bad_request"
    assert answer.body["error"]["message"].startswith(f"{name}: must be a time with an offset")


@pytest.mark.parametrize("value", ["1970-01-01T00:00:00+23:59", "2999-12-31T23:59:59.999999-23:59"])
def test_the_earliest_and_the_latest_times_are_allowed(console: Console, value: str) -> None:
    assert console.get(PATH, {"since": value}).status == console.get(PATH, {"until": value}).status == 200


def test_an_empty_time_span_is_refused(console: Console) -> None:
    answer = console.get(PATH, {"since": "2026-03-10T12:00:00Z", "until": "2026-03-10T13:00:00+01:00"})

    assert (answer.code, answer.body["error"]["message"]) == ("bad_request", "since must be before until.")


@pytest.mark.parametrize("value", ["", "Login_failed", "login_failed,login_success", "nonsense"])
def test_an_unknown_type_is_refused(console: Console, value: str) -> None:
    assert console.get(PATH, {"type": value}).code == "bad_request"


@pytest.mark.parametrize("value", ["", "203.0.113", "203.0.113.0/24", "example.com", f" {IP}"])
def test_a_malformed_address_is_refused(console: Console, value: str) -> None:
    answer = console.get(PATH, {"ip": value})

    assert (answer.code, answer.body["error"]["message"]) == ("bad_request", "ip: must be an IP address.")


@pytest.mark.parametrize("value", ["", "x" * 65, "\0"])
def test_a_malformed_user_is_refused(console: Console, value: str) -> None:
    assert console.get(PATH, {"user": value}).code == "bad_request"


@pytest.mark.parametrize(
    "value",
    [
        "",
        "1",
        "0199f3a2-7c11-7abc-8def-0123456789ab",
        "2026-03-10T12:00:00.000000Z_0199F3A2-7c11-7abc-8def-0123456789ab",
        "2026-02-30T12:00:00.000000Z_0199f3a2-7c11-7abc-8def-0123456789ab",
        "2026-03-10T12:00:00.000000Z_0199f3a2-7c11-7abc-8def-0123456789ab\n",
        "2026-03-10T.:.:.:.:.:.:.:.Z_0199f3a2-7c11-7abc-8def-0123456789ab",
    ],
)
def test_a_malformed_cursor_is_refused(console: Console, value: str) -> None:
    answer = console.get(PATH, {"cursor": value})

    assert answer.code == "bad_request"
    assert answer.body["error"]["message"] == "cursor: must be the next_cursor of an earlier answer."


@pytest.mark.parametrize("limit", [1, 500])
def test_the_smallest_and_the_largest_limit_are_allowed(console: Console, limit: int) -> None:
    assert console.get(PATH, {"limit": limit}).data["limit"] == limit


@each("limit", invalid_numbers(1, 500))
def test_a_limit_out_of_bounds_is_refused(console: Console, limit: str) -> None:
    assert console.get(PATH, f"limit={limit}").code == "bad_request"


def test_the_events_of_a_deleted_account_stay_without_address(console: Console, alice: Person) -> None:
    session = alice.log_in()
    session.api.post("/v1/delete-account", {"current_password": alice.password}, token=session.access)

    events = console.get(PATH, {"user": alice.user_id}).data["events"]

    assert events[0]["type"] == "account_deleted"
    assert {event["ip"] for event in events[1:]} == {""}


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_no_method_changes_an_event(console: Console, method: str) -> None:
    assert console.call(method, PATH, {}).code == "method_not_allowed"


def test_only_operators_see_events(console: Console) -> None:
    session = sign_up("eve", api=Api(ip="198.51.100.4")).log_in()

    assert session.api.get(f"/v1/admin{PATH}", token=session.access).code == "not_operator"
    assert session.api.get(f"/v1/admin{PATH}").code == "missing_auth_header"
