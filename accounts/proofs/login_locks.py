"""Counts of wrong passwords beside those of the accounts: for unknown addresses, and for the known networks of accounts.

An unknown address locks as an account does. Otherwise a lock would reveal that the account exists. A known network of an
account passes a lock that others caused, but its own wrong passwords lock it.
"""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings as django_settings
from django.db.models import Q

from core.db import sql
from core.db.ids import new_id
from core.db.transactions import transaction_required
from core.http.client import Client
from events.vocabulary import EventType

from ..conf import settings
from ..models import FAILURE_MEMORY_PERIOD, LoginLock
from .known_networks import network_of
from .lockout import clear_failures, is_locked, lock_length, record_failure

_TABLE = LoginLock._meta.db_table

# One statement, so that parallel attempts cannot exceed the threshold. A locked row does not change.
_COUNT_SQL = f"""
    INSERT INTO {_TABLE} AS counted (id, digest, failed_attempts, locked_until, locks_in_row, failed_at)
    VALUES (%s, %s, 1, NULL, 0, %s)
    ON CONFLICT (digest) DO UPDATE SET
        failed_attempts = CASE
            WHEN counted.locked_until IS NOT NULL OR counted.failed_at <= %s THEN 1
            ELSE counted.failed_attempts + 1
        END,
        locks_in_row = CASE WHEN counted.failed_at <= %s THEN 0 ELSE counted.locks_in_row END,
        locked_until = NULL,
        failed_at = excluded.failed_at
    WHERE counted.locked_until IS NULL OR counted.locked_until <= %s
    RETURNING failed_attempts, locks_in_row
"""  # noqa: S608 - only constants are interpolated


@dataclass(frozen=True, slots=True, kw_only=True)
class LockKey:
    """The key of a count: a keyed digest of 32 hexadecimal digits. It reveals neither the address nor the network."""

    digest: str

    @classmethod
    def of_address(cls, key: str) -> "LockKey":
        """Return the key of an unknown address. `key` is its `email_key`."""
        return cls(digest=_digest("address", key))

    @classmethod
    def of_network(cls, *, account_id: Any, ip: str) -> "LockKey":
        """Return the key of the network of the IP address, for this account."""
        return cls(digest=_digest("network", str(account_id), network_of(ip)))

    def is_locked(self, *, now: datetime) -> bool:
        """Return whether a lock of the key is in force."""
        until = LoginLock.objects.filter(digest=self.digest).values_list("locked_until", flat=True).first()
        return is_locked(locked_until=until, now=now)

    @transaction_required
    def count(self, *, now: datetime) -> int | None:
        """Count an attempt, and lock the key at the threshold. Return the number of the lock that began, or 0.

        Returns None, and changes nothing, while a lock is in force. Needs a transaction.
        """
        past = now - FAILURE_MEMORY_PERIOD
        row = sql.fetch_one(_COUNT_SQL, (new_id(), self.digest, now, past, past, now))
        if row is None:
            return None
        failed, locks = row
        if failed < settings().lockout_threshold:
            return 0
        until = now + lock_length(number=locks + 1)
        LoginLock.objects.filter(digest=self.digest).update(locked_until=until, locks_in_row=locks + 1)
        return int(locks) + 1

    @transaction_required
    def forget(self) -> None:
        """Reset the count. Needs a transaction."""
        LoginLock.objects.filter(digest=self.digest).delete()


@transaction_required
def record_own_failure(
    *, account_id: Any, event: EventType, client: Client, now: datetime, metadata: Mapping[str, Any]
) -> None:
    """Count a failure of the account as `record_failure` does, and of the client's network. Needs a transaction."""
    record_failure(
        account=Q(pk=account_id), user_id=str(account_id), event=event, client=client, now=now, metadata=metadata
    )
    LockKey.of_network(account_id=account_id, ip=client.ip).count(now=now)


@transaction_required
def clear_own_failures(*, account_id: Any, client: Client, now: datetime) -> None:
    """Reset the failures of the account as `clear_failures` does, and then of the client's network. Needs a transaction."""
    if clear_failures(account_id=account_id, now=now):
        LockKey.of_network(account_id=account_id, ip=client.ip).forget()


def _digest(*parts: str) -> str:
    text = "\0".join(parts)
    return hmac.new(f"authsvc.lock:{django_settings.SECRET_KEY}".encode(), text.encode(), hashlib.sha256).hexdigest()[
        :32
    ]
