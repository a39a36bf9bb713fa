"""Retention of codes, of pushed requests, and of assertions that clients used."""

from datetime import datetime, timedelta

from django.db.models import QuerySet

from core.db.ids import first_id

from .models import Code, DeviceRequest, PushedRequest, UsedAssertion

REPLAY_PERIOD = timedelta(days=1)
"""How long a second redemption of a code ends the session of the first one."""

PUSHED_PERIOD = timedelta(hours=2)
"""How long a pushed request stays. It exceeds the time for a sign-in that began before the request expired."""


def prunable_codes(now: datetime) -> QuerySet[Code]:
    """Return the codes to delete: those made longer ago than REPLAY_PERIOD. An unknown code gets the same error."""
    return Code.objects.filter(pk__lt=first_id(now - REPLAY_PERIOD))


def prunable_requests(now: datetime) -> QuerySet[PushedRequest]:
    """Return the pushed requests to delete: those made longer ago than PUSHED_PERIOD."""
    return PushedRequest.objects.filter(pk__lt=first_id(now - PUSHED_PERIOD))


def prunable_devices(now: datetime) -> QuerySet[DeviceRequest]:
    """Return the requests of devices to delete: those made longer ago than PUSHED_PERIOD."""
    return DeviceRequest.objects.filter(pk__lt=first_id(now - PUSHED_PERIOD))


def prunable_assertions(now: datetime) -> QuerySet[UsedAssertion]:
    """Return the assertions to delete: those that have expired."""
    return UsedAssertion.objects.filter(expires_at__lt=now, pk__lt=first_id(now))
