"""Which keys are kept no longer."""

from datetime import datetime, timedelta

from django.db.models import QuerySet

from accounts.core.db.ids import first_id
from accounts.retention import Prunable, prunables

from .models import ApiKey

REVOKED_DAYS = timedelta(days=30)
"""A revoked key that is still presented is recorded as such for so long; then it is as unknown as any other."""


def register_own() -> None:
    """Let the sweep delete what is this app's."""
    prunables.register(Prunable(name="revoked API keys", doomed=doomed_keys))


def doomed_keys(now: datetime) -> QuerySet[ApiKey]:
    """Return the keys that were revoked long enough ago."""
    cutoff = now - REVOKED_DAYS
    return ApiKey.objects.filter(pk__lt=first_id(cutoff), revoked_at__lt=cutoff)
