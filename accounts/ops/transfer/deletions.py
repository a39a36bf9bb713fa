"""The ids of accounts that were deleted here, which no import makes again. The events of the deletions keep them."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Q

from events.models import Event
from events.vocabulary import EventType


def find_deleted(ids: Sequence[UUID]) -> frozenset[str]:
    """Return the text of those ids whose account was deleted. Runs one query, on the events' index by user."""
    if not ids:
        return frozenset()
    events = Event.objects.filter(user_id__in=[str(key) for key in ids], type=EventType.ACCOUNT_DELETED)
    return frozenset(str(key) for key in events.values_list("user_id", flat=True))


class KeepDeletions:
    """Exempts the events of deletions from retention. Otherwise an old export could bring a deleted account back."""

    def kept(self) -> Q:
        """Return the condition of these events, which contain an id without an account, and no address."""
        return Q(type=EventType.ACCOUNT_DELETED)
