"""The attempts of deliveries: each has the answer of the receiver."""

from datetime import timedelta

import pytest

from core.db.transactions import write
from core.outgoing import exchange
from events.webhooks import delivery
from events.webhooks.attempts import list_attempts, prunable_attempts
from events.webhooks.delivery import forget_deliveries
from events.webhooks.models import Delivery, DeliveryAttempt
from tests.loopback import answering, dripping, response

from .receiving import NOW, SECOND, UseWebhook, commit_event, deliver, deliver_to, only_delivery

pytestmark = pytest.mark.django_db


def test_each_attempt_keeps_the_time_the_status_and_the_beginning_of_the_answer(use_webhook: UseWebhook) -> None:
    commit_event()
    deliver_to(answering(response(b"down\r\n for\x00 \xff" + b"x" * 600, status="503 Busy")), use_webhook)
    Delivery.objects.update(next_attempt_at=NOW)
    deliver_to(answering(b""), use_webhook)
    Delivery.objects.update(next_attempt_at=NOW)
    deliver_to(answering(response(b'{"ok":true}')), use_webhook)

    newest, lost, first = list_attempts(delivery_id=only_delivery().pk)
    assert (newest.number, newest.response_code, newest.error, newest.beginning) == (3, 200, "", '{"ok":true}')
    assert (lost.number, lost.response_code, lost.beginning) == (2, None, "")
    assert lost.error == "The connection failed or was closed early."
    assert (first.number, first.response_code, first.error) == (1, 503, "The receiver answered 503.")
    assert first.beginning.startswith("down for\N{REPLACEMENT CHARACTER} \N{REPLACEMENT CHARACTER}xxx")
    assert len(first.beginning) <= 500
    assert first.started_at == NOW - timedelta(milliseconds=first.duration_ms)


def test_an_answer_that_never_ends_counts_by_its_status(
    use_webhook: UseWebhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "BEGINNING_SECONDS", 0.2)
    commit_event()

    deliver_to(dripping(b"HTTP/1.1 200 OK\r\n\r\n", b"x"), use_webhook)

    (attempt,) = list_attempts(delivery_id=only_delivery().pk)
    assert (only_delivery().status, attempt.response_code) == ("delivered", 200)
    assert set(attempt.beginning) == {"x"}


def test_a_status_near_the_end_of_the_time_still_counts(
    use_webhook: UseWebhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "TIMEOUT_SECONDS", 0.6)
    commit_event()

    deliver_to(dripping(b"HTTP/1.1 410 Gone\r\n\r\n", b"x"), use_webhook)

    assert (only_delivery().status, only_delivery().response_code) == ("failed", 410)


def test_attempts_are_deleted_with_their_retention_and_with_the_deliveries_of_an_account(
    use_webhook: UseWebhook,
) -> None:
    for user_id in ("4711", "4712"):
        commit_event(user_id=user_id)
    deliver_to(answering(response()), use_webhook)
    deliver(NOW)
    assert DeliveryAttempt.objects.count() == 2
    assert not prunable_attempts(NOW + timedelta(days=30)).exists()
    assert prunable_attempts(NOW + timedelta(days=30) + SECOND).count() == 2

    write(forget_deliveries)(user_id="4711")

    (left,) = DeliveryAttempt.objects.all()
    assert Delivery.objects.get(pk=left.delivery_id).user_id == "4712"
