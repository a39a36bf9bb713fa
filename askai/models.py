"""Tables of the askai app."""

from typing import ClassVar

from django.db import models

from core.db.ids import new_id


class Setting(models.Model):
    """One of the operator's settings. `value` contains no secret; `credential` contains the sealed credential, if any."""

    name = models.CharField(max_length=20, primary_key=True)
    value = models.JSONField()
    credential = models.BinaryField(null=True)
    updated_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class RememberedPlan(models.Model):
    """The plan that a model made of a question, kept for a day.

    The constraint `authsvc_plan_digest` keeps the first of two plans that are made at once; all processes use that one.
    `digest` is the SHA-256 of everything on which the plan depends, including the question. The question is not stored.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    digest = models.BinaryField(max_length=32)
    plan = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        """One plan for each digest."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="authsvc_plan_digest")]

    def __str__(self) -> str:
        return str(self.pk)
