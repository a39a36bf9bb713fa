"""Tables of the audit events and of their counts per day."""

import operator
from functools import reduce
from typing import ClassVar

from django.db import models

from core.db.ids import new_id

from .networks import NetworkOf
from .vocabulary import FLAGGED_EVENTS, INCIDENT_EVENTS, WATCHED_EVENTS, EventType


class Event(models.Model):
    """An audit event. It is recorded in the transaction of the change that it describes.

    `user_id` is text without a foreign key, because events outlive their account. `metadata` never contains an address.
    Deleting an account therefore only clears `ip` and `user_agent`.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    type = models.CharField(max_length=40)
    user_id = models.CharField(max_length=64, null=True)  # noqa: DJ001 - null is "no account", "" would be a user id
    ip = models.CharField(max_length=45, blank=True)
    user_agent = models.CharField(max_length=512, blank=True)
    metadata = models.JSONField(default=dict)
    created_at = models.DateTimeField()

    class Meta:
        """Indexes serve lists by user, IP address and type, and the queries of detection by user and by IP address.

        On PostgreSQL a BRIN index on `created_at` serves retention. Only PostgreSQL has `authsvc_event_ip`,
        `authsvc_event_network` and `authsvc_event_incident`.
        """

        app_label = "authsvc_accounts"
        verbose_name = "audit event"
        indexes: ClassVar = [
            models.Index(models.F("user_id"), models.F("id").desc(), name="authsvc_event_user"),
            models.Index(models.F("ip"), models.F("id").desc(), condition=~models.Q(ip=""), name="authsvc_event_ip"),
            models.Index(
                NetworkOf("ip"), models.F("id").desc(), condition=~models.Q(ip=""), name="authsvc_event_network"
            ),
            models.Index(
                NetworkOf("ip"),
                "type",
                models.F("id").desc(),
                condition=~models.Q(ip="") & models.Q(type__in=INCIDENT_EVENTS),
                name="authsvc_event_incident",
            ),
            models.Index(fields=["type", "created_at"], name="authsvc_event_type"),
            models.Index(
                fields=["ip", "created_at"],
                condition=models.Q(type=EventType.LOGIN_FAILED),
                name="authsvc_event_failed_ip",
            ),
            models.Index(
                models.F("created_at").desc(),
                models.F("id").desc(),
                condition=models.Q(type__in=FLAGGED_EVENTS),
                name="authsvc_event_flagged",
            ),
            # OR, not IN: for a query on one type SQLite uses an index with OR, but none with IN.
            models.Index(
                fields=["user_id", "type", "created_at"],
                condition=reduce(operator.or_, (models.Q(type=event) for event in WATCHED_EVENTS)),
                name="authsvc_event_watched",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.pk}"


class EventCount(models.Model):
    """The number of events of one type on one finished day in UTC. The row outlives the events.

    When a day has a row, it has a row for every type that occurred on the day. All earlier days have been counted too.
    """

    day = models.DateField()
    type = models.CharField(max_length=40)
    count = models.PositiveBigIntegerField()

    class Meta:
        """A day has one row per type: `authsvc_event_count_day_type`. A row never changes, because the day is over."""

        app_label = "authsvc_accounts"
        constraints: ClassVar = [models.UniqueConstraint(fields=["day", "type"], name="authsvc_event_count_day_type")]

    def __str__(self) -> str:
        return f"{self.type} {self.day}"
