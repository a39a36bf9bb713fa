"""Retention of recorded digests and of reviewed events."""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from core.db.ids import first_id

from .conf import digest_settings
from .models import RecordedDigest, Review


def prunable_digests(now: datetime) -> QuerySet[RecordedDigest]:
    """Return the digests that are older than their retention."""
    cutoff = now - timedelta(days=digest_settings().retention_days)
    return RecordedDigest.objects.filter(pk__lt=first_id(cutoff), generated_at__lt=cutoff)


class ReviewedEvents:
    """Keeps reviewed events from pruning, because they are evidence."""

    def kept(self) -> Q:
        """Return the condition on events that have a review."""
        return Q(Exists(Review.objects.filter(pk=OuterRef("pk"))))
