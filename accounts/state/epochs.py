"""The epoch of an account's credentials, which shows whether the credentials have changed between two moments."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from core.db import sql
from core.db.transactions import transaction_required

from ..models import Account

# Plain SQL, because every login runs this statement. The ORM took more time to build it than to run it.
_HOLD_SQL = f"""
    SELECT failed_attempts <> 0 OR locked_until IS NOT NULL OR locks_in_row <> 0
    FROM {Account._meta.db_table} WHERE user_id = %s AND credentials_epoch = %s AND deactivated_at IS NULL
"""  # noqa: S608 - the table's own name


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldAccount:
    """The state of an account's row that stays locked until the commit."""

    has_failures: bool
    """Whether the row counts failures or locks, so that a completed login has to reset them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CredentialsEpoch:
    """The value of an account's `credentials_epoch` at the time of a read. It proves nothing about the caller."""

    account_id: Any
    number: int

    @classmethod
    def of(cls, account: Account) -> "CredentialsEpoch":
        """Return the epoch in the account's loaded row."""
        return cls(account_id=account.pk, number=account.credentials_epoch)

    @transaction_required
    def hold(self) -> HeldAccount | None:
        """Return the account's row if the account is active and this is still its epoch. Both hold until the commit.

        PostgreSQL locks the account's row and reads it again after it gets the lock. On SQLite the transaction is the
        only writer. Needs a transaction.
        """
        lock = "FOR NO KEY UPDATE" if connection.vendor == "postgresql" else ""
        row = sql.fetch_one(f"{_HOLD_SQL}{lock}", (self.account_id, self.number))
        return None if row is None else HeldAccount(has_failures=bool(row[0]))

    @transaction_required
    def supersede(self, *, now: datetime) -> "CredentialsEpoch | None":
        """Raise the account's epoch and return the new epoch. All earlier proofs for the account are then invalid.

        Returns None, and changes nothing, when the account's epoch is already another. Every transaction that changes
        or deletes a credential calls this method before its changes. A concurrent login that proved the old password
        then has two outcomes. Either the login commits first, and this transaction revokes its session. Or the login
        waits for the row lock and then finds that its epoch is outdated. Needs a transaction.
        """
        rows = Account.objects.filter(pk=self.account_id, credentials_epoch=self.number)
        if not rows.update(credentials_epoch=self.number + 1, updated_at=now):
            return None
        return CredentialsEpoch(account_id=self.account_id, number=self.number + 1)
