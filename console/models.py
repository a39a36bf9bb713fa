"""Tables of the console."""

from typing import Any, ClassVar

from django.db import connections, models

from accounts.core.db.ids import new_id
from accounts.models import Account

NOTE_MAX = 500


def cascade_where_there_are_operators(collector: Any, field: Any, sub_objs: Any, using: str) -> None:
    """Delete an account's grant with the account. Do nothing on an embedded deployment, which has no such table."""
    if connections[using].vendor == "postgresql":
        models.CASCADE(collector, field, sub_objs, using)


# Otherwise the collector would query the table before it calls the function.
cascade_where_there_are_operators.lazy_sub_objs = True  # type: ignore[attr-defined]  # Django's protocol


class Operator(models.Model):
    """An account that may use the console. `role` is free text of the deployment; every operator has the same claim."""

    account = models.OneToOneField(
        Account, on_delete=cascade_where_there_are_operators, primary_key=True, related_name="+"
    )
    role = models.CharField(max_length=64)
    granted_at = models.DateTimeField()

    class Meta:
        """Only full deployments have this table."""

        required_db_vendor = "postgresql"

    def __str__(self) -> str:
        return str(self.pk)


class RecordedDigest(models.Model):
    """A digest with the text that was rendered when it was recorded."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    window_start = models.DateTimeField()
    window_end = models.DateTimeField()
    generated_at = models.DateTimeField()
    text = models.TextField()

    def __str__(self) -> str:
        return str(self.pk)


class DigestSchedule(models.Model):
    """The time at which the next digest is due. There is at most one row, because its key is always 1."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    due_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.due_at)


class Review(models.Model):
    """An operator's judgement on a flagged event. An event without a row was never judged.

    An event with a row is not pruned. There is no foreign key: with one, pruning an event would search this table.
    """

    class Status(models.TextChoices):
        """The judgement. UNREVIEWED withdraws an earlier judgement."""

        UNREVIEWED = "unreviewed"
        CONFIRMED = "confirmed"
        DISMISSED = "dismissed"

    event_id = models.UUIDField(primary_key=True, editable=False)
    status = models.CharField(max_length=10, choices=Status.choices)
    note = models.CharField(max_length=NOTE_MAX, blank=True)
    reviewer_id = models.CharField(max_length=64)
    updated_at = models.DateTimeField()

    class Meta:
        """The index serves lists of one status."""

        indexes: ClassVar = [models.Index(fields=["status"], name="authsvc_review_status")]

    def __str__(self) -> str:
        return str(self.pk)
