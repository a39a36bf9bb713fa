"""Retention of passkey ceremonies."""

from datetime import datetime

from django.db.models import QuerySet

from .models import Ceremony


def prunable_ceremonies(now: datetime) -> QuerySet[Ceremony]:
    """Return the ceremonies to delete: those that have expired.

    An expired ceremony gets the same error as an unknown one.
    """
    return Ceremony.objects.filter(expires_at__lt=now)
