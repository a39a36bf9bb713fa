"""Retention of codes and of assertions that clients used."""

from datetime import datetime, timedelta

from django.db.models import QuerySet

from core.db.ids import first_id

from .models import Code, UsedAssertion

REPLAY_PERIOD = timedelta(days=1)
"""How long a second redemption of a code ends the session of the first one."""


def prunable_codes(now: datetime) -> QuerySet[Code]:
    """Return the codes to delete: those made longer ago than REPLAY_PERIOD. An unknown code gets the same error."""
    return Code.objects.filter(pk__lt=first_id(now - REPLAY_PERIOD))


def prunable_assertions(now: datetime) -> QuerySet[UsedAssertion]:
    """Return the assertions to delete: those that have expired."""
    return UsedAssertion.objects.filter(expires_at__lt=now, pk__lt=first_id(now))
