import logging
import socket
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from time_machine import TimeMachineFixture

from events.webhooks import delivery
from events.webhooks.delivery import LEASE, DeliverWebhooks, read_retry_after
from tests.loopback import Talk, answering, dripping, response, serving
from tests.rows import each

from .receiving import NOW, NOWHERE, SCHEDULE, SECOND, UseWebhook, commit_event, deliver, deliver_to, only_delivery

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("status", ["200 OK", "201 Created", "202 Accepted", "204 No Content", "299 Odd"])
def test_any_2xx_delivers(use_webhook: UseWebhook, status: str) -> None:
    commit_event()
    deliver_to(answering(f"HTTP/1.1 {status}\r\n\r\n".encode()), use_webhook)

    assert (only_delivery().status, only_delivery().response_code) == ("delivered", int(status[:3]))


@pytest.mark.parametrize("code", [300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 409, 429, 500, 503, 599, 999])
def test_any_other_status_fails_the_attempt_and_is_recorded(
    use_webhook: UseWebhook, without_jitter: None, code: int
) -> None:
    with serving(answering(response())) as elsewhere:
        moved = response(status=f"{code} Other", headers=f"Location: {elsewhere.url()}\r\n")
        commit_event()
        peer = deliver_to(answering(moved), use_webhook)

    row = only_delivery()
    assert (row.status, row.attempts, row.response_code) == ("pending", 1, code)
    assert (row.error, row.next_attempt_at) == (f"The receiver answered {code}.", NOW + 5 * SECOND)
    assert (len(peer.received), elsewhere.received) == (1, [])


@pytest.mark.parametrize(
    "talk",
    [
        dripping(b"", b""),
        dripping(b"HTTP/1.1 200 OK\r\nX-Long: ", b"x"),
        answering(b""),
        answering(b"SSH-2.0-OpenSSH\r\n"),
    ],
    ids=["silence", "an endless header", "a reset", "another protocol"],
)
def test_without_an_answer_there_is_no_response_code(
    use_webhook: UseWebhook, monkeypatch: pytest.MonkeyPatch, without_jitter: None, talk: Talk
) -> None:
    monkeypatch.setattr(delivery, "TIMEOUT_SECONDS", 0.2)
    commit_event()
    deliver_to(talk, use_webhook)

    row = only_delivery()
    assert (row.status, row.attempts, row.response_code) == ("pending", 1, None)
    assert row.error
    assert "127.0.0.1" not in row.error
    assert row.next_attempt_at == NOW + 5 * SECOND


def test_a_receiver_has_fifteen_seconds_to_answer() -> None:
    assert delivery.TIMEOUT_SECONDS == 15
    assert timedelta(seconds=4 * delivery.TIMEOUT_SECONDS) < LEASE == timedelta(minutes=5)


def test_a_response_code_belongs_to_the_last_finished_attempt(use_webhook: UseWebhook, without_jitter: None) -> None:
    commit_event()
    deliver_to(answering(response(status="500 Oops")), use_webhook)
    assert only_delivery().response_code == 500

    use_webhook(NOWHERE)
    deliver(NOW + 5 * SECOND)
    assert (only_delivery().response_code, only_delivery().attempts) == (None, 2)


@pytest.mark.parametrize(("status", "end"), [("200 OK", "delivered"), ("500 Oops", "pending")])
def test_an_answer_is_judged_by_its_status_and_not_by_its_size(use_webhook: UseWebhook, status: str, end: str) -> None:
    commit_event()
    deliver_to(answering(response(b"x" * 100_000, status=status)), use_webhook)

    assert (only_delivery().status, only_delivery().response_code) == (end, int(status[:3]))


def test_an_endless_answer_is_cut_off(use_webhook: UseWebhook) -> None:
    commit_event()
    with serving(dripping(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 65536)) as peer:
        use_webhook(peer.url())
        deliver()
        assert peer.has_disconnected.wait(10)

    assert only_delivery().status == "delivered"


def test_an_endpoint_that_answers_gone_is_not_tried_again(
    use_webhook: UseWebhook, caplog: pytest.LogCaptureFixture
) -> None:
    commit_event()
    deliver_to(answering(response(status="410 Gone", headers="Retry-After: 5\r\n")), use_webhook)

    row = only_delivery()
    assert (row.status, row.attempts, row.response_code, row.delivered_at) == ("failed", 1, 410, None)
    assert DeliverWebhooks().next_due(NOW) is None
    (given_up,) = [line for line in caplog.records if line.name == "authsvc.webhooks"]
    assert (given_up.levelname, given_up.message) == (
        "WARNING",
        "a webhook delivery failed and will not be tried again",
    )
    assert "127.0.0.1" not in str(vars(given_up))
    assert "203.0.113.7" not in str(vars(given_up))


def test_an_unreachable_receiver_is_tried_seven_times_and_then_given_up(
    use_webhook: UseWebhook,
    time_machine: TimeMachineFixture,
    without_jitter: None,
    caplog: pytest.LogCaptureFixture,
) -> None:
    commit_event()

    moments = attempts_until_given_up(time_machine)

    assert moments == [sum(SCHEDULE[: count + 1]) for count in range(7)]
    assert (only_delivery().status, only_delivery().attempts, only_delivery().response_code) == ("failed", 7, None)
    (given_up,) = [line for line in caplog.records if line.levelno == logging.WARNING]
    assert (given_up.message, vars(given_up)["attempts"]) == (
        "a webhook delivery failed and will not be tried again",
        7,
    )


def test_each_pause_is_lengthened_at_random_by_up_to_a_fifth(time_machine: TimeMachineFixture) -> None:
    commit_event()

    moments = attempts_until_given_up(time_machine)

    pauses = [later - earlier for earlier, later in pairwise(moments)]
    for pause, planned in zip(pauses, SCHEDULE[1:], strict=True):
        assert planned - 1 <= pause <= planned * 1.2 + 1
    assert pauses != list(SCHEDULE[1:])


def attempts_until_given_up(time_machine: TimeMachineFixture) -> list[int]:
    """Run the job each time it is due. Return the seconds of each run."""
    moments = []
    job = DeliverWebhooks()
    while due := job.next_due(NOW):
        moments.append(round((due - NOW).total_seconds()))
        time_machine.move_to(due, tick=False)
        deliver(due)
    return moments


@each(
    "asked, seconds",
    [
        ("", None),
        ("120", 120),
        (" 120 ", 120),
        ("0", 0),
        ("86400", 86_400),
        ("86401", 86_400),
        ("9" * 4000, 86_400),
        ("-5", None),
        ("1.5", None),
        ("٥", None),
        ("²", None),
        ("soon", None),
        ("Sat, 21 Nov 2026 03:46:29 GMT", 119.876544),
        ("Sat, 21 Nov 2026 05:46:29 +0200", 119.876544),
        ("Sat, 21 Nov 2026 03:46:29 -0000", 119.876544),
        ("Saturday, 21-Nov-26 03:46:29 GMT", 119.876544),
        ("Fri, 20 Nov 2026 03:46:29 GMT", 0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
        ("Mon, 01 Jan 0001 00:00:00 +2359", 0),
        ("Sat, 31 Feb 2026 00:00:00 GMT", None),
        ("Sat, 21 Nov 99999 00:00:00 GMT", None),
        ("Sat, 21 Nov 2026 03:46:29 +99999999999999999999", None),
        ("120, 240", None),
    ],
)
def test_a_retry_after_is_read_as_seconds_or_as_a_date_within_a_day(asked: str, seconds: float | None) -> None:
    expected = None if seconds is None else timedelta(seconds=seconds)

    assert read_retry_after({"Retry-After": asked}, now=NOW, longest=timedelta(days=1)) == expected


@pytest.mark.parametrize("asked", ["3601", "9" * 4000, "Sat, 21 Nov 2026 04:45:29 GMT"])
def test_a_retry_after_is_limited_by_the_callers_bound(asked: str) -> None:
    assert read_retry_after({"Retry-After": asked}, now=NOW, longest=timedelta(hours=1)) == timedelta(hours=1)


@pytest.mark.parametrize(
    ("asked", "pause"),
    [
        ("120", 120),
        ("2", 5),
        ("-1", 5),
        ("Sat, 21 Nov 2026 03:49:29 GMT", 299.876544),
        ("999999999999", 86_400),
        ("Sat, 21 Nov 2026 03:46:29 +99999999999999999999", 5),
    ],
)
@pytest.mark.parametrize("status", ["429 Slow", "503 Busy", "301 Moved"])
def test_a_retry_after_lengthens_the_pause_and_never_shortens_it(
    use_webhook: UseWebhook, without_jitter: None, asked: str, pause: float, status: str
) -> None:
    commit_event()
    deliver_to(answering(response(status=status, headers=f"retry-after: {asked}\r\n")), use_webhook)

    assert (only_delivery().status, only_delivery().next_attempt_at) == ("pending", NOW + timedelta(seconds=pause))


@pytest.mark.parametrize("asked", ["999999999999", "86400", "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_a_retry_after_is_not_lengthened_at_random(
    use_webhook: UseWebhook, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    monkeypatch.setattr(delivery, "JITTER", 100)
    commit_event()
    deliver_to(answering(response(status="503 Busy", headers=f"Retry-After: {asked}\r\n")), use_webhook)

    assert only_delivery().next_attempt_at == NOW + timedelta(days=1)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "169.254.169.254", "10.0.0.1", "0x7f.1"])
def test_a_private_target_is_refused_and_tried_again(use_webhook: UseWebhook, without_jitter: None, host: str) -> None:
    commit_event()
    with serving(answering(response())) as peer:
        use_webhook(peer.url(scheme="https", host=host), WEBHOOK_ALLOW_PRIVATE="off")
        deliver()

    row = only_delivery()
    assert (row.status, row.response_code, peer.received) == ("pending", None, [])
    assert row.error == "Refused: The host name resolves to an address that is not public."
    assert row.next_attempt_at == NOW + 5 * SECOND


def test_a_name_that_later_resolves_to_a_private_address_is_refused_then(
    use_webhook: UseWebhook, monkeypatch: pytest.MonkeyPatch, without_jitter: None
) -> None:
    answers = ["1.1.1.1", "127.0.0.1"]
    connected = []

    def getaddrinfo(host: str, port: int | None, *args: Any, **more: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (answers.pop(0), 0))]

    def create_connection(address: tuple[str, int], **_: Any) -> socket.socket:
        connected.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    monkeypatch.setattr(socket, "create_connection", create_connection)
    use_webhook("https://rebinding.example/", WEBHOOK_ALLOW_PRIVATE="off")
    commit_event()

    deliver()
    assert (answers, connected, only_delivery().error) == (["127.0.0.1"], ["1.1.1.1"], "The server is not reachable.")

    deliver(NOW + 5 * SECOND)
    assert (answers, connected) == ([], ["1.1.1.1"])
    assert only_delivery().error == "Refused: The host name resolves to an address that is not public."
