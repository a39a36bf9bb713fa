"""The end of second factors when the owner of a mailbox takes the account over or undoes a changed address."""

from datetime import datetime
from typing import Any

from accounts.lifecycle import AccountListener
from core.db.transactions import transaction_required

from .models import AccountRecovery, Ceremony, Passkey, RecoveryBatch, Totp


class RemoveFactors(AccountListener):
    """Listener that removes an account's factors in the transaction of a takeover or of an undone change."""

    def account_taken_over(self, *, account_id: Any, now: datetime) -> None:
        """Delete the factors, the recovery codes and the ceremonies of the account, and end its recovery."""
        delete_factors(account_id=account_id)
        AccountRecovery.objects.filter(account_id=account_id).delete()

    def address_restored(self, *, account_id: Any, added_from: datetime, now: datetime) -> None:
        """Delete the factors and recovery codes that were added from `added_from` on, and every ceremony."""
        for model in (Totp, Passkey, RecoveryBatch):
            model._default_manager.filter(account_id=account_id, created_at__gte=added_from).delete()
        Ceremony.objects.filter(account_id=account_id).delete()


@transaction_required
def delete_factors(*, account_id: Any) -> None:
    """Delete the authenticator app, the passkeys, the recovery codes and the ceremonies of the account."""
    for model in (Totp, Passkey, RecoveryBatch, Ceremony):
        model._default_manager.filter(account_id=account_id).delete()
