"""A table of the kinds of password hashes that users have.

A login reads this table instead of searching all users.
"""

import time
from collections.abc import Callable
from datetime import datetime, timedelta

from core.db.transactions import transaction_required, write

from ..host import users
from ..models import StoredHashKind
from ..passwords.hashing import kind_of

BATCH = 5_000
PAUSE_SECONDS = 0.1
"""The pause between two batches. It keeps the scan of a large table from slowing down other statements."""

SCAN_INTERVAL = timedelta(days=1)


def find_kinds() -> frozenset[str]:
    """Return the kinds of hashes that the last scan and later logins found."""
    return frozenset(StoredHashKind.objects.values_list("kind", flat=True))


@write
def note_kind(*, kind: str, now: datetime) -> None:
    """Add the kind of a stored hash, or update its time when the table has the kind. Opens its own transaction."""
    _keep([kind], now=now)


class ScanHashKinds:
    """Job that searches all users for kinds of hashes. It runs when a worker starts and then once a day."""

    name = "hash kinds"

    def __init__(self) -> None:
        self._due_at: datetime | None = None

    def next_due(self, now: datetime) -> datetime | None:
        return self._due_at or now

    def run(self, now: datetime, stop: Callable[[], bool]) -> None:
        found: set[str] = set()
        for encoded in users.iterate_password_hashes(batch=BATCH):
            found.update(kind for kind in map(kind_of, encoded) if kind)
            if stop():
                return
            time.sleep(PAUSE_SECONDS)
        _replace(found, now=now)
        self._due_at = now + SCAN_INTERVAL


@write
def _replace(kinds: set[str], *, now: datetime) -> None:
    _keep(sorted(kinds), now=now)
    # A login may have noted a kind since the scan began. That row has a later `seen_at` and stays.
    StoredHashKind.objects.filter(seen_at__lt=now).delete()


@transaction_required
def _keep(kinds: list[str], *, now: datetime) -> None:
    StoredHashKind.objects.bulk_create(
        [StoredHashKind(kind=kind, seen_at=now) for kind in kinds],
        update_conflicts=True,
        unique_fields=["kind"],
        update_fields=["seen_at"],
    )
