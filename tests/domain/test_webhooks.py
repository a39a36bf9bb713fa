"""From the event to the receiver that takes it."""

import base64
import hashlib
import hmac
import logging
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from io import StringIO
from itertools import pairwise
from typing import Any

import orjson
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from pytest_django import Settings
from time_machine import TimeMachineFixture

from accounts.core import ids
from accounts.core.client import Client
from accounts.core.conf import load
from accounts.core.jobs import jobs
from accounts.core.lease import claim
from accounts.core.transactions import write
from accounts.events import delivery
from accounts.events.audit import record
from accounts.events.conf import DEFAULT_EVENTS, WebhookSettings, check_webhooks, conf
from accounts.events.delivery import (
    LEASE,
    DeliverWebhooks,
    Outcome,
    doomed_deliveries,
    read_retry_after,
)
from accounts.events.delivery_models import Delivery
from accounts.events.models import Event
from accounts.events.vocabulary import EventType
from tests.client import PASSWORD, Api
from tests.loopback import Peer, Talk, dripping, response, saying, serving
from tests.people import sign_up

NOW = datetime(2026, 11, 21, 3, 44, 29, 123456, tzinfo=UTC)
SECOND = timedelta(seconds=1)
CLIENT = Client(ip="203.0.113.7", user_agent="Mozilla/5.0")
OLD_KEY, NEW_KEY = b"old" * 8, b"n" * 64
OLD_SECRET, NEW_SECRET = ("whsec_" + base64.b64encode(key).decode() for key in (OLD_KEY, NEW_KEY))
NOWHERE = "https://hooks.example.invalid/"
SCHEDULE = (0, 5, 300, 1_800, 7_200, 18_000, 36_000)

pytestmark = pytest.mark.django_db

UseWebhook = Callable[..., None]


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ids, "_sequence", ids._Sequence())
    time_machine.move_to(NOW, tick=False)


@pytest.fixture(autouse=True)
def use_webhook(settings: Settings) -> UseWebhook:
    """Let events go to another address from here on; at first to where nobody is."""
    before = dict(settings.AUTH_SERVICE)

    def use(url: str, **others: str) -> None:
        own = {"WEBHOOK_URL": url, "WEBHOOK_SECRET": OLD_SECRET, "WEBHOOK_ALLOW_PRIVATE": "on"}
        settings.AUTH_SERVICE = {**before, **own, **others}

    use(NOWHERE)
    return use


@pytest.fixture
def without_jitter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "JITTER", 0)


def record_event(
    event: EventType = EventType.PASSWORD_CHANGED, *, user_id: str | None = "4711", metadata: Any = None
) -> None:
    record(event=event, user_id=user_id, client=CLIENT, now=NOW, metadata=metadata)


tell = write(record_event)


def deliver(now: datetime = NOW) -> None:
    DeliverWebhooks().run(now, lambda: False)


def deliver_to(talk: Talk, use_webhook: UseWebhook, **variables: str) -> Peer:
    """Deliver what is due now to a receiver that talks like that."""
    with serving(talk) as peer:
        use_webhook(peer.url("/hook"), **variables)
        deliver()
    return peer


def only() -> Delivery:
    return Delivery.objects.get()


def sign(key: bytes, *, message_id: str, timestamp: str, body: bytes) -> str:
    """Sign as the specification says (Standard Webhooks 1.0.0, "Signature scheme"): nothing of ours is in here."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


# What is recorded


def test_an_event_leaves_a_row_with_the_very_bytes_that_are_sent() -> None:
    tell(metadata={"signals": ["new_ip"], "note": "žluťoučký \N{CAT}"})

    row, event = only(), Event.objects.get()
    assert orjson.loads(row.payload) == {
        "id": str(event.pk),
        "type": "password_changed",
        "timestamp": "2026-11-21T03:44:29.123456Z",
        "data": {
            "user_id": "4711",
            "ip": "203.0.113.7",
            "metadata": {"signals": ["new_ip"], "note": "žluťoučký \N{CAT}"},
        },
    }
    assert list(orjson.loads(row.payload)) == ["id", "type", "timestamp", "data"]
    assert (row.event_id, row.event_type, row.user_id, row.ip) == (
        event.pk,
        "password_changed",
        "4711",
        "203.0.113.7",
    )
    assert (row.status, row.attempts, row.response_code, row.error, row.duration_ms) == ("pending", 0, None, "", None)
    assert (row.created_at, row.next_attempt_at, row.delivered_at) == (NOW, NOW, None)


def test_an_event_without_account_and_metadata_has_the_same_members() -> None:
    tell(EventType.CREDENTIAL_STUFFING_DETECTED, user_id=None)

    assert orjson.loads(only().payload)["data"] == {"user_id": None, "ip": "203.0.113.7", "metadata": {}}


@pytest.mark.django_db(transaction=True)
def test_a_row_shares_the_fate_of_its_event() -> None:
    with pytest.raises(RuntimeError, match="record must run inside a transaction"):
        record_event()
    with transaction.atomic():
        record_event()
        transaction.set_rollback(True)

    assert not Delivery.objects.exists()
    assert DeliverWebhooks().next_due(NOW) is None


def test_without_a_webhook_nothing_is_recorded_and_what_waits_is_left_alone(use_webhook: UseWebhook) -> None:
    tell()
    use_webhook("")
    tell()

    assert Delivery.objects.count() == 1
    assert DeliverWebhooks().next_due(NOW) is None


def test_events_that_nobody_asked_for_leave_no_row(use_webhook: UseWebhook) -> None:
    use_webhook(NOWHERE, WEBHOOK_EVENTS="logout, api_key_created")

    for event in EventType:
        tell(event)

    assert sorted(Delivery.objects.values_list("event_type", flat=True)) == ["api_key_created", "logout"]
    assert Event.objects.count() == len(EventType)


def test_the_events_of_old_are_those_that_the_settings_page_names() -> None:
    for event in EventType:
        tell(event)

    assert list(Delivery.objects.order_by("id").values_list("event_type", flat=True)) == [
        event for event in EventType if event in DEFAULT_EVENTS
    ]
    assert len(DEFAULT_EVENTS) == 17
    assert EventType.LOGIN_SUCCESS not in DEFAULT_EVENTS


def test_the_first_attempt_may_be_put_off(use_webhook: UseWebhook) -> None:
    use_webhook(NOWHERE, WEBHOOK_RETRY_SECONDS="30,60")

    tell()

    assert DeliverWebhooks().next_due(NOW) == only().next_attempt_at == NOW + 30 * SECOND


def test_what_callers_do_is_told_with_their_address(use_webhook: UseWebhook) -> None:
    use_webhook(NOWHERE, WEBHOOK_EVENTS="signup_success,login_success,token_rotated")
    alice = sign_up("alice", api=Api(ip="198.51.100.4"))

    session = alice.log_in().refreshed()

    assert session.is_live()
    rows = list(Delivery.objects.order_by("id"))
    assert [row.event_type for row in rows] == ["signup_success", "login_success", "token_rotated", "token_rotated"]
    assert {row.user_id for row in rows} == {alice.user_id}
    assert {row.ip for row in rows} == {"198.51.100.4"}
    assert {row.event_id for row in rows} <= set(Event.objects.values_list("pk", flat=True))


def test_a_refresh_that_nobody_is_told_of_leaves_no_row(use_webhook: UseWebhook) -> None:
    use_webhook(NOWHERE, WEBHOOK_EVENTS="logout")

    sign_up("alice").log_in().refreshed()

    assert not Delivery.objects.exists()
    assert Event.objects.filter(type="token_rotated").count() == 1


def test_no_payload_holds_a_secret_or_an_address_of_mail(use_webhook: UseWebhook) -> None:
    use_webhook(NOWHERE, WEBHOOK_EVENTS=",".join(EventType))
    alice = sign_up("alice")
    session = alice.log_in().refreshed()
    for _ in range(6):
        alice.api.post("/v1/login", {"email": alice.email, "password": "wrong"})

    payloads = " ".join(Delivery.objects.values_list("payload", flat=True))

    assert "account_locked" in payloads
    for secret in (alice.email, "alice", PASSWORD, session.refresh, session.access):
        assert secret not in payloads


# What is sent


def test_an_event_is_sent_as_standard_webhooks_has_it(use_webhook: UseWebhook) -> None:
    tell()
    peer = deliver_to(saying(response(b"thanks")), use_webhook)

    (received,), row = peer.received, only()
    body = row.payload.encode()
    timestamp = str(int(NOW.timestamp()))
    assert (received.line, received.body) == ("POST /hook HTTP/1.1", body)
    assert received.headers == {
        "Host": f"127.0.0.1:{peer.port}",
        "User-Agent": "authsvc",
        "Accept-Encoding": "identity",
        "Connection": "close",
        "Content-Length": str(len(body)),
        "Content-Type": "application/json",
        "webhook-id": str(row.event_id),
        "webhook-timestamp": timestamp,
        "webhook-signature": sign(OLD_KEY, message_id=str(row.event_id), timestamp=timestamp, body=body),
    }
    assert (row.status, row.attempts, row.response_code, row.error, row.delivered_at) == (
        "delivered",
        1,
        200,
        "",
        NOW,
    )
    assert row.duration_ms is not None
    assert DeliverWebhooks().next_due(NOW) is None


def test_the_signature_is_the_one_of_the_specifications_example() -> None:
    key = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")

    headers = delivery.headers_of(
        message_id="msg_p5jXN8AQM9LWM0D4loKWxJek",
        body=b'{"test": 2432232314}',
        secrets=(key,),
        now=datetime.fromtimestamp(1614265330, UTC),
    )

    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_each_of_several_secrets_signs(use_webhook: UseWebhook) -> None:
    tell()
    peer = deliver_to(saying(response()), use_webhook, WEBHOOK_SECRET=f" {NEW_SECRET}  {OLD_SECRET} ")

    (received,) = peer.received
    sent: dict[str, Any] = {
        "message_id": received.headers["webhook-id"],
        "timestamp": received.headers["webhook-timestamp"],
        "body": received.body,
    }
    assert received.headers["webhook-signature"] == f"{sign(NEW_KEY, **sent)} {sign(OLD_KEY, **sent)}"


@pytest.mark.parametrize("secret", [OLD_SECRET, NEW_SECRET])
def test_the_library_of_receivers_takes_it_with_either_secret(use_webhook: UseWebhook, secret: str) -> None:
    library = pytest.importorskip("standardwebhooks", reason="the library of receivers is not installed")
    tell()
    peer = deliver_to(saying(response()), use_webhook, WEBHOOK_SECRET=f"{NEW_SECRET} {OLD_SECRET}")

    (received,) = peer.received
    verified = library.Webhook(secret).verify(received.body, received.headers)

    assert verified == orjson.loads(only().payload)
    with pytest.raises(library.WebhookVerificationError):
        library.Webhook(secret).verify(received.body + b" ", received.headers)


def test_each_attempt_is_signed_anew_and_has_the_same_id_and_bytes(
    use_webhook: UseWebhook, time_machine: TimeMachineFixture, without_jitter: None
) -> None:
    tell()
    with serving(saying(response(status="500 Oops"))) as peer:
        use_webhook(peer.url())
        for moment in (NOW, NOW + 5 * SECOND, NOW + 305 * SECOND):
            time_machine.move_to(moment, tick=False)
            deliver(moment)

    bodies, message_ids, timestamps = zip(
        *[
            (received.body, received.headers["webhook-id"], int(received.headers["webhook-timestamp"]))
            for received in peer.received
        ],
        strict=True,
    )
    assert set(bodies) == {only().payload.encode()}
    assert set(message_ids) == {str(only().event_id)}
    assert [timestamp - timestamps[0] for timestamp in timestamps] == [0, 5, 305]
    for received in peer.received:
        assert received.headers["webhook-signature"] == sign(
            OLD_KEY,
            message_id=received.headers["webhook-id"],
            timestamp=received.headers["webhook-timestamp"],
            body=received.body,
        )


def test_a_batch_is_sent_at_once_so_that_a_slow_answer_holds_up_nobody(use_webhook: UseWebhook) -> None:
    everybody = threading.Barrier(delivery.BATCH)

    def wait_for_all(_peer: Peer, send: Callable[[bytes], object]) -> None:
        everybody.wait(10)
        send(response())

    for _ in range(delivery.BATCH + 1):
        tell()
    peer = deliver_to(wait_for_all, use_webhook)

    assert len(peer.received) == delivery.BATCH
    statuses = sorted(Delivery.objects.values_list("status", flat=True))
    assert statuses == ["delivered"] * delivery.BATCH + ["pending"]


def test_what_the_receiver_is_doing_to_one_event_is_of_no_account_to_another(use_webhook: UseWebhook) -> None:
    def refuse_some(peer: Peer, send: Callable[[bytes], object]) -> None:
        send(response(status="500 Oops" if b"account_locked" in peer.received[-1].body else "200 OK"))

    tell()
    deliver_to(refuse_some, use_webhook)
    tell(EventType.ACCOUNT_LOCKED)
    deliver_to(refuse_some, use_webhook)

    assert list(Delivery.objects.order_by("id").values_list("status", flat=True)) == ["delivered", "pending"]


# What comes of it


@pytest.mark.parametrize("status", ["200 OK", "201 Created", "202 Accepted", "204 No Content", "299 Odd"])
def test_any_2xx_delivers(use_webhook: UseWebhook, status: str) -> None:
    tell()
    deliver_to(saying(f"HTTP/1.1 {status}\r\n\r\n".encode()), use_webhook)

    assert (only().status, only().response_code) == ("delivered", int(status[:3]))


@pytest.mark.parametrize("code", [300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 409, 429, 500, 503, 599, 999])
def test_any_other_status_fails_the_attempt_and_is_kept(
    use_webhook: UseWebhook, without_jitter: None, code: int
) -> None:
    with serving(saying(response())) as elsewhere:
        moved = response(status=f"{code} Other", headers=f"Location: {elsewhere.url()}\r\n")
        tell()
        peer = deliver_to(saying(moved), use_webhook)

    row = only()
    assert (row.status, row.attempts, row.response_code) == ("pending", 1, code)
    assert (row.error, row.next_attempt_at) == (f"The receiver answered {code}.", NOW + 5 * SECOND)
    assert (len(peer.received), elsewhere.received) == (1, [])


@pytest.mark.parametrize(
    "talk",
    [dripping(b"", b""), dripping(b"HTTP/1.1 200 OK\r\nX-Long: ", b"x"), saying(b""), saying(b"SSH-2.0-OpenSSH\r\n")],
    ids=["silence", "an endless header", "a reset", "another protocol"],
)
def test_without_an_answer_there_is_no_response_code(
    use_webhook: UseWebhook, monkeypatch: pytest.MonkeyPatch, without_jitter: None, talk: Talk
) -> None:
    monkeypatch.setattr(delivery, "TIMEOUT_SECONDS", 0.2)
    tell()
    deliver_to(talk, use_webhook)

    row = only()
    assert (row.status, row.attempts, row.response_code) == ("pending", 1, None)
    assert row.error
    assert "127.0.0.1" not in row.error
    assert row.next_attempt_at == NOW + 5 * SECOND


def test_a_receiver_has_fifteen_seconds() -> None:
    assert delivery.TIMEOUT_SECONDS == 15
    assert timedelta(seconds=4 * delivery.TIMEOUT_SECONDS) < LEASE == timedelta(minutes=5)


def test_a_response_code_is_that_of_the_last_attempt_that_ended(use_webhook: UseWebhook, without_jitter: None) -> None:
    tell()
    deliver_to(saying(response(status="500 Oops")), use_webhook)
    assert only().response_code == 500

    use_webhook(NOWHERE)
    deliver(NOW + 5 * SECOND)
    assert (only().response_code, only().attempts) == (None, 2)


@pytest.mark.parametrize(("status", "end"), [("200 OK", "delivered"), ("500 Oops", "pending")])
def test_an_answer_is_judged_by_its_status_however_large_it_is(use_webhook: UseWebhook, status: str, end: str) -> None:
    tell()
    deliver_to(saying(response(b"x" * 100_000, status=status)), use_webhook)

    assert (only().status, only().response_code) == (end, int(status[:3]))


def test_an_endless_answer_is_hung_up_on(use_webhook: UseWebhook) -> None:
    tell()
    with serving(dripping(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 65536)) as peer:
        use_webhook(peer.url())
        deliver()
        assert peer.has_hung_up.wait(10)

    assert only().status == "delivered"


def test_an_endpoint_that_is_gone_is_tried_no_more(use_webhook: UseWebhook, caplog: pytest.LogCaptureFixture) -> None:
    tell()
    deliver_to(saying(response(status="410 Gone", headers="Retry-After: 5\r\n")), use_webhook)

    row = only()
    assert (row.status, row.attempts, row.response_code, row.delivered_at) == ("failed", 1, 410, None)
    assert DeliverWebhooks().next_due(NOW) is None
    (given_up,) = [line for line in caplog.records if line.name == "authsvc.webhooks"]
    assert (given_up.levelname, given_up.message) == ("WARNING", "a webhook was given up")
    assert "127.0.0.1" not in str(vars(given_up))
    assert "203.0.113.7" not in str(vars(given_up))


def test_a_dead_receiver_is_tried_seven_times_and_then_given_up(
    use_webhook: UseWebhook,
    time_machine: TimeMachineFixture,
    without_jitter: None,
    caplog: pytest.LogCaptureFixture,
) -> None:
    tell()

    moments = attempts_until_given_up(time_machine)

    assert moments == [sum(SCHEDULE[: count + 1]) for count in range(7)]
    assert (only().status, only().attempts, only().response_code) == ("failed", 7, None)
    (given_up,) = [line for line in caplog.records if line.levelno == logging.WARNING]
    assert (given_up.message, vars(given_up)["attempts"]) == ("a webhook was given up", 7)


def test_each_pause_is_longer_by_chance_up_to_a_fifth(time_machine: TimeMachineFixture) -> None:
    tell()

    moments = attempts_until_given_up(time_machine)

    pauses = [later - earlier for earlier, later in pairwise(moments)]
    for pause, planned in zip(pauses, SCHEDULE[1:], strict=True):
        assert planned - 1 <= pause <= planned * 1.2 + 1
    assert pauses != list(SCHEDULE[1:])


def attempts_until_given_up(time_machine: TimeMachineFixture) -> list[int]:
    """Let the job run whenever it is due; return the seconds at which it did."""
    moments = []
    job = DeliverWebhooks()
    while due := job.next_due(NOW):
        moments.append(round((due - NOW).total_seconds()))
        time_machine.move_to(due, tick=False)
        deliver(due)
    return moments


@pytest.mark.parametrize(
    ("asked", "seconds"),
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

    assert read_retry_after({"Retry-After": asked}, now=NOW) == expected


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
def test_a_receiver_that_asks_for_time_gets_it_but_is_not_asked_sooner(
    use_webhook: UseWebhook, without_jitter: None, asked: str, pause: float, status: str
) -> None:
    tell()
    deliver_to(saying(response(status=status, headers=f"retry-after: {asked}\r\n")), use_webhook)

    assert (only().status, only().next_attempt_at) == ("pending", NOW + timedelta(seconds=pause))


# Whom it may be sent to


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "169.254.169.254", "10.0.0.1", "0x7f.1"])
def test_a_target_that_is_not_public_is_refused_and_tried_again(
    use_webhook: UseWebhook, without_jitter: None, host: str
) -> None:
    tell()
    with serving(saying(response())) as peer:
        use_webhook(peer.url(scheme="https", host=host), WEBHOOK_ALLOW_PRIVATE="off")
        deliver()

    row = only()
    assert (row.status, row.response_code, peer.received) == ("pending", None, [])
    assert row.error == "Refused: The name leads to an address that is not public."
    assert row.next_attempt_at == NOW + 5 * SECOND


def test_a_name_that_leads_elsewhere_the_second_time_is_refused_then(
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
    tell()

    deliver()
    assert (answers, connected, only().error) == (["127.0.0.1"], ["1.1.1.1"], "No connection could be made.")

    deliver(NOW + 5 * SECOND)
    assert (answers, connected) == ([], ["1.1.1.1"])
    assert only().error == "Refused: The name leads to an address that is not public."


# Crashes and competitors


class Killed(BaseException):
    """The end of a worker, at a moment of the test's choice."""


def test_what_a_killed_worker_had_claimed_is_sent_when_its_lease_is_over(
    use_webhook: UseWebhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        raise Killed

    tell()
    with serving(saying(response())) as peer:
        use_webhook(peer.url())
        with monkeypatch.context() as patch:
            patch.setattr(delivery, "_settle", die)
            with pytest.raises(Killed):
                deliver()
        assert (only().status, only().attempts, only().response_code) == ("in_flight", 1, None)
        assert DeliverWebhooks().next_due(NOW) == NOW + LEASE
        deliver(NOW + LEASE - SECOND)
        assert len(peer.received) == 1
        deliver(NOW + LEASE)

    first, second = peer.received
    assert (first.body, first.headers["webhook-id"]) == (second.body, second.headers["webhook-id"])
    assert (only().status, only().attempts) == ("delivered", 2)


def test_one_whose_last_attempt_was_cut_short_is_tried_once_more_and_given_up(use_webhook: UseWebhook) -> None:
    tell()
    Delivery.objects.update(status="in_flight", attempts=7)

    deliver()

    assert (only().status, only().attempts) == ("failed", 8)


@pytest.mark.parametrize("code", [200, 500, 410, None])
def test_a_claim_that_was_taken_over_changes_nothing_any_more(
    use_webhook: UseWebhook, caplog: pytest.LogCaptureFixture, code: int | None
) -> None:
    tell()
    (late,) = claim(Delivery.objects.all(), limit=1, lease=LEASE, now=NOW)
    with serving(saying(response(status="204 Fine"))) as peer:
        use_webhook(peer.url())
        deliver(NOW + LEASE)
    before = Delivery.objects.values().get()

    outcome = Outcome(response_code=code, error="too late", duration_ms=9)
    delivery._settle(late, outcome, conf())

    assert Delivery.objects.values().get() == before
    assert before["status"] == "delivered"
    assert not [line for line in caplog.records if line.name == "authsvc.webhooks"]


@pytest.mark.django_db(transaction=True)
def test_several_workers_send_every_event_once_and_none_twice_at_a_time(use_webhook: UseWebhook) -> None:
    events, workers = 40, 4
    for _ in range(events):
        tell()
    line = threading.Barrier(workers)

    def work() -> None:
        try:
            line.wait()
            # The clock stands still, so a row is due for nobody else while somebody has it.
            while DeliverWebhooks().next_due(NOW) == NOW:
                deliver()
        finally:
            connection.close()

    with serving(saying(response())) as peer, ThreadPoolExecutor(workers) as pool:
        use_webhook(peer.url())
        for running in [pool.submit(work) for _ in range(workers)]:
            running.result()

    assert len(peer.received) == events
    assert len({received.headers["webhook-id"] for received in peer.received}) == events
    assert set(Delivery.objects.values_list("status", "attempts")) == {("delivered", 1)}


def test_the_job_is_the_workers_and_is_due_when_an_event_is() -> None:
    (job,) = [job for job in jobs if job.name == "webhooks"]
    assert job.next_due(NOW) is None

    tell()

    assert job.next_due(NOW) == NOW


def test_only_what_is_over_is_pruned(time_machine: TimeMachineFixture) -> None:
    for status in Delivery.Status.values:
        tell()
        Delivery.objects.filter(status="pending").exclude(attempts=9).update(status=status, attempts=9)

    kept, over = NOW + timedelta(days=30), NOW + timedelta(days=30, milliseconds=1)

    assert not doomed_deliveries(kept).exists()
    assert set(doomed_deliveries(over).values_list("status", flat=True)) == {"delivered", "failed"}


# The command


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("webhooks", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.parametrize("of", ["pk", "event_id"])
@pytest.mark.parametrize("status", ["200 OK", "410 Gone"])
def test_a_delivery_that_is_over_is_sent_again_with_the_same_id_and_bytes(
    use_webhook: UseWebhook, of: str, status: str
) -> None:
    tell()
    before = deliver_to(saying(response(status=status)), use_webhook)

    said = run("resend", str(getattr(only(), of)))

    row = only()
    assert said == f"{row.pk} (password_changed) will be sent again by a worker.\n"
    assert (row.status, row.attempts, row.next_attempt_at, row.delivered_at) == ("pending", 0, NOW, None)
    assert row.response_code == int(status[:3])
    after = deliver_to(saying(response(status="202 Yes")), use_webhook)
    first, second = before.received[0], after.received[0]
    assert (first.body, first.headers["webhook-id"]) == (second.body, second.headers["webhook-id"])
    assert (only().status, only().attempts, only().response_code) == ("delivered", 1, 202)


@pytest.mark.parametrize("status", ["pending", "in_flight"])
def test_a_delivery_that_is_under_way_is_left_alone(status: str) -> None:
    tell()
    Delivery.objects.update(status=status, next_attempt_at=NOW + LEASE)

    with pytest.raises(CommandError, match="It is still under way"):
        run("resend", str(only().pk))

    assert (only().status, only().next_attempt_at) == (status, NOW + LEASE)


@pytest.mark.parametrize("unknown", ["0199f3a2-7c11-7abc-8def-0123456789ab", "4711", ""])
def test_a_delivery_that_nobody_knows_is_not_sent(unknown: str) -> None:
    with pytest.raises(CommandError, match=f"There is no delivery {unknown}"):
        run("resend", unknown)


@pytest.mark.parametrize("arguments", [("test",), ("resend", "4711")])
def test_without_a_webhook_there_is_nothing_to_command(use_webhook: UseWebhook, arguments: tuple[str, ...]) -> None:
    use_webhook("")

    with pytest.raises(CommandError, match="WEBHOOK_URL is unset"):
        run(*arguments)


def test_an_example_is_signed_and_sent_and_not_recorded(use_webhook: UseWebhook) -> None:
    with serving(saying(response(status="202 Accepted"))) as peer:
        use_webhook(peer.url())
        said = run("test")

    (received,) = peer.received
    payload = orjson.loads(received.body)
    assert payload == {
        "id": received.headers["webhook-id"],
        "type": "webhook_test",
        "timestamp": "2026-11-21T03:44:29.123456Z",
        "data": {"user_id": None, "ip": "", "metadata": {}},
    }
    assert received.headers["webhook-signature"] == sign(
        OLD_KEY,
        message_id=payload["id"],
        timestamp=received.headers["webhook-timestamp"],
        body=received.body,
    )
    sent, answer = said.splitlines()
    assert sent == f"sent      {received.body.decode()}"
    assert answer.startswith("answer    202 after ")
    assert not Delivery.objects.exists()
    assert not Event.objects.exists()


def test_an_example_that_is_not_taken_fails_the_command(use_webhook: UseWebhook) -> None:
    with serving(saying(response(status="500 Oops"))) as peer:
        use_webhook(peer.url())
        with pytest.raises(CommandError, match=r"The receiver answered 500\.") as caught:
            run("test")

    assert caught.value.returncode == 1
    use_webhook(NOWHERE)
    with pytest.raises(CommandError, match="The name cannot be resolved"):
        run("test")


# The settings


@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [
        ("WEBHOOK_URL", "hooks.example.com", "an http or https URL"),
        ("WEBHOOK_URL", "ftp://hooks.example.com/", "an http or https URL"),
        ("WEBHOOK_SECRET", "c2VjcmV0" * 4, "whsec_ and 24 to 64 bytes in standard base64"),
        ("WEBHOOK_SECRET", "whsec_" + "c2Vj" * 7 + "c2VjY", "whsec_ and"),
        ("WEBHOOK_SECRET", "whsec_" + base64.b64encode(b"x" * 23).decode(), "whsec_ and"),
        ("WEBHOOK_SECRET", "whsec_" + base64.b64encode(b"x" * 65).decode(), "whsec_ and"),
        ("WEBHOOK_SECRET", "whsec_====", "whsec_ and"),
        ("WEBHOOK_SECRET", f"{OLD_SECRET},{NEW_SECRET}", "whsec_ and"),
        ("WEBHOOK_SECRET", f"{OLD_SECRET} short", "whsec_ and"),
        ("WEBHOOK_SECRET", "   ", "whsec_ and"),
        ("WEBHOOK_EVENTS", "signup_success,signup", "a comma-separated list of event types"),
        ("WEBHOOK_RETRY_SECONDS", "0,-5", "a comma-separated list of whole numbers"),
        ("WEBHOOK_RETRY_SECONDS", "0,soon", "a comma-separated list of whole numbers"),
        ("WEBHOOK_RETRY_SECONDS", ",,", "a comma-separated list of whole numbers"),
        ("WEBHOOK_RETRY_SECONDS", "604801", "a comma-separated list of whole numbers"),
        ("WEBHOOK_ALLOW_PRIVATE", "maybe", "on or off"),
    ],
)
def test_a_malformed_setting_stops_the_start_and_is_named_without_its_value(
    variable: str, value: str, expected: str
) -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        load(WebhookSettings, {variable: value})

    assert str(caught.value).startswith(f"{variable} must be {expected}")
    assert value not in str(caught.value)


def test_secrets_of_every_length_and_schedules_of_one_attempt_are_fine() -> None:
    secret = f"whsec_{base64.b64encode(b'x' * 24).decode()} {NEW_SECRET}"

    settings = load(WebhookSettings, {"WEBHOOK_SECRET": secret, "WEBHOOK_RETRY_SECONDS": "604800"})

    assert settings.secrets == (b"x" * 24, NEW_KEY)
    assert settings.retry_seconds == (604_800,)


def test_an_address_without_a_secret_stops_the_start(use_webhook: UseWebhook) -> None:
    use_webhook(NOWHERE, WEBHOOK_SECRET="")

    with pytest.raises(ImproperlyConfigured, match="WEBHOOK_URL needs WEBHOOK_SECRET"):
        check_webhooks()


@pytest.mark.parametrize("url", ["http://hooks.example.com/", "HTTP://hooks.example.com/", "Http://10.0.0.1/"])
def test_plain_http_stops_the_start_unless_it_is_allowed(use_webhook: UseWebhook, url: str) -> None:
    use_webhook(url)
    check_webhooks()

    use_webhook(url, WEBHOOK_ALLOW_PRIVATE="off")
    with pytest.raises(ImproperlyConfigured, match="WEBHOOK_URL must be https"):
        check_webhooks()


def test_a_secret_without_an_address_is_no_error(use_webhook: UseWebhook) -> None:
    use_webhook("", WEBHOOK_ALLOW_PRIVATE="off")

    check_webhooks()
