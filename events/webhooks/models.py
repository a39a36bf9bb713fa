"""The table of webhook deliveries."""

from typing import ClassVar

from django.db import models

from core.db.ids import new_id
from core.db.leases import Leased

LOGOUT_TOKEN = "backchannel_logout"  # noqa: S105 - a name
"""The type of the deliveries of logout tokens, beside the types of events."""


class Delivery(Leased):
    """The delivery of an event to the webhook, or of a message of another kind. A finished delivery remains as a record.

    For the kind EVENT, every attempt sends the same bytes: `payload`. For another kind, the sender that another app
    registered makes the request from `payload`. `attempts` counts the attempts that have begun. `response_code`,
    `error` and `duration_ms` describe the last finished attempt. `response_code` is NULL when that attempt got no
    answer, and when no attempt has finished. When a worker dies, its claim ends at `next_attempt_at`.
    """

    class Status(models.TextChoices):
        """The state of a delivery."""

        PENDING = "pending"
        IN_FLIGHT = "in_flight"
        DELIVERED = "delivered"
        FAILED = "failed"

    class Kind(models.TextChoices):
        """The content of a delivery: an event for the webhook, or a logout token for an application."""

        EVENT = "event"
        LOGOUT = "logout"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=10, choices=Kind.choices, db_default=Kind.EVENT)
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
        """Indexes serve the worker's search for due deliveries, and lists by status with the newest delivery first.

        The index by user serves the deletion of an account, which deletes its finished deliveries. It leaves out
        unfinished deliveries, so that recording an event does not write to this index.
        """

        app_label = "authsvc_accounts"
        verbose_name = "webhook delivery"
        verbose_name_plural = "webhook deliveries"
        indexes: ClassVar = [
            models.Index(
                fields=["next_attempt_at"],
                # OR, not IN: for a query on one status SQLite uses an index with OR, but none with IN.
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


class DeliveryAttempt(models.Model):
    """A finished attempt of a delivery. Its id has the time of its end.

    `response_code` is NULL when the attempt got no answer. `beginning` is the beginning of the receiver's answer. A
    receiver chooses it, so it can be any text. There is no foreign key: a process of the previous release deletes
    deliveries and does not know this table.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    delivery_id = models.UUIDField()
    number = models.PositiveSmallIntegerField()
    started_at = models.DateTimeField()
    response_code = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=200, blank=True)
    beginning = models.CharField(max_length=500, blank=True)
    duration_ms = models.PositiveIntegerField()

    class Meta:
        """The index finds the attempts of a delivery."""

        app_label = "authsvc_accounts"
        verbose_name = "attempt of a webhook delivery"
        verbose_name_plural = "attempts of webhook deliveries"
        indexes: ClassVar = [models.Index(fields=["delivery_id"], name="authsvc_attempt_delivery")]

    def __str__(self) -> str:
        return f"{self.number} of {self.delivery_id}"
