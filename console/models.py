"""Tables of the console."""

from typing import Any, ClassVar

from django.db import connections, models

from accounts.core.db.ids import new_id
from accounts.models import Account

NOTE_MAX = 500


def cascade_where_there_are_operators(collector: Any, field: Any, sub_objs: Any, using: str) -> None:
    """Delete an account's grant along with it. An embedded deployment has no such table to look into."""
    if connections[using].vendor == "postgresql":
        models.CASCADE(collector, field, sub_objs, using)


# Else the collector would ask the table for rows before it calls the function.
cascade_where_there_are_operators.lazy_sub_objs = True  # type: ignore[attr-defined]  # Django's protocol


class Operator(models.Model):
    """An account that may use the console. `role` is the site's own word for it; the claim is the same for all."""

    account = models.OneToOneField(
        Account, on_delete=cascade_where_there_are_operators, primary_key=True, related_name="+"
    )
    role = models.CharField(max_length=64)
    granted_at = models.DateTimeField()

    class Meta:
        """Full deployments alone have operators."""

        required_db_vendor = "postgresql"

    def __str__(self) -> str:
        return str(self.pk)


class RecordedDigest(models.Model):
    """A digest as it was rendered when the schedule came round."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    window_start = models.DateTimeField()
    window_end = models.DateTimeField()
    generated_at = models.DateTimeField()
    text = models.TextField()

    def __str__(self) -> str:
        return str(self.pk)


class DigestSchedule(models.Model):
    """When the next digest is due. There is one row at most, whose key is always the same."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    due_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.due_at)


class Review(models.Model):
    """What an operator made of a flagged event. An event without a row was never judged.

    No foreign key: it would make pruning events look here for each of them. An event that has a row is not pruned.
    """

    class Status(models.TextChoices):
        """The judgement; UNREVIEWED withdraws an earlier one."""

        UNREVIEWED = "unreviewed"
        CONFIRMED = "confirmed"
        DISMISSED = "dismissed"

    event_id = models.UUIDField(primary_key=True, editable=False)
    status = models.CharField(max_length=10, choices=Status.choices)
    note = models.CharField(max_length=NOTE_MAX, blank=True)
    reviewer_id = models.CharField(max_length=64)
    updated_at = models.DateTimeField()

    class Meta:
        """Listed by judgement."""

        indexes: ClassVar = [models.Index(fields=["status"], name="authsvc_review_status")]

    def __str__(self) -> str:
        return str(self.pk)
