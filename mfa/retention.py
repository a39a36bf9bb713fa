"""Which ceremonies are kept no longer."""

from datetime import datetime

from django.db.models import QuerySet

from accounts.retention import Prunable, prunables

from .models import Ceremony


def register_own() -> None:
    """Let the sweep delete what is this app's."""
    prunables.register(Prunable(name="passkey ceremonies", doomed=doomed_ceremonies))


def doomed_ceremonies(now: datetime) -> QuerySet[Ceremony]:
    """Return the ceremonies that expired; they are answered as unknown ones are."""
    return Ceremony.objects.filter(expires_at__lt=now)
