"""The table of the redacted copy of the log."""

from typing import ClassVar

from django.db import models

from ...core.db.ids import new_id
from ...core.db.leases import Leased


class ShippedLog(Leased):
    """A line of the log, redacted and filtered: what the console shows is what is shipped.

    `fields` is a JSON object, kept as the text that it was first written as. `shipped_at` is when the collector took it
    or, without one, when it was recorded. `level` is logging's number.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    level = models.PositiveSmallIntegerField()
    message = models.CharField(max_length=200)
    fields = models.TextField()
    created_at = models.DateTimeField()
    shipped_at = models.DateTimeField(null=True)

    class Meta:
        """The worker looks for what was not shipped; warnings are found among any number of lesser lines."""

        indexes: ClassVar = [
            models.Index(
                fields=["next_attempt_at"], condition=models.Q(shipped_at=None), name="authsvc_shipped_log_due"
            ),
            models.Index(models.F("id").desc(), condition=models.Q(level__gte=30), name="authsvc_shipped_log_warn"),
            models.Index(models.F("id").desc(), condition=models.Q(level__gte=40), name="authsvc_shipped_log_error"),
        ]

    def __str__(self) -> str:
        return f"{self.message} {self.pk}"
