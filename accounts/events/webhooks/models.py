"""The table of what is sent to the webhook."""

from typing import ClassVar

from django.db import models

from ...core.db.ids import new_id
from ...core.db.leases import Leased


class Delivery(Leased):
    """An event on its way to the webhook, and afterwards the record of what was sent.

    `payload` is what is sent, byte for byte, each time. `attempts` have begun so far; `response_code`, `error` and
    `duration_ms` are of the last one that ended. A claim of a worker that died is over at `next_attempt_at`.
    """

    class Status(models.TextChoices):
        """Where it stands."""

        PENDING = "pending"
        IN_FLIGHT = "in_flight"
        DELIVERED = "delivered"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    event_id = models.UUIDField()
    event_type = models.CharField(max_length=40)
    user_id = models.CharField(max_length=64, null=True)  # noqa: DJ001 - as in the event
    ip = models.CharField(max_length=45, blank=True)
    payload = models.TextField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    response_code = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=200, blank=True)
    duration_ms = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField()
    delivered_at = models.DateTimeField(null=True)

    class Meta:
        """The worker looks for the one that is due first; lists go by status, the newest first.

        An account that is deleted takes along what is over. What is still to be sent is in no index of accounts, so that
        recording an event writes none.
        """

        indexes: ClassVar = [
            models.Index(
                fields=["next_attempt_at"],
                # Terms joined by OR, since SQLite finds a partial index by one of them but not by an IN.
                condition=models.Q(status="pending") | models.Q(status="in_flight"),
                name="authsvc_delivery_due",
            ),
            models.Index(models.F("status"), models.F("id").desc(), name="authsvc_delivery_status"),
            models.Index(
                fields=["user_id"],
                condition=models.Q(status="delivered") | models.Q(status="failed"),
                name="authsvc_delivery_user",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event_type} {self.pk}"
