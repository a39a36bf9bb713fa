"""Retention of revoked API keys and service keys."""

from datetime import datetime, timedelta

from django.db.models import QuerySet

from core.db.ids import first_id

from .models import ApiKey, ServiceKey

REVOKED_DAYS = timedelta(days=30)
"""A revoked key stays stored for this long, so that its refused uses are recorded. Afterwards the key is unknown."""


def prunable_keys(now: datetime) -> QuerySet[ApiKey]:
    """Return the keys to delete: those revoked longer than REVOKED_DAYS ago."""
    cutoff = now - REVOKED_DAYS
    return ApiKey.objects.filter(pk__lt=first_id(cutoff), revoked_at__lt=cutoff)


def prunable_service_keys(now: datetime) -> QuerySet[ServiceKey]:
    """Return the service keys to delete: those revoked longer than REVOKED_DAYS ago."""
    return ServiceKey.objects.filter(revoked_at__lt=now - REVOKED_DAYS)
