"""The end of an account's API keys when the owner of its mailbox takes the account over."""

from datetime import datetime
from typing import Any

from accounts.lifecycle import AccountListener

from .models import ApiKey


class RevokeKeys(AccountListener):
    """Listener that revokes an account's keys in the transaction of a takeover."""

    def account_taken_over(self, *, account_id: Any, now: datetime) -> None:
        """Revoke every key of the account. Refused uses of these keys are still recorded."""
        ApiKey.objects.filter(account_id=account_id, revoked_at=None).update(revoked_at=now)
