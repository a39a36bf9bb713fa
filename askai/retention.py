"""Retention of the plans that a language model made."""

from datetime import datetime, timedelta

from django.db.models import QuerySet

from core.db.ids import first_id

from .models import RememberedPlan

PLAN_LIFETIME = timedelta(hours=24)
"""For this long the same question gets the same plan, without another call of the model."""


def prunable_plans(now: datetime) -> QuerySet[RememberedPlan]:
    """Return the plans that are older than PLAN_LIFETIME."""
    return RememberedPlan.objects.filter(created_at__lte=now - PLAN_LIFETIME, pk__lt=first_id(now - PLAN_LIFETIME))
