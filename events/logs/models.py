"""The table of the redacted copy of the log."""

from typing import ClassVar

from django.db import models

from core.db.ids import new_id
from core.db.leases import Leased

from .columns import RequestIdOf


class ShippedLog(Leased):
    """A redacted line of the log. The console shows the same lines that the collector gets.

    `fields` is the text of a JSON object. It is stored as text, so that it never changes. `level` is the number that
    `logging` uses. `shipped_at` is the time at which the collector accepted the line. Without a collector it is the
    time of the line.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    level = models.PositiveSmallIntegerField()
    message = models.CharField(max_length=200)
    fields = models.TextField()
    created_at = models.DateTimeField()
    shipped_at = models.DateTimeField(null=True)

    class Meta:
        """Indexes serve the worker's search for unshipped lines, and lists of warnings, of errors and of a request.

        SQLite does not have the index of requests, because an embedded deployment has no operators.
        """

        app_label = "authsvc_accounts"
        indexes: ClassVar = [
            models.Index(
                fields=["next_attempt_at"], condition=models.Q(shipped_at=None), name="authsvc_shipped_log_due"
            ),
            models.Index(models.F("id").desc(), condition=models.Q(level__gte=30), name="authsvc_shipped_log_warn"),
            models.Index(models.F("id").desc(), condition=models.Q(level__gte=40), name="authsvc_shipped_log_error"),
            models.Index(RequestIdOf("fields"), models.F("id").desc(), name="authsvc_shipped_log_request"),
        ]

    def __str__(self) -> str:
        return f"{self.message} {self.pk}"
