"""From a log line to the collector that takes it."""

import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest
from django.db import InterfaceError, OperationalError, connection
from pytest_django import Settings
from time_machine import TimeMachineFixture

from accounts.core import ids
from accounts.core.access_log import request_id_of_context
from accounts.core.errors import Overloaded
from accounts.core.jobs import jobs
from accounts.core.lease import claim
from accounts.events import shipping
from accounts.events.conf import shipping_conf
from accounts.events.shipped_models import ShippedLog
from accounts.events.shipping import LEASE, ShipLogs, ShippingHandler, attach, doomed_logs, otlp_body
from tests.loopback import Peer, Talk, dripping, response, saying, serving
from tests.people import sign_up
from tests.processes.running import until
from tests.races.crowd import Crowd

NOW = datetime(2026, 11, 21, 3, 44, 29, 123457, tzinfo=UTC)
SECOND = timedelta(seconds=1)
NOWHERE = "http://collector.example.invalid"

pytestmark = pytest.mark.django_db

UseShipping = Callable[..., None]


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ids, "_sequence", ids._Sequence())
    request_id_of_context.set("")
    time_machine.move_to(NOW, tick=False)


@pytest.fixture(autouse=True)
def use_shipping(settings: Settings) -> UseShipping:
    """Ship to another address from here on; at first nowhere."""
    before = dict(settings.AUTH_SERVICE)

    def use(target: str, **others: str) -> None:
        settings.AUTH_SERVICE = {**before, "LOG_SHIPPING": target, **others}

    use("record")
    return use


@contextmanager
def copying(*, level: int = logging.DEBUG) -> Iterator[ShippingHandler]:
    """Let everything that the service logs be copied, as the settings say."""
    handler = ShippingHandler(shipping_conf())
    service = logging.getLogger("authsvc")
    before = service.level
    service.addHandler(handler)
    service.setLevel(level)
    try:
        yield handler
    finally:
        service.setLevel(before)
        service.removeHandler(handler)
        # The end of this process would find them otherwise.
        handler._lines.clear()


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> list[ShippingHandler]:
    """Let the test say when lines are stored. Return those that would have begun to do so by themselves."""
    begun: list[ShippingHandler] = []

    def begin(handler: ShippingHandler) -> None:
        begun.append(handler)

    monkeypatch.setattr(ShippingHandler, "_store_for_ever", begin)
    return begun


def log(message: str = "request", *, level: int = logging.INFO, name: str = "access", **extra: Any) -> None:
    logging.getLogger(f"authsvc.{name}").log(level, message, extra=extra)


def stored() -> list[ShippedLog]:
    return list(ShippedLog.objects.order_by("id"))


def fields_of(row: ShippedLog) -> Any:
    return orjson.loads(row.fields)


def copy(message: str = "request", **how: Any) -> ShippedLog:
    """Log a line and return its copy."""
    with copying() as handler:
        log(message, **how)
        handler.flush()
    return stored()[-1]


def ship(now: datetime = NOW) -> None:
    ShipLogs().run(now, lambda: False)


def ship_to(talk: Talk, use_shipping: UseShipping, **variables: str) -> Peer:
    """Ship what is due now to a collector that talks like that."""
    with serving(talk) as peer:
        use_shipping(peer.url(""), **variables)
        ship()
    return peer


def records_in(body: bytes) -> list[dict[str, Any]]:
    (resource,) = orjson.loads(body)["resourceLogs"]
    (scope,) = resource["scopeLogs"]
    return list(scope["logRecords"])


# The copy


@pytest.mark.usefixtures("by_hand")
def test_a_line_is_copied_with_its_redacted_fields() -> None:
    row = copy(status=200, route="v1/login", user_id="4711", duration_ms=1.25, method="POST")

    assert (row.message, row.level, row.created_at, row.shipped_at) == ("request", logging.INFO, NOW, NOW)
    assert fields_of(row) == {
        "status": 200,
        "route": "v1/login",
        "user_id": "[redacted]",
        "duration_ms": 1.25,
        "method": "POST",
    }


@pytest.mark.usefixtures("by_hand")
def test_people_are_hashed_where_the_settings_say_so_and_credentials_are_not(use_shipping: UseShipping) -> None:
    use_shipping("record", LOG_REDACTION="hash", LOG_SHIPPING_HASH_KEY="pepper")

    fields = fields_of(copy(user_id="4711", reason={"user_id": "4711", "api_key": "ak_1", "Old_Token": "t"}))

    assert fields["user_id"].startswith("hmac-sha256:")
    assert len(fields["user_id"]) == len("hmac-sha256:") + 16
    assert fields["reason"] == {"user_id": fields["user_id"], "api_key": "[redacted]", "Old_Token": "[redacted]"}


@pytest.mark.usefixtures("by_hand")
def test_a_field_that_nobody_allowed_stays_at_home() -> None:
    assert fields_of(copy(status=200, path="/v1/login?token=sesame", query="sesame", body={"password": "sesame"})) == {
        "status": 200
    }


@pytest.mark.usefixtures("by_hand")
def test_the_text_of_an_exception_stays_at_home() -> None:
    with copying() as handler:
        error = ValueError("alice@example.com may not")
        logging.getLogger("authsvc.worker").error("job failed", exc_info=error, stack_info=True, extra={"job": "mails"})
        handler.flush()

    (row,) = stored()
    assert fields_of(row) == {"job": "mails", "exception_type": "ValueError"}
    assert "alice" not in row.message + row.fields


@pytest.mark.usefixtures("by_hand")
def test_the_message_is_the_constant_without_what_was_put_into_it() -> None:
    with copying() as handler:
        logging.getLogger("authsvc.serve").error("ended %d times, says %s", 3, "alice@example.com")
        handler.flush()

    assert [row.message for row in stored()] == ["ended %d times, says %s"]


@pytest.mark.usefixtures("by_hand")
def test_a_message_is_cut_where_its_column_ends() -> None:
    assert copy("x" * 500).message == "x" * 200


@pytest.mark.usefixtures("by_hand")
def test_a_line_carries_the_id_of_its_request() -> None:
    token = request_id_of_context.set("req-1")
    try:
        fields = fields_of(copy(status=200))
    finally:
        request_id_of_context.reset(token)

    assert fields == {"status": 200, "request_id": "req-1"}


@pytest.mark.usefixtures("by_hand")
@pytest.mark.parametrize(
    ("given", "kept"),
    [(5, 10), (10, 10), (15, 10), (20, 20), (25, 20), (30, 30), (40, 40), (50, 40), (99, 40)],
)
def test_a_level_is_one_of_four(use_shipping: UseShipping, given: int, kept: int) -> None:
    use_shipping("record", LOG_SHIPPING_LEVEL="debug")
    with copying(level=1) as handler:
        handler.setLevel(1)
        log(level=given)
        handler.flush()

    assert [row.level for row in stored()] == [kept]


@pytest.mark.usefixtures("by_hand")
@pytest.mark.parametrize(
    ("setting", "kept"),
    [("debug", [10, 20, 30, 40]), ("info", [20, 30, 40]), ("warn", [30, 40]), ("error", [40])],
)
def test_lesser_lines_than_the_setting_says_are_not_copied(
    use_shipping: UseShipping, setting: str, kept: list[int]
) -> None:
    use_shipping("record", LOG_SHIPPING_LEVEL=setting)
    with copying() as handler:
        for level in (10, 20, 30, 40):
            log(level=level)
        handler.flush()

    assert [row.level for row in stored()] == kept


@pytest.mark.usefixtures("by_hand")
def test_what_ships_and_stores_has_no_copy_of_its_own_lines() -> None:
    with copying() as handler:
        log("the collector takes no logs at the moment", name="shipping", level=logging.WARNING)
        handler.flush()

    assert stored() == []


@pytest.mark.usefixtures("by_hand")
def test_odd_values_are_copied_as_text_and_harm_nobody() -> None:
    row = copy(reason=object, status=float("nan"), job={"at": NOW, "of": ids.new_id(), "in": {1, 2}})

    assert fields_of(row)["status"] is None
    assert fields_of(row)["reason"] == "<class 'object'>"


@pytest.mark.usefixtures("by_hand")
def test_requests_are_copied_without_what_callers_sent() -> None:
    with copying() as handler:
        alice = sign_up("alice")
        session = alice.log_in()
        alice.api.get(f"/v1/sessions?token={session.refresh}", token=session.access)
        handler.flush()

    assert {row.message for row in stored()} == {"request"}
    assert {"method", "route", "status", "user_id", "duration_ms", "request_id"} == set(fields_of(stored()[-1]))
    everything = "".join(row.message + row.fields for row in stored())
    # As JSON has it: the key of a host's user may be a number of two digits.
    for secret in ("alice", f'"{alice.user_id}"', session.refresh, session.access, "203.0.113.7", "token="):
        assert secret not in everything


# Keeping it until it is stored


@contextmanager
def failing_store(monkeypatch: pytest.MonkeyPatch, error: Exception) -> Iterator[None]:
    """Take the database away."""

    def fail(_lines: Any) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(shipping, "_store", fail)
        yield


@pytest.mark.usefixtures("by_hand")
@pytest.mark.parametrize("error", [OperationalError("gone"), InterfaceError("closed"), Overloaded()])
def test_lines_wait_for_a_database_that_is_away_and_keep_their_order(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(shipping, "FLUSH_BATCH", 2)
    with copying() as handler:
        for number in range(5):
            log(status=number)
        with failing_store(monkeypatch, error), pytest.raises(type(error)):
            handler.flush()
        assert stored() == []
        log(status=5)
        handler.flush()
        handler.flush()

    assert [fields_of(row)["status"] for row in stored()] == [0, 1, 2, 3, 4, 5]


@pytest.mark.usefixtures("by_hand")
def test_while_the_database_is_away_the_newest_wait_as_many_as_there_is_room_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shipping, "BUFFER_MAX", 6)
    monkeypatch.setattr(shipping, "FLUSH_BATCH", 4)

    def fail_while_lines_come(_lines: Any) -> None:
        for number in (6, 7, 8):
            log(status=number)
        raise OperationalError("gone")

    with copying() as handler:
        for number in range(6):
            log(status=number)
        with monkeypatch.context() as patch:
            patch.setattr(shipping, "_store", fail_while_lines_come)
            with pytest.raises(OperationalError):
                handler.flush()
        log(status=9)
        handler.flush()

    assert [fields_of(row)["status"] for row in stored()] == [4, 5, 6, 7, 8, 9]


def test_ten_thousand_lines_may_wait() -> None:
    assert shipping.BUFFER_MAX == 10_000
    assert ShippingHandler(shipping_conf())._lines.maxlen == 10_000


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("error", [OperationalError("gone"), InterfaceError("closed"), Overloaded()])
def test_lines_are_stored_by_themselves_and_whatever_becomes_of_the_database_later_ones_too(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    monkeypatch.setattr(shipping, "FLUSH_SECONDS", 0.02)
    rounds = [error, error]
    real = shipping._store

    def store(lines: Any) -> None:
        if rounds:
            raise rounds.pop()
        real(lines)
        connection.close()

    monkeypatch.setattr(shipping, "_store", store)
    with copying():
        log(status=1)
        until(lambda: len(stored()) == 1, what="the line")
        log(status=2)
        until(lambda: len(stored()) == 2, what="another line")

    waited = [line for line in caplog.records if line.message == "the copy of the log has to wait"]
    assert [vars(line)["reason"] for line in waited] == [type(error).__name__] * 2


def test_a_fork_stores_its_own_lines_and_not_again_what_its_parent_has_to_store(
    by_hand: list[ShippingHandler], monkeypatch: pytest.MonkeyPatch
) -> None:
    with copying() as handler:
        log(status=1)
        monkeypatch.setattr(os, "getpid", lambda: -1)
        log(status=2)
        log(status=3)
        until(lambda: len(by_hand) == 2, what="a thread in the child")

        assert [orjson.loads(line.fields)["status"] for line in handler._lines] == [2, 3]


@pytest.mark.usefixtures("by_hand")
def test_several_that_store_at_once_store_each_line_once(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    monkeypatch.setattr(shipping, "_store", lambda lines: taken.extend(fields_of(line)["status"] for line in lines))
    monkeypatch.setattr(shipping, "FLUSH_BATCH", 3)
    with copying() as handler, Crowd(4) as crowd:
        for number in range(1000):
            log(status=number)
        crowd.at_once(*[handler.flush] * 4)

    assert taken == list(range(1000))


@pytest.mark.usefixtures("by_hand")
def test_a_fork_waits_for_a_store_to_end(use_shipping: UseShipping, monkeypatch: pytest.MonkeyPatch) -> None:
    hooks: dict[str, Callable[[], Any]] = {}
    monkeypatch.setattr(logging.getLogger("authsvc"), "handlers", [])
    monkeypatch.setattr(os, "register_at_fork", hooks.update)
    attach()
    (handler,) = logging.getLogger("authsvc").handlers
    storing, may_end = threading.Event(), threading.Event()

    def store(_lines: Any) -> None:
        storing.set()
        may_end.wait(10)

    monkeypatch.setattr(shipping, "_store", store)
    log(status=1, level=logging.WARNING)
    thread = threading.Thread(target=handler.flush)
    thread.start()
    storing.wait(10)
    assert not hooks["before"](blocking=False)  # type: ignore[call-arg]  # as a lock takes it
    may_end.set()
    thread.join()

    for begin, end in ((hooks["before"], hooks["after_in_parent"]), (hooks["before"], hooks["after_in_child"])):
        begin()
        end()
    handler.flush()


def test_the_copy_is_made_once_and_only_when_it_is_wanted(
    use_shipping: UseShipping, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = logging.getLogger("authsvc")
    monkeypatch.setattr(service, "handlers", [])
    monkeypatch.setattr(os, "register_at_fork", lambda **_: None)

    use_shipping("off")
    attach()
    assert service.handlers == []

    use_shipping("record")
    attach()
    attach()
    (handler,) = service.handlers
    assert isinstance(handler, ShippingHandler)
    assert handler.level == logging.INFO


# Shipping it


def keep(*numbers: int, level: int = logging.INFO, **fields: Any) -> None:
    """Keep a line for each number, to be shipped."""
    ShippedLog.objects.bulk_create(
        ShippedLog(
            level=level,
            message="request",
            fields=orjson.dumps({"status": number, **fields}).decode(),
            created_at=NOW,
            next_attempt_at=NOW,
        )
        for number in numbers
    )


def test_lines_are_shipped_as_the_protocol_has_it(use_shipping: UseShipping) -> None:
    fields = {
        "reason": "žluťoučký",
        "ok": True,
        "duration_ms": 1.5,
        "attempts": 2**53 + 1,
        "user_id": None,
        "job": {"name": "mails", "tries": [1, None, False, "x", {"deep": []}]},
    }
    ShippedLog.objects.create(
        level=logging.WARNING,
        message="a mail has to wait",
        fields=orjson.dumps(fields).decode(),
        created_at=NOW,
        next_attempt_at=NOW,
    )
    peer = ship_to(saying(response(b"{}")), use_shipping)

    (received,) = peer.received
    assert received.line == "POST /v1/logs HTTP/1.1"
    assert received.headers["Content-Type"] == "application/json"
    assert orjson.loads(received.body) == {
        "resourceLogs": [
            {
                "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "gatehouse"}}]},
                "scopeLogs": [
                    {
                        "scope": {"name": "authsvc"},
                        "logRecords": [
                            {
                                "timeUnixNano": f"{int(NOW.replace(microsecond=0).timestamp())}123457000",
                                "severityNumber": 13,
                                "severityText": "WARN",
                                "body": {"stringValue": "a mail has to wait"},
                                "attributes": [
                                    {"key": "reason", "value": {"stringValue": "žluťoučký"}},
                                    {"key": "ok", "value": {"boolValue": True}},
                                    {"key": "duration_ms", "value": {"doubleValue": 1.5}},
                                    {"key": "attempts", "value": {"intValue": "9007199254740993"}},
                                    {
                                        "key": "job",
                                        "value": {
                                            "kvlistValue": {
                                                "values": [
                                                    {"key": "name", "value": {"stringValue": "mails"}},
                                                    {
                                                        "key": "tries",
                                                        "value": {
                                                            "arrayValue": {
                                                                "values": [
                                                                    {"intValue": "1"},
                                                                    {"boolValue": False},
                                                                    {"stringValue": "x"},
                                                                    {
                                                                        "kvlistValue": {
                                                                            "values": [
                                                                                {
                                                                                    "key": "deep",
                                                                                    "value": {
                                                                                        "arrayValue": {"values": []}
                                                                                    },
                                                                                }
                                                                            ]
                                                                        }
                                                                    },
                                                                ]
                                                            }
                                                        },
                                                    },
                                                ]
                                            }
                                        },
                                    },
                                ],
                            }
                        ],
                    }
                ],
            }
        ]
    }
    assert [row.shipped_at for row in stored()] == [NOW]


@pytest.mark.parametrize(
    ("level", "number", "text"), [(10, 5, "DEBUG"), (20, 9, "INFO"), (30, 13, "WARN"), (40, 17, "ERROR")]
)
def test_levels_have_the_protocols_numbers(level: int, number: int, text: str) -> None:
    keep(1, level=level)

    (shipped,) = records_in(otlp_body(stored()))

    assert (shipped["severityNumber"], shipped["severityText"]) == (number, text)


def test_the_time_of_a_line_is_exact_to_the_microsecond() -> None:
    moments = [NOW.replace(microsecond=microsecond) for microsecond in range(0, 1_000_000, 997)]
    rows = [ShippedLog(level=20, message="", fields="{}", created_at=moment) for moment in moments]

    second = int(NOW.replace(microsecond=0).timestamp())
    assert [record["timeUnixNano"] for record in records_in(otlp_body(rows))] == [
        f"{second}{moment.microsecond:06}000" for moment in moments
    ]


def test_headers_and_path_are_those_of_the_settings(use_shipping: UseShipping) -> None:
    keep(1)
    with serving(saying(response())) as peer:
        use_shipping(peer.url("/otlp/logs"), LOG_SHIPPING_HEADERS="authorization=Bearer a=b,x-scope=7")
        ship()

    (received,) = peer.received
    assert received.line == "POST /otlp/logs HTTP/1.1"
    assert (received.headers["authorization"], received.headers["x-scope"]) == ("Bearer a=b", "7")


@pytest.mark.parametrize(
    "talk",
    [
        saying(b""),
        saying(response(status="503 Busy")),
        saying(response(status="400 Bad")),
        saying(response(status="302 Found", headers="Location: /elsewhere\r\n")),
        saying(response(b"x" * 100_000, status="500 Oops")),
        dripping(b"", b""),
    ],
    ids=["a reset", "503", "400", "a redirect", "a huge failure", "silence"],
)
def test_a_collector_that_is_down_delays_and_then_gets_each_line_once(
    use_shipping: UseShipping,
    time_machine: TimeMachineFixture,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    talk: Talk,
) -> None:
    monkeypatch.setattr(shipping, "TIMEOUT_SECONDS", 0.2)
    keep(1, 2, 3)
    ship_to(talk, use_shipping)
    assert [row.shipped_at for row in stored()] == [None] * 3
    assert ShipLogs().next_due(NOW) == NOW + 10 * SECOND
    (told,) = [line for line in caplog.records if line.name == "authsvc.shipping"]
    assert (told.levelname, told.message) == ("WARNING", "the collector takes no logs at the moment")
    assert "127.0.0.1" not in str(vars(told))

    with serving(saying(response())) as peer:
        use_shipping(peer.url(""))
        ship(NOW + 9 * SECOND)
        assert peer.received == []
        time_machine.move_to(NOW + 10 * SECOND, tick=False)
        ship(NOW + 10 * SECOND)
        ship(NOW + 10 * SECOND)

    (received,) = peer.received
    assert len(records_in(received.body)) == 3
    assert [row.shipped_at for row in stored()] == [NOW + 10 * SECOND] * 3
    assert ShipLogs().next_due(NOW) is None


def test_any_2xx_takes_the_lines_however_large_the_answer(use_shipping: UseShipping) -> None:
    keep(1)
    ship_to(saying(response(b"x" * 100_000, status="202 Accepted")), use_shipping)

    assert [row.shipped_at for row in stored()] == [NOW]


def test_a_backlog_is_shipped_in_batches_the_oldest_first(
    use_shipping: UseShipping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipping, "SHIP_BATCH", 2)
    keep(1, 2, 3)
    for row, seconds in zip(stored(), (2, 3, 1), strict=True):
        ShippedLog.objects.filter(pk=row.pk).update(next_attempt_at=NOW - seconds * SECOND)
    with serving(saying(response())) as peer:
        use_shipping(peer.url(""))
        ship()
        ship()

    numbers = [
        [record["attributes"][0]["value"]["intValue"] for record in records_in(received.body)]
        for received in peer.received
    ]
    assert numbers == [["2", "1"], ["3"]]


def test_a_whole_batch_is_shipped_at_once(use_shipping: UseShipping) -> None:
    keep(*range(shipping.SHIP_BATCH + 1))
    peer = ship_to(saying(response()), use_shipping)

    (received,) = peer.received
    assert len(records_in(received.body)) == shipping.SHIP_BATCH
    assert ShippedLog.objects.filter(shipped_at=None).count() == 1


def test_lines_that_a_killed_worker_had_claimed_are_shipped_when_its_lease_is_over(use_shipping: UseShipping) -> None:
    keep(1, 2)
    batch = claim(ShippedLog.objects.all(), limit=5, lease=LEASE, now=NOW)
    with serving(saying(response())) as peer:
        use_shipping(peer.url(""))
        ship(NOW + LEASE - SECOND)
        assert peer.received == []
        ship(NOW + LEASE)

    assert len(peer.received) == 1
    shipping._settle(batch, is_shipped=False)
    assert [row.shipped_at for row in stored()] == [NOW] * 2


@pytest.mark.parametrize("target", ["off", "record"])
def test_without_a_collector_nothing_is_due(use_shipping: UseShipping, target: str) -> None:
    keep(1)
    use_shipping(target)

    assert ShipLogs().next_due(NOW) is None


def test_the_job_is_the_workers_and_is_due_when_a_line_is(use_shipping: UseShipping) -> None:
    (job,) = [job for job in jobs if job.name == "log shipping"]
    use_shipping(NOWHERE)
    assert job.next_due(NOW) is None

    keep(1)

    assert job.next_due(NOW) == NOW


@pytest.mark.usefixtures("by_hand")
def test_with_a_collector_a_line_is_not_shipped_before_it_was_taken(use_shipping: UseShipping) -> None:
    use_shipping(NOWHERE)
    assert copy(status=200).shipped_at is None

    ship_to(saying(response()), use_shipping)

    assert stored()[0].shipped_at == NOW


def test_lines_are_kept_for_two_weeks_shipped_or_not() -> None:
    keep(1, 2)
    ShippedLog.objects.filter(pk=stored()[0].pk).update(shipped_at=NOW)

    assert not doomed_logs(NOW + timedelta(days=14)).exists()
    assert doomed_logs(NOW + timedelta(days=14, milliseconds=1)).count() == 2
