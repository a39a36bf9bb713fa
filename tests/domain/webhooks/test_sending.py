import base64
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from time_machine import TimeMachineFixture

from events.vocabulary import EventType
from events.webhooks import delivery
from events.webhooks.delivery import DeliverWebhooks
from events.webhooks.models import Delivery
from tests.loopback import Peer, answering, response, serving

from .receiving import (
    NEW_KEY,
    NEW_SECRET,
    NOW,
    OLD_KEY,
    OLD_SECRET,
    SECOND,
    UseWebhook,
    commit_event,
    deliver,
    deliver_to,
    only_delivery,
    sign,
)

pytestmark = pytest.mark.django_db


def test_an_event_is_sent_in_the_format_of_standard_webhooks(use_webhook: UseWebhook) -> None:
    commit_event()
    peer = deliver_to(answering(response(b"thanks")), use_webhook)

    (received,), row = peer.received, only_delivery()
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


def test_the_signature_matches_the_example_of_the_specification() -> None:
    key = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")

    headers = delivery.headers_of(
        message_id="msg_p5jXN8AQM9LWM0D4loKWxJek",
        body=b'{"test": 2432232314}',
        secrets=(key,),
        now=datetime.fromtimestamp(1614265330, UTC),
    )

    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_each_of_several_secrets_signs(use_webhook: UseWebhook) -> None:
    commit_event()
    peer = deliver_to(answering(response()), use_webhook, WEBHOOK_SECRET=f" {NEW_SECRET}  {OLD_SECRET} ")

    (received,) = peer.received
    sent: dict[str, Any] = {
        "message_id": received.headers["webhook-id"],
        "timestamp": received.headers["webhook-timestamp"],
        "body": received.body,
    }
    assert received.headers["webhook-signature"] == f"{sign(NEW_KEY, **sent)} {sign(OLD_KEY, **sent)}"


@pytest.mark.parametrize("secret", [OLD_SECRET, NEW_SECRET])
def test_the_receivers_library_accepts_the_message_with_either_secret(use_webhook: UseWebhook, secret: str) -> None:
    library = pytest.importorskip("standardwebhooks", reason="the library of receivers is not installed")
    commit_event()
    peer = deliver_to(answering(response()), use_webhook, WEBHOOK_SECRET=f"{NEW_SECRET} {OLD_SECRET}")

    (received,) = peer.received
    verified = library.Webhook(secret).verify(received.body, received.headers)

    assert verified == orjson.loads(only_delivery().payload)
    with pytest.raises(library.WebhookVerificationError):
        library.Webhook(secret).verify(received.body + b" ", received.headers)


def test_each_attempt_is_signed_anew_and_keeps_its_id_and_body(
    use_webhook: UseWebhook, time_machine: TimeMachineFixture, without_jitter: None
) -> None:
    commit_event()
    with serving(answering(response(status="500 Oops"))) as peer:
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
    assert set(bodies) == {only_delivery().payload.encode()}
    assert set(message_ids) == {str(only_delivery().event_id)}
    assert [timestamp - timestamps[0] for timestamp in timestamps] == [0, 5, 305]
    for received in peer.received:
        assert received.headers["webhook-signature"] == sign(
            OLD_KEY,
            message_id=received.headers["webhook-id"],
            timestamp=received.headers["webhook-timestamp"],
            body=received.body,
        )


def test_a_batch_is_sent_in_parallel_so_that_a_slow_answer_delays_no_other_event(use_webhook: UseWebhook) -> None:
    all_requests = threading.Barrier(delivery.BATCH)

    def wait_for_all(_peer: Peer, send: Callable[[bytes], object]) -> None:
        all_requests.wait(10)
        send(response())

    for _ in range(delivery.BATCH + 1):
        commit_event()
    peer = deliver_to(wait_for_all, use_webhook)

    assert len(peer.received) == delivery.BATCH
    statuses = sorted(Delivery.objects.values_list("status", flat=True))
    assert statuses == ["delivered"] * delivery.BATCH + ["pending"]


def test_a_failure_of_one_event_does_not_affect_another(use_webhook: UseWebhook) -> None:
    def refuse_some(peer: Peer, send: Callable[[bytes], object]) -> None:
        send(response(status="500 Oops" if b"account_locked" in peer.received[-1].body else "200 OK"))

    commit_event()
    deliver_to(refuse_some, use_webhook)
    commit_event(EventType.ACCOUNT_LOCKED)
    deliver_to(refuse_some, use_webhook)

    assert list(Delivery.objects.order_by("id").values_list("status", flat=True)) == ["delivered", "pending"]
