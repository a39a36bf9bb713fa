"""A table of the kinds of password hashes that users have, and of the number of users of each kind.

A login reads this table instead of searching all users. Operators read the progress of a migration from it.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F, Min

from core.db.transactions import transaction_required, write

from ..host import users
from ..models import StoredHashKind
from ..passwords.hashing import kind_of, name_of, todays_kind

BATCH = 5_000
PAUSE_SECONDS = 0.1
"""The pause between two batches. It keeps the scan of a large table from slowing down other statements."""

SCAN_INTERVAL = timedelta(days=1)

MIGRATION_INTERVAL = timedelta(hours=1)
"""The interval while users have hashes of another kind than new hashes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindOfHash:
    """The number of users with hashes of one name. `is_present` is true for the kind and the costs of new hashes."""

    name: str
    is_present: bool
    users: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The kinds of the stored hashes, the most frequent first. `counted_at` is None before the first count.

    Users without a password are in no kind, and so are users with a hash that the service cannot check.
    """

    counted_at: datetime | None
    kinds: tuple[KindOfHash, ...]

    @property
    def users(self) -> int:
        """The number of users with a hash of a known kind."""
        return sum(kind.users for kind in self.kinds)

    @property
    def remaining(self) -> int:
        """The number of users whose hash the next login rewrites."""
        return sum(kind.users for kind in self.kinds if not kind.is_present)


def find_kinds() -> frozenset[str]:
    """Return the kinds of hashes that the last scan and later logins found."""
    return frozenset(StoredHashKind.objects.values_list("kind", flat=True))


def find_progress() -> Progress:
    """Return the number of users of each kind by the last count. The call reads one short table."""
    today = todays_kind()
    counts: Counter[tuple[str, bool]] = Counter()
    for row in StoredHashKind.objects.all():
        counts[name_of(row.kind), row.kind == today] += row.users
    return Progress(
        # A later login only makes the time of its own kind later.
        counted_at=StoredHashKind.objects.aggregate(at=Min("seen_at"))["at"],
        kinds=tuple(
            KindOfHash(name=name, is_present=is_present, users=number)
            for (name, is_present), number in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
            if number
        ),
    )


@write
def note_kind(*, kind: str, now: datetime) -> None:
    """Add the kind of a stored hash, or update its time when the table has the kind. Opens its own transaction."""
    _keep({kind: 1}, now=now, changed=["seen_at"])


@transaction_required
def add_users(*, kinds: Mapping[str, int], now: datetime) -> None:
    """Add these numbers of new users to the counts of their kinds. Needs a transaction.

    An import calls it with the `hashing.kind_of` of the hashes that it stores. Refused logins then know the kinds at
    once, and operators see the users without a new count.
    """
    _keep(dict.fromkeys(kinds, 0), now=now, changed=["seen_at"])
    for kind, number in sorted(kinds.items()):
        StoredHashKind.objects.filter(kind=kind).update(users=F("users") + number)


def count_kinds(*, now: datetime, pause: float, stop: Callable[[], bool]) -> bool:
    """Count the users of each kind, and return whether the count was completed before `stop()` was true.

    The call reads all users in batches, with a `pause` of seconds between two batches. Opens its own transaction.
    """
    found: Counter[str] = Counter()
    for encoded in users.iterate_password_hashes(batch=BATCH):
        found.update(kind for kind in map(kind_of, encoded) if kind)
        if stop():
            return False
        time.sleep(pause)
    _replace(found, now=now)
    return True


class ScanHashKinds:
    """Job that counts the users of each kind of hash. It runs when a worker starts and then once a day.

    While users have other hashes than new ones, it runs once an hour.
    """

    name = "hash kinds"

    def __init__(self) -> None:
        self._due_at: datetime | None = None

    def next_due(self, now: datetime) -> datetime | None:
        return self._due_at or now

    def run(self, now: datetime, stop: Callable[[], bool]) -> None:
        if count_kinds(now=now, pause=PAUSE_SECONDS, stop=stop):
            is_migrating = bool(find_kinds() - {todays_kind()})
            self._due_at = now + (MIGRATION_INTERVAL if is_migrating else SCAN_INTERVAL)


@write
def _replace(kinds: Mapping[str, int], *, now: datetime) -> None:
    _keep(kinds, now=now, changed=["seen_at", "users"])
    # A login may have noted a kind since the scan began. That row has a later `seen_at` and stays.
    StoredHashKind.objects.filter(seen_at__lt=now).delete()


@transaction_required
def _keep(kinds: Mapping[str, int], *, now: datetime, changed: list[str]) -> None:
    """Insert the kinds with their numbers of users. Update the columns `changed` of the kinds that the table has."""
    StoredHashKind.objects.bulk_create(
        [StoredHashKind(kind=kind, users=number, seen_at=now) for kind, number in sorted(kinds.items())],
        update_conflicts=True,
        unique_fields=["kind"],
        update_fields=changed,
    )
