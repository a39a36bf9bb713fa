"""The report on stored password hashes that were rewritten to the configured costs."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from accounts.conf import AccountsSettings
from accounts.conf import settings as account_settings
from events.rollup import count_events
from events.vocabulary import EventType

from ..people.users import count_users
from .window import Window


@dataclass(frozen=True, slots=True, kw_only=True)
class Hasher:
    """The configuration of new hashes. Stored hashes may differ from it."""

    algorithm: str
    memory_kib: int
    iterations: int
    parallelism: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HashMigration:
    """The report on rewritten password hashes.

    It counts events, not users: `upgraded_events` only rises and may exceed `total_users`.
    """

    example: ClassVar = {
        "hasher": {"algorithm": "argon2id", "memory_kib": 19456, "iterations": 2, "parallelism": 1},
        "total_users": 97,
        "upgraded_events": 81,
        "estimated_remaining": 16,
        "window_days": 7,
        "upgraded_events_in_window": 5,
    }

    hasher: Hasher
    total_users: int
    upgraded_events: int
    estimated_remaining: int
    window_days: int
    upgraded_events_in_window: int


def report(*, window_days: int, now: datetime) -> HashMigration:
    """Return the report. The window is the last `window_days` days."""
    window = Window.ending(now, days=window_days)
    upgraded = EventType.PASSWORD_HASH_UPGRADED
    return build(
        settings=account_settings(),
        total_users=count_users(now=now),
        upgraded=count_events(types=[upgraded], since=None, until=now)[upgraded],
        upgraded_in_window=count_events(types=[upgraded], since=window.since, until=window.until)[upgraded],
        window_days=window_days,
    )


def build(
    *, settings: AccountsSettings, total_users: int, upgraded: int, upgraded_in_window: int, window_days: int
) -> HashMigration:
    """Return the report for these counts."""
    return HashMigration(
        hasher=Hasher(
            algorithm="argon2id",
            memory_kib=settings.argon2_memory_kib,
            iterations=settings.argon2_time,
            parallelism=settings.argon2_parallelism,
        ),
        total_users=total_users,
        upgraded_events=upgraded,
        estimated_remaining=max(0, total_users - upgraded),
        window_days=window_days,
        upgraded_events_in_window=upgraded_in_window,
    )
