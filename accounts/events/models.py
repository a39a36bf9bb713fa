"""The audit trail."""

from typing import ClassVar

from django.db import models

from ..core.ids import new_id
from .vocabulary import EventType


class Event(models.Model):
    """One thing that happened, recorded in the transaction in which it happened.

    `user_id` is text without a foreign key: events outlive their account. An address never stands in `metadata`, so
    that deleting an account only has to blank `ip` and `user_agent`.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    type = models.CharField(max_length=40)
    user_id = models.CharField(max_length=64, null=True)  # noqa: DJ001 - null is "no account", "" would be a user id
    ip = models.CharField(max_length=45, blank=True)
    user_agent = models.CharField(max_length=512, blank=True)
    metadata = models.JSONField(default=dict)
    created_at = models.DateTimeField()

    class Meta:
        """Listed by user and by type; failures are counted by address. A BRIN on created_at serves retention."""

        indexes: ClassVar = [
            models.Index(models.F("user_id"), models.F("id").desc(), name="authsvc_event_user"),
            models.Index(fields=["type", "created_at"], name="authsvc_event_type"),
            models.Index(
                fields=["ip", "created_at"],
                condition=models.Q(type=EventType.LOGIN_FAILED),
                name="authsvc_event_failed_ip",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.pk}"
