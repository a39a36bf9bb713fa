"""Addresses whose account was deleted here. No login asks the old system about one, so that it does not come back.

The rows hold a keyed digest of the address, and only while LOGIN_FALLBACK_URL is set.
"""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from accounts.lifecycle import AccountListener
from accounts.models import Account
from accounts.proofs.credentials import digest_of_unknown
from core.db.transactions import transaction_required

from ...conf import fallback_settings
from ...models import FormerAddress


def is_former(*, key: str) -> bool:
    """Return whether an account with this `email_key` was deleted here. Runs one query."""
    return FormerAddress.objects.filter(digest=digest_of_unknown(key)).exists()


class KeepFormerAddresses(AccountListener):
    """Listener that keeps the digest of a deleted account's address, in the transaction of the deletion."""

    @transaction_required
    def before_account_deleted(self, *, account_id: Any, now: datetime) -> None:
        """Insert the digest while logins ask an old system."""
        if not fallback_settings().url:
            return
        [key] = Account.objects.filter(pk=account_id).values_list("email_key", flat=True)
        FormerAddress.objects.bulk_create(
            [FormerAddress(digest=digest_of_unknown(key), deleted_at=now)], ignore_conflicts=True
        )


def prunable_former_addresses(_now: datetime) -> QuerySet[FormerAddress]:
    """Return all rows when logins ask no old system any more, and none otherwise."""
    return FormerAddress.objects.none() if fallback_settings().url else FormerAddress.objects.all()
