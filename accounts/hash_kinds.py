"""Which kinds of password hashes are stored: a row for each, so that no login has to search the users for them."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta

from . import users
from .core.db.transactions import join, write
from .models import StoredHashKind
from .passwords.hashing import kind_of

BATCH = 5_000
PAUSE_SECONDS = 0.1
"""Between two batches, so that the scan of a large table slows nothing down."""

SCAN_EVERY = timedelta(days=1)


def find_kinds() -> frozenset[str]:
    """Return the kinds of hashes that are stored, as far as the last scan and the logins since then have seen them."""
    return frozenset(StoredHashKind.objects.values_list("kind", flat=True))


@write
def note_kind(*, kind: str, now: datetime) -> None:
    """Add the kind of a stored hash that the last scan did not see."""
    _keep([kind], now=now)


class ScanHashKinds:
    """Finds the kinds of hashes that the users have: when a worker starts, then once a day."""

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
        self._due_at = now + SCAN_EVERY


@write
def _replace(kinds: set[str], *, now: datetime) -> None:
    _keep(sorted(kinds), now=now)
    # Kinds that a login has noted since the scan began stay.
    StoredHashKind.objects.filter(seen_at__lt=now).delete()


@join
def _keep(kinds: list[str], *, now: datetime) -> None:
    StoredHashKind.objects.bulk_create(
        [StoredHashKind(kind=kind, seen_at=now) for kind in kinds],
        update_conflicts=True,
        unique_fields=["kind"],
        update_fields=["seen_at"],
    )
