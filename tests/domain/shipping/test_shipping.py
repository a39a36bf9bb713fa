import logging
from datetime import timedelta
from typing import Any

import orjson
import pytest
from time_machine import TimeMachineFixture

from core.db.leases import claim
from core.jobs import jobs
from events.logs import shipping
from events.logs.models import ShippedLog
from events.logs.shipping import (
    LEASE,
    ShipLogs,
    otlp_body,
    prunable_logs,
)
from tests.factories import ShippedLogFactory
from tests.loopback import Talk, answering, dripping, response, serving

from .collecting import NOW, NOWHERE, SECOND, UseShipping, copy, records_in, ship, ship_to, stored

pytestmark = pytest.mark.django_db


def store_lines(*numbers: int, level: int = logging.INFO, **fields: Any) -> None:
    """Store a line for each number. The lines wait to be shipped."""
    ShippedLog.objects.bulk_create(
        ShippedLogFactory.build(level=level, content={"status": number, **fields}, created_at=NOW) for number in numbers
    )


def test_lines_are_shipped_in_the_format_of_the_protocol(use_shipping: UseShipping) -> None:
    fields = {
        "reason": "žluťoučký",
        "ok": True,
        "duration_ms": 1.5,
        "attempts": 2**53 + 1,
        "user_id": None,
        "job": {"name": "mails", "tries": [1, None, False, "x", {"deep": []}]},
    }
    ShippedLogFactory.create(
        level=logging.WARNING, message="a mail was not sent and will be tried again", content=fields, created_at=NOW
    )
    peer = ship_to(answering(response(b"{}")), use_shipping)

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
                                "body": {"stringValue": "a mail was not sent and will be tried again"},
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
def test_levels_have_the_numbers_of_the_protocol(level: int, number: int, text: str) -> None:
    store_lines(1, level=level)

    (shipped,) = records_in(otlp_body(stored()))

    assert (shipped["severityNumber"], shipped["severityText"]) == (number, text)


def test_the_time_of_a_line_is_exact_to_the_microsecond() -> None:
    moments = [NOW.replace(microsecond=microsecond) for microsecond in range(0, 1_000_000, 997)]
    rows = [ShippedLogFactory.build(created_at=moment) for moment in moments]

    second = int(NOW.replace(microsecond=0).timestamp())
    assert [record["timeUnixNano"] for record in records_in(otlp_body(rows))] == [
        f"{second}{moment.microsecond:06}000" for moment in moments
    ]


def test_headers_and_path_come_from_the_settings(use_shipping: UseShipping) -> None:
    store_lines(1)
    with serving(answering(response())) as peer:
        use_shipping(peer.url("/otlp/logs"), LOG_SHIPPING_HEADERS="authorization=Bearer a=b,x-scope=7")
        ship()

    (received,) = peer.received
    assert received.line == "POST /otlp/logs HTTP/1.1"
    assert (received.headers["authorization"], received.headers["x-scope"]) == ("Bearer a=b", "7")


@pytest.mark.parametrize(
    "talk",
    [
        answering(b""),
        answering(response(status="503 Busy")),
        answering(response(status="400 Bad")),
        answering(response(status="302 Found", headers="Location: /elsewhere\r\n")),
        answering(response(b"x" * 100_000, status="500 Oops")),
        dripping(b"", b""),
    ],
    ids=["a reset", "503", "400", "a redirect", "a huge failure", "silence"],
)
def test_an_unavailable_collector_delays_lines_and_then_receives_each_line_once(
    use_shipping: UseShipping,
    time_machine: TimeMachineFixture,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    talk: Talk,
) -> None:
    monkeypatch.setattr(shipping, "TIMEOUT_SECONDS", 0.2)
    store_lines(1, 2, 3)
    ship_to(talk, use_shipping)
    assert [row.shipped_at for row in stored()] == [None] * 3
    assert ShipLogs().next_due(NOW) == NOW + 10 * SECOND
    (warning,) = [line for line in caplog.records if line.name == "authsvc.shipping"]
    assert (warning.levelname, warning.message) == ("WARNING", "the log collector does not accept log lines right now")
    assert "127.0.0.1" not in str(vars(warning))

    with serving(answering(response())) as peer:
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


def test_any_2xx_status_accepts_the_lines_independently_of_the_size_of_the_answer(use_shipping: UseShipping) -> None:
    store_lines(1)
    ship_to(answering(response(b"x" * 100_000, status="202 Accepted")), use_shipping)

    assert [row.shipped_at for row in stored()] == [NOW]


def test_a_backlog_is_shipped_in_batches_the_oldest_first(
    use_shipping: UseShipping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipping, "SHIP_BATCH", 2)
    store_lines(1, 2, 3)
    for row, seconds in zip(stored(), (2, 3, 1), strict=True):
        ShippedLog.objects.filter(pk=row.pk).update(next_attempt_at=NOW - seconds * SECOND)
    with serving(answering(response())) as peer:
        use_shipping(peer.url(""))
        ship()
        ship()

    numbers = [
        [record["attributes"][0]["value"]["intValue"] for record in records_in(received.body)]
        for received in peer.received
    ]
    assert numbers == [["2", "1"], ["3"]]


def test_a_whole_batch_is_shipped_at_once(use_shipping: UseShipping) -> None:
    store_lines(*range(shipping.SHIP_BATCH + 1))
    peer = ship_to(answering(response()), use_shipping)

    (received,) = peer.received
    assert len(records_in(received.body)) == shipping.SHIP_BATCH
    assert ShippedLog.objects.filter(shipped_at=None).count() == 1


def test_a_batch_respects_the_size_limit_and_the_rest_is_due_at_once(use_shipping: UseShipping) -> None:
    store_lines(*range(20), reason="x" * 60_000)
    with serving(answering(response())) as peer:
        use_shipping(peer.url(""))
        ship()
        assert ShipLogs().next_due(NOW) == NOW
        ship()
        ship()

    assert [len(records_in(received.body)) for received in peer.received] == [8, 8, 4]
    assert max(len(received.body) for received in peer.received) < 513 * 1024
    numbers = [
        int(record["attributes"][0]["value"]["intValue"])
        for received in peer.received
        for record in records_in(received.body)
    ]
    assert sorted(numbers) == list(range(20))


def test_lines_that_did_not_fit_are_shipped_before_newer_lines(
    use_shipping: UseShipping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipping, "SHIP_BYTES", 1)
    store_lines(1, 2)
    store_lines(3, 4)
    for row, seconds in zip(stored(), (4, 3, 2, 1), strict=True):
        moment = NOW - seconds * SECOND
        ShippedLog.objects.filter(pk=row.pk).update(created_at=moment, next_attempt_at=moment)
    with serving(answering(response())) as peer:
        use_shipping(peer.url(""))
        ship()
        store_lines(5)
        for _ in range(4):
            ship()

    assert [
        record["attributes"][0]["value"]["intValue"]
        for received in peer.received
        for record in records_in(received.body)
    ] == ["1", "2", "3", "4", "5"]


def test_a_line_larger_than_a_batch_is_shipped_alone(use_shipping: UseShipping) -> None:
    store_lines(1, reason="x" * (shipping.SHIP_BYTES + 1))
    peer = ship_to(answering(response()), use_shipping)

    assert len(peer.received) == 1
    assert [row.shipped_at for row in stored()] == [NOW]


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [
        ("120", 120),
        ("5", 10),
        ("3600", 3600),
        ("3601", 3600),
        ("9" * 4000, 3600),
        ("Sat, 21 Nov 2026 03:46:29 GMT", 119.876543),
        ("Fri, 20 Nov 2026 03:46:29 GMT", 10),
        ("soon", 10),
    ],
)
def test_a_collector_can_delay_all_lines_for_up_to_an_hour(
    use_shipping: UseShipping, monkeypatch: pytest.MonkeyPatch, asked: str, seconds: float
) -> None:
    monkeypatch.setattr(shipping, "SHIP_BATCH", 2)
    store_lines(1, 2, 3)
    job = ShipLogs()
    with serving(answering(response(status="429 Slow", headers=f"Retry-After: {asked}\r\n"))) as peer:
        use_shipping(peer.url(""))
        job.run(NOW, lambda: False)

    store_lines(4)
    assert job.next_due(NOW) == NOW + timedelta(seconds=seconds)


def test_lines_that_a_killed_worker_claimed_are_shipped_after_their_lease(use_shipping: UseShipping) -> None:
    store_lines(1, 2)
    batch = claim(ShippedLog.objects.all(), limit=5, lease=LEASE, now=NOW)
    with serving(answering(response())) as peer:
        use_shipping(peer.url(""))
        ship(NOW + LEASE - SECOND)
        assert peer.received == []
        ship(NOW + LEASE)

    assert len(peer.received) == 1
    shipping._update(batch, shipped_at=None)
    assert [row.shipped_at for row in stored()] == [NOW] * 2


@pytest.mark.parametrize("target", ["off", "record"])
def test_without_a_collector_nothing_is_due(use_shipping: UseShipping, target: str) -> None:
    store_lines(1)
    use_shipping(target)

    assert ShipLogs().next_due(NOW) is None


def test_the_job_belongs_to_the_worker_and_is_due_when_a_line_is_due(use_shipping: UseShipping) -> None:
    (job,) = [job for job in jobs if job.name == "log shipping"]
    use_shipping(NOWHERE)
    assert job.next_due(NOW) is None

    store_lines(1)

    assert job.next_due(NOW) == NOW


@pytest.mark.usefixtures("handlers_without_thread")
def test_a_line_is_marked_as_shipped_only_after_the_collector_accepted_it(use_shipping: UseShipping) -> None:
    use_shipping(NOWHERE)
    assert copy(status=200).shipped_at is None

    ship_to(answering(response()), use_shipping)

    assert stored()[0].shipped_at == NOW


def test_lines_are_kept_for_two_weeks_whether_shipped_or_not() -> None:
    store_lines(1, 2)
    ShippedLog.objects.filter(pk=stored()[0].pk).update(shipped_at=NOW)

    assert not prunable_logs(NOW + timedelta(days=14)).exists()
    assert prunable_logs(NOW + timedelta(days=14, milliseconds=1)).count() == 2
