"""The epoch of an account's credentials, which shows whether the credentials have changed between two moments."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from .core.db import sql
from .core.db.transactions import transaction_required
from .models import Account

# Plain SQL, because every login runs this statement. The ORM took more time to build it than to run it.
_HOLDS = f"SELECT 1 FROM {Account._meta.db_table} WHERE user_id = %s AND credentials_epoch = %s"  # noqa: S608 - the table's own name


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
    def holds(self) -> bool:
        """Return whether this is still the account's epoch. If so, it stays the account's epoch until the commit.

        PostgreSQL locks the account's row and checks the epoch again after it gets the lock. On SQLite the transaction
        is the only writer. Runs in the caller's transaction.
        """
        lock = " FOR NO KEY UPDATE" if connection.vendor == "postgresql" else ""
        return sql.fetch_one(f"{_HOLDS}{lock}", (self.account_id, self.number)) is not None

    @transaction_required
    def supersede(self, *, now: datetime) -> bool:
        """Raise the account's epoch and return True. All earlier proofs for the account are then invalid.

        Returns False, and changes nothing, when the account's epoch is already another. Every transaction that changes
        or deletes a credential calls this method before its changes. A concurrent login that proved the old password
        then has two outcomes. Either the login commits first, and this transaction revokes its session. Or the login
        waits for the row lock and then finds that its epoch is outdated. Runs in the caller's transaction.
        """
        rows = Account.objects.filter(pk=self.account_id, credentials_epoch=self.number)
        return bool(rows.update(credentials_epoch=self.number + 1, updated_at=now))
