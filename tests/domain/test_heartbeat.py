"""The heartbeat of the background workers."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from accounts.models import WorkerHeartbeat
from accounts.ops.heartbeat import BEAT_INTERVAL, SILENCE_MAX, Heartbeat, find_last_beat
from core.clock import now

pytestmark = pytest.mark.django_db


def test_workers_share_one_heartbeat() -> None:
    started = now()
    assert find_last_beat() is None

    for seconds in (0, 1, 2):
        Heartbeat().run(started + timedelta(seconds=seconds), lambda: False)

    assert find_last_beat() == started + timedelta(seconds=2)
    with pytest.raises(IntegrityError), transaction.atomic():
        WorkerHeartbeat.objects.create(id=2, seen_at=started)


def test_a_worker_beats_at_its_start_and_often_enough() -> None:
    job, started = Heartbeat(), now()
    assert job.next_due(started) == started

    job.run(started, lambda: False)

    assert job.next_due(started) == started + BEAT_INTERVAL
    assert 2 * BEAT_INTERVAL < SILENCE_MAX
