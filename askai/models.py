"""Tables of the askai app."""

from typing import ClassVar

from django.db import models

from accounts.core.db.ids import new_id


class Setting(models.Model):
    """One of the operator's settings, under its name. What is no secret stands in `value`, the credential is sealed."""

    name = models.CharField(max_length=20, primary_key=True)
    value = models.JSONField()
    credential = models.BinaryField(null=True)
    updated_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class RememberedPlan(models.Model):
    """What a model made of a question, for a day: of two that were made at once all processes keep the first.

    `digest` is the SHA-256 of all that the plan depends on, the question among it; the question itself is not kept.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    digest = models.BinaryField(max_length=32)
    plan = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        """One plan a question."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="authsvc_plan_digest")]

    def __str__(self) -> str:
        return str(self.pk)
