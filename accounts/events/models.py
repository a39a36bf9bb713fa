"""The audit trail."""

import operator
from functools import reduce
from typing import ClassVar

from django.db import models

from ..core.db.ids import new_id
from .vocabulary import FLAGGED, WATCHED, EventType


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
        """Listed by user and by type; what detection asks of a user or an address is found among any number of others.

        A BRIN on created_at serves retention.
        """

        indexes: ClassVar = [
            models.Index(models.F("user_id"), models.F("id").desc(), name="authsvc_event_user"),
            models.Index(fields=["type", "created_at"], name="authsvc_event_type"),
            models.Index(
                fields=["ip", "created_at"],
                condition=models.Q(type=EventType.LOGIN_FAILED),
                name="authsvc_event_failed_ip",
            ),
            models.Index(
                models.F("created_at").desc(),
                models.F("id").desc(),
                condition=models.Q(type__in=FLAGGED),
                name="authsvc_event_flagged",
            ),
            # Terms joined by OR, since SQLite finds a partial index by one of them but not by an IN.
            models.Index(
                fields=["user_id", "type", "created_at"],
                condition=reduce(operator.or_, (models.Q(type=event) for event in WATCHED)),
                name="authsvc_event_watched",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.pk}"


class EventCount(models.Model):
    """How many events of a type a day had, in UTC, once it was over. Outlives the events themselves.

    A day that has a row has one of every type that occurred on it, and so has every day before it.
    """

    day = models.DateField()
    type = models.CharField(max_length=40)
    count = models.PositiveBigIntegerField()

    class Meta:
        """Written once: a day that is over does not change."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["day", "type"], name="authsvc_event_count_day_type")]

    def __str__(self) -> str:
        return f"{self.type} {self.day}"
