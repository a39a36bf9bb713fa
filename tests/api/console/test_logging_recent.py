import logging
from collections.abc import Callable
from typing import Any

import orjson
import pytest

from core.clock import now, rfc3339
from events.conf import shipping_settings
from events.logs.models import ShippedLog
from events.logs.shipping import ShipLogs, ShippingHandler
from tests.client import Api
from tests.factories import ShippedLogFactory
from tests.loopback import Received, answering, response, serving
from tests.operators import Console
from tests.people import Person, sign_up
from tests.rows import each

from .invalid_numbers import invalid_numbers

PATH = "/logging/recent"
LEVELS = ["debug", "info", "warn", "error"]
NONE_YET = {"events": [], "count": 0, "limit": 50, "level": None, "levels": LEVELS}

Configure = Callable[..., None]


@pytest.fixture(autouse=True)
def _copy(console: Console, configure: Configure) -> None:
    configure(LOG_SHIPPING="record")


def store_line(level: int, message: str = "request", **fields: Any) -> ShippedLog:
    """Store a line as the log shipping does, without a collector."""
    return ShippedLogFactory.create(level=level, message=message, content=fields, shipped_at=now())


def store_a_line_of_each_level() -> None:
    for level in (logging.WARNING, logging.DEBUG, logging.ERROR, logging.INFO):
        store_line(level)


def shown_levels(console: Console, query: Any = "") -> list[str]:
    return [event["level"] for event in console.get(PATH, query).data["events"]]


def test_lines_are_shown_with_their_fields(console: Console) -> None:
    row = store_line(
        logging.WARNING,
        "a mail was not sent and will be tried again",
        template="magic_link",
        attempts=2,
        user_id="[redacted]",
        at=1.10,
    )

    assert row.shipped_at is not None
    assert console.get(PATH).data == {
        **NONE_YET,
        "events": [
            {
                "id": str(row.pk),
                "level": "warn",
                "message": "a mail was not sent and will be tried again",
                "fields": {"template": "magic_link", "attempts": 2, "user_id": "[redacted]", "at": 1.1},
                "shipped_at": rfc3339(row.shipped_at),
            }
        ],
        "count": 1,
    }


def test_the_newest_lines_come_first_and_all_levels_are_shown_by_default(console: Console) -> None:
    store_a_line_of_each_level()

    assert shown_levels(console) == ["info", "error", "debug", "warn"]
    assert shown_levels(console, {"limit": 3}) == ["info", "error", "debug"]


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("debug", ["info", "error", "debug", "warn"]),
        ("info", ["info", "error", "warn"]),
        ("warn", ["error", "warn"]),
        ("error", ["error"]),
    ],
)
def test_a_level_selects_lines_of_this_level_and_above(console: Console, level: str, expected: list[str]) -> None:
    store_a_line_of_each_level()

    page = console.get(PATH, {"level": level, "limit": 10}).data

    assert [event["level"] for event in page["events"]] == expected
    assert (page["count"], page["limit"], page["level"], page["levels"]) == (len(expected), 10, level, LEVELS)


def test_the_level_filter_applies_before_the_limit(console: Console) -> None:
    store_line(logging.ERROR)
    for _ in range(3):
        store_line(logging.INFO)

    assert shown_levels(console, {"level": "error", "limit": 1}) == ["error"]


@pytest.mark.parametrize("level", ["Warn", "warning", "critical", "30", "", "warn,error"])
def test_an_unknown_level_is_refused(console: Console, level: str) -> None:
    assert console.get(PATH, {"level": level}).code == "bad_request"


@pytest.mark.parametrize("limit", [1, 500])
def test_the_smallest_and_the_largest_limit_are_allowed(console: Console, limit: int) -> None:
    assert console.get(PATH, {"limit": limit}).data == {**NONE_YET, "limit": limit}


@each("limit", invalid_numbers(1, 500))
def test_a_limit_out_of_bounds_is_refused(console: Console, limit: str) -> None:
    assert console.get(PATH, f"limit={limit}").code == "bad_request"


def test_the_list_is_not_configured_without_log_shipping(console: Console, configure: Configure) -> None:
    store_line(logging.INFO)
    configure(LOG_SHIPPING="off")

    assert (console.get(PATH).status, console.get(PATH).code) == (404, "not_configured")


def test_a_line_that_no_collector_received_is_shown_as_such(console: Console, configure: Configure) -> None:
    configure(LOG_SHIPPING="http://collector.example.invalid")
    row = store_line(logging.INFO)
    ShippedLog.objects.filter(pk=row.pk).update(shipped_at=None)

    assert [event["shipped_at"] for event in console.get(PATH).data["events"]] == [None]


@pytest.mark.parametrize("redaction", ["mask", "hash"])
def test_the_console_shows_exactly_the_shipped_lines(
    console: Console, configure: Configure, monkeypatch: pytest.MonkeyPatch, alice: Person, redaction: str
) -> None:
    monkeypatch.setattr(ShippingHandler, "_store_periodically", lambda _: None)
    with serving(answering(response())) as peer:
        configure(LOG_SHIPPING=peer.url(""), LOG_REDACTION=redaction, LOG_SHIPPING_HASH_KEY="pepper")
        produce_lines(alice)
        ShipLogs().run(now(), lambda: False)

    (received,) = peer.received
    raw = console.get(PATH, {"limit": 500})
    shown = raw.data["events"]
    assert [(event["level"], event["message"], event["fields"]) for event in reversed(shown)] == read(received)
    assert len(shown) >= 4
    assert all(event["shipped_at"] for event in shown)
    # The id stands in JSON quotes: the integer id of a host's user may be a part of another number.
    for secret in ("alice", f'"{alice.user_id}"', "203.0.113.7", "sesame"):
        assert secret not in orjson.dumps(raw.body).decode()
        assert secret not in received.body.decode()


def produce_lines(alice: Person) -> None:
    """Let the service log lines of several kinds, with log shipping on."""
    handler = ShippingHandler(shipping_settings())
    service = logging.getLogger("authsvc")
    level = service.level
    service.setLevel(logging.INFO)
    service.addHandler(handler)
    try:
        alice.log_in().refreshed()
        Api().post("/v1/login", {"email": alice.email, "password": "sesame"})
        error = ValueError("sesame")
        logging.getLogger("authsvc.worker").error(
            "a background job failed and will be tried again", exc_info=error, extra={"job": "mails", "sesame": 1}
        )
        handler.flush()
    finally:
        service.removeHandler(handler)
        service.setLevel(level)


def read(received: Received) -> list[tuple[str, str, dict[str, Any]]]:
    """Return the level, the message and the fields of each line that a collector received."""
    (resource,) = orjson.loads(received.body)["resourceLogs"]
    return [
        (
            record["severityText"].lower(),
            record["body"]["stringValue"],
            {attribute["key"]: value_of(attribute["value"]) for attribute in record["attributes"]},
        )
        for scope in resource["scopeLogs"]
        for record in scope["logRecords"]
    ]


def value_of(typed: dict[str, Any]) -> Any:
    ((kind, value),) = typed.items()
    return int(value) if kind == "intValue" else value


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_no_method_changes_a_line(console: Console, method: str) -> None:
    assert console.call(method, PATH, {}).code == "method_not_allowed"


def test_only_operators_see_the_log(console: Console) -> None:
    session = sign_up("eve").log_in()

    assert session.api.get(f"/v1/admin{PATH}", token=session.access).code == "not_operator"
    assert session.api.get(f"/v1/admin{PATH}").code == "missing_auth_header"
