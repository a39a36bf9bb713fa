"""The end of an account's second factors when the owner of its mailbox takes the account over."""

from datetime import datetime
from typing import Any

from accounts.lifecycle import AccountListener
from core.db.transactions import transaction_required

from .models import AccountRecovery, Ceremony, Passkey, RecoveryBatch, Totp


class RemoveFactors(AccountListener):
    """Listener that removes an account's factors in the transaction of a takeover."""

    def account_taken_over(self, *, account_id: Any, now: datetime) -> None:
        """Delete the factors, the recovery codes and the ceremonies of the account, and end its recovery."""
        delete_factors(account_id=account_id)
        AccountRecovery.objects.filter(account_id=account_id).delete()


@transaction_required
def delete_factors(*, account_id: Any) -> None:
    """Delete the authenticator app, the passkeys, the recovery codes and the ceremonies of the account."""
    for model in (Totp, Passkey, RecoveryBatch, Ceremony):
        model._default_manager.filter(account_id=account_id).delete()
