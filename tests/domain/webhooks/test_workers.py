import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from time_machine import TimeMachineFixture

from core.db.leases import claim
from core.jobs import jobs
from events.conf import webhook_settings
from events.webhooks import delivery
from events.webhooks.delivery import (
    LEASE,
    DeliverWebhooks,
    Outcome,
    prunable_deliveries,
)
from events.webhooks.models import Delivery
from tests.loopback import answering, response, serving

from .receiving import NOW, SECOND, UseWebhook, commit_event, deliver, only_delivery

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """The end of a worker at a chosen step."""


def test_an_event_that_a_killed_worker_claimed_is_sent_after_its_lease(
    use_webhook: UseWebhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        raise Killed

    commit_event()
    with serving(answering(response())) as peer:
        use_webhook(peer.url())
        with monkeypatch.context() as patch:
            patch.setattr(delivery, "_store_outcome", die)
            with pytest.raises(Killed):
                deliver()
        assert (only_delivery().status, only_delivery().attempts, only_delivery().response_code) == (
            "in_flight",
            1,
            None,
        )
        assert DeliverWebhooks().next_due(NOW) == NOW + LEASE
        deliver(NOW + LEASE - SECOND)
        assert len(peer.received) == 1
        deliver(NOW + LEASE)

    first, second = peer.received
    assert (first.body, first.headers["webhook-id"]) == (second.body, second.headers["webhook-id"])
    assert (only_delivery().status, only_delivery().attempts) == ("delivered", 2)


def test_a_delivery_whose_last_attempt_was_interrupted_is_tried_once_more_and_given_up(use_webhook: UseWebhook) -> None:
    commit_event()
    Delivery.objects.update(status="in_flight", attempts=7)

    deliver()

    assert (only_delivery().status, only_delivery().attempts) == ("failed", 8)


@pytest.mark.parametrize("code", [200, 500, 410, None])
def test_a_worker_that_lost_its_claim_changes_nothing(
    use_webhook: UseWebhook, caplog: pytest.LogCaptureFixture, code: int | None
) -> None:
    commit_event()
    (late,) = claim(Delivery.objects.all(), limit=1, lease=LEASE, now=NOW)
    with serving(answering(response(status="204 Fine"))) as peer:
        use_webhook(peer.url())
        deliver(NOW + LEASE)
    before = Delivery.objects.values().get()

    outcome = Outcome(response_code=code, error="too late", duration_ms=9)
    delivery._store_outcome(late, outcome, webhook_settings())

    assert Delivery.objects.values().get() == before
    assert before["status"] == "delivered"
    assert not [line for line in caplog.records if line.name == "authsvc.webhooks"]


@pytest.mark.django_db(transaction=True)
def test_several_workers_send_every_event_exactly_once(use_webhook: UseWebhook) -> None:
    events, workers = 40, 4
    for _ in range(events):
        commit_event()
    line = threading.Barrier(workers)

    def work() -> None:
        try:
            line.wait()
            # The clock is frozen. Therefore a row that one worker has claimed is due for no other worker.
            while DeliverWebhooks().next_due(NOW) == NOW:
                deliver()
        finally:
            connection.close()

    with serving(answering(response())) as peer, ThreadPoolExecutor(workers) as pool:
        use_webhook(peer.url())
        for running in [pool.submit(work) for _ in range(workers)]:
            running.result()

    assert len(peer.received) == events
    assert len({received.headers["webhook-id"] for received in peer.received}) == events
    assert set(Delivery.objects.values_list("status", "attempts")) == {("delivered", 1)}


def test_the_job_belongs_to_the_worker_and_is_due_when_an_event_is_due() -> None:
    (job,) = [job for job in jobs if job.name == "webhooks"]
    assert job.next_due(NOW) is None

    commit_event()

    assert job.next_due(NOW) == NOW


def test_only_finished_deliveries_are_pruned(time_machine: TimeMachineFixture) -> None:
    for status in Delivery.Status.values:
        commit_event()
        Delivery.objects.filter(status="pending").exclude(attempts=9).update(status=status, attempts=9)

    kept, over = NOW + timedelta(days=30), NOW + timedelta(days=30, milliseconds=1)

    assert not prunable_deliveries(kept).exists()
    assert set(prunable_deliveries(over).values_list("status", flat=True)) == {"delivered", "failed"}


def test_without_a_webhook_every_delivery_is_pruned_after_its_retention(use_webhook: UseWebhook) -> None:
    for status in Delivery.Status.values:
        commit_event()
        Delivery.objects.filter(status="pending").exclude(attempts=9).update(status=status, attempts=9)
    use_webhook("")

    kept, over = NOW + timedelta(days=30), NOW + timedelta(days=30, milliseconds=1)

    assert not prunable_deliveries(kept).exists()
    assert set(prunable_deliveries(over).values_list("status", flat=True)) == set(Delivery.Status.values)
