from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine

from core.clock import now as read_clock
from core.clock import rfc3339
from core.db import ids
from core.db.transactions import write
from core.http.client import Client
from events.audit import record
from events.vocabulary import EventType
from events.webhooks.delivery import LEASE, DeliverWebhooks
from events.webhooks.models import Delivery
from tests.client import Api
from tests.loopback import Peer, answering, response, serving
from tests.operators import Console
from tests.people import sign_up
from tests.rows import each

from .invalid_numbers import invalid_numbers

PATH = "/webhooks/deliveries"
PAGE = Path(__file__).parents[3] / "docs" / "webhooks.md"
STATUSES = ["pending", "in_flight", "delivered", "failed"]
NOWHERE = "https://hooks.example.invalid/"
CLIENT = Client(ip="2001:db8::7", user_agent="")
NONE_YET = {"deliveries": [], "count": 0, "limit": 50, "status": None, "statuses": STATUSES}

Configure = Callable[..., None]


@pytest.fixture(autouse=True)
def _webhook(console: Console, use_webhook: Configure) -> None:
    use_webhook(NOWHERE)


@pytest.fixture
def use_webhook(configure: Configure) -> Configure:
    """Send later events to another webhook URL."""

    def use(url: str, **others: str) -> None:
        secret = "whsec_" + "c2Vj" * 10
        configure(WEBHOOK_URL=url, WEBHOOK_SECRET=secret, WEBHOOK_ALLOW_PRIVATE="on", **others)

    return use


@write
def commit_event(
    event: EventType = EventType.PASSWORD_CHANGED, *, user_id: str | None = "4711", metadata: Any = None
) -> None:
    record(event=event, user_id=user_id, client=CLIENT, now=read_clock(), metadata=metadata)


def deliver(use_webhook: Configure, answer: bytes) -> Peer:
    """Deliver the due events to a receiver that sends this answer."""
    with serving(answering(answer)) as peer:
        use_webhook(peer.url())
        DeliverWebhooks().run(read_clock(), lambda: False)
    return peer


def only_delivery(console: Console) -> dict[str, Any]:
    (shown,) = console.get(PATH).data["deliveries"]
    return dict(shown)


def test_pending_deliveries_are_shown(travel: time_machine.Traveller, console: Console) -> None:
    console = Console(console.session.person.log_in())
    commit_event(metadata={"note": "žluťoučký"})

    row = Delivery.objects.get()
    assert console.get(PATH).data == {
        **NONE_YET,
        "deliveries": [
            {
                "id": str(row.pk),
                "kind": "event",
                "event_id": str(row.event_id),
                "event_type": "password_changed",
                "user_id": "4711",
                "ip": "2001:db8::7",
                "payload": row.payload,
                "status": "pending",
                "attempts": 0,
                "error": "",
                "duration_ms": None,
                "created_at": "2026-03-10T12:00:00.000000Z",
                "next_attempt_at": "2026-03-10T12:00:00.000000Z",
                "delivered_at": None,
            }
        ],
        "count": 1,
    }


def test_the_payload_is_exactly_the_sent_body(console: Console, use_webhook: Configure) -> None:
    commit_event(metadata={"note": 'žluťoučký "\\\u2028</script>\N{CAT}', "big": 1.10, "deep": [[{}]]})

    peer = deliver(use_webhook, response())

    assert only_delivery(console)["payload"].encode() == peer.received[0].body


def test_a_delivered_event_is_shown_with_the_response_code(console: Console, use_webhook: Configure) -> None:
    commit_event(user_id=None)
    deliver(use_webhook, response(status="202 Accepted"))

    shown, row = only_delivery(console), Delivery.objects.get()
    assert row.delivered_at is not None
    assert (shown["status"], shown["attempts"], shown["response_code"], shown["error"]) == ("delivered", 1, 202, "")
    assert (shown["delivered_at"], shown["next_attempt_at"]) == (rfc3339(row.delivered_at), None)
    assert shown["duration_ms"] == row.duration_ms
    assert shown["user_id"] is None


def test_a_failed_delivery_is_shown_with_the_reason(console: Console, use_webhook: Configure) -> None:
    commit_event()
    deliver(use_webhook, response(status="410 Gone"))

    shown = only_delivery(console)
    assert (shown["status"], shown["response_code"]) == ("failed", 410)
    assert (shown["error"], shown["next_attempt_at"], shown["delivered_at"]) == (
        "The receiver answered 410.",
        None,
        None,
    )


def test_the_response_code_is_of_the_last_finished_attempt(console: Console, use_webhook: Configure) -> None:
    commit_event()
    deliver(use_webhook, b"")
    assert "response_code" not in only_delivery(console)
    assert (only_delivery(console)["status"], only_delivery(console)["attempts"]) == ("pending", 1)

    Delivery.objects.update(next_attempt_at=read_clock())
    deliver(use_webhook, response(status="500 Oops"))
    assert only_delivery(console)["response_code"] == 500

    Delivery.objects.update(status="in_flight", attempts=3, next_attempt_at=read_clock() + LEASE)
    assert (only_delivery(console)["status"], only_delivery(console)["response_code"]) == ("in_flight", 500)

    Delivery.objects.update(status="pending", next_attempt_at=read_clock())
    deliver(use_webhook, b"SSH-2.0-OpenSSH\r\n")
    assert "response_code" not in only_delivery(console)


def test_the_description_and_the_page_state_the_same_rule_for_the_response_code() -> None:
    description = Api().client.get("/v1/openapi.json").json()
    described = description["components"]["schemas"]["Delivery"]["description"]

    _, rule = " ".join(described.split()).split(". ", 1)

    assert rule.startswith("`response_code`, `error` and `duration_ms` describe the last finished attempt.")
    assert rule in " ".join(PAGE.read_text().split())


def test_a_delivery_in_progress_shows_the_end_of_its_claim(console: Console) -> None:
    commit_event()
    until = read_clock() + LEASE
    Delivery.objects.update(status="in_flight", attempts=1, next_attempt_at=until)

    shown = only_delivery(console)

    assert (shown["status"], shown["attempts"], shown["next_attempt_at"]) == ("in_flight", 1, rfc3339(until))
    assert "response_code" not in shown


def test_the_ip_address_is_shown_unmasked(console: Console) -> None:
    sign_up("eve", api=Api(ip="198.51.100.4"))

    shown = only_delivery(console)

    assert (shown["event_type"], shown["ip"]) == ("signup_success", "198.51.100.4")


def test_the_newest_come_first(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ids, "_sequence", ids._Sequence())
    with time_machine.travel(read_clock(), tick=False) as traveller:
        for number in range(5):
            traveller.shift(timedelta(seconds=number % 2))
            commit_event(metadata={"number": number})

    listed = [shown["id"] for shown in console.get(PATH).data["deliveries"]]

    created = Delivery.objects.order_by("-created_at", "-id").values_list("pk", flat=True)
    assert listed == [str(key) for key in created]
    assert len(listed) == 5
    assert [shown["id"] for shown in console.get(PATH, {"limit": 2}).data["deliveries"]] == listed[:2]


@pytest.mark.parametrize("status", STATUSES)
def test_a_status_filters(console: Console, status: str) -> None:
    for other in STATUSES:
        commit_event()
        Delivery.objects.filter(status="pending", attempts=0).update(status=other, attempts=1)

    page = console.get(PATH, {"status": status, "limit": 3}).data

    assert [shown["status"] for shown in page["deliveries"]] == [status]
    assert (page["count"], page["limit"], page["status"], page["statuses"]) == (1, 3, status, STATUSES)


def test_filters_apply_before_the_limit(console: Console) -> None:
    for number in range(4):
        commit_event()
        Delivery.objects.filter(attempts=0).update(status="failed" if number == 0 else "delivered", attempts=1)

    page = console.get(PATH, {"status": "failed", "limit": 1}).data

    assert [shown["status"] for shown in page["deliveries"]] == ["failed"]


def test_count_is_the_number_of_entries_and_not_of_rows(console: Console) -> None:
    for _ in range(3):
        commit_event()

    assert (console.get(PATH, {"limit": 2}).data["count"], console.get(PATH).data["count"]) == (2, 3)


@pytest.mark.parametrize("status", ["Pending", "pending ", "sent", "pending,failed", "0", ""])
def test_an_unknown_status_is_refused(console: Console, status: str) -> None:
    assert console.get(PATH, {"status": status}).code == "bad_request"


@pytest.mark.parametrize("limit", [1, 500])
def test_the_smallest_and_the_largest_limit_are_allowed(console: Console, limit: int) -> None:
    assert console.get(PATH, {"limit": limit}).data == {**NONE_YET, "limit": limit}


@each("limit", invalid_numbers(1, 500))
def test_a_limit_out_of_bounds_is_refused(console: Console, limit: str) -> None:
    assert console.get(PATH, f"limit={limit}").code == "bad_request"


def test_the_list_is_not_configured_without_a_webhook(console: Console, configure: Configure) -> None:
    commit_event()
    configure(WEBHOOK_URL="", WEBHOOK_SECRET="")

    assert (console.get(PATH).status, console.get(PATH).code) == (404, "not_configured")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_no_method_changes_a_delivery(console: Console, method: str) -> None:
    commit_event()

    assert console.call(method, PATH, {}).code == "method_not_allowed"
    assert only_delivery(console)["status"] == "pending"


def test_only_operators_see_deliveries(console: Console) -> None:
    session = sign_up("eve").log_in()

    assert session.api.get(f"/v1/admin{PATH}", token=session.access).code == "not_operator"
    assert session.api.get(f"/v1/admin{PATH}").code == "missing_auth_header"
