"""The end of an account's API keys when the owner of a mailbox takes the account over or undoes a changed address."""

from datetime import datetime
from typing import Any

from accounts.lifecycle import AccountListener

from .models import ApiKey


class RevokeKeys(AccountListener):
    """Listener that revokes an account's keys in the transaction of a takeover or of an undone change."""

    def account_taken_over(self, *, account_id: Any, now: datetime) -> None:
        """Revoke every key of the account. Refused uses of these keys are still recorded."""
        ApiKey.objects.filter(account_id=account_id, revoked_at=None).update(revoked_at=now)

    def address_restored(self, *, account_id: Any, added_from: datetime, now: datetime) -> None:
        """Revoke the keys that were made from `added_from` on."""
        ApiKey.objects.filter(account_id=account_id, revoked_at=None, created_at__gte=added_from).update(revoked_at=now)
