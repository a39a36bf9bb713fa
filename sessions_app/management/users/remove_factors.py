"""`manage.py users remove-factors`: remove the second factors of accounts whose owners lost them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from accounts.management.users.each import NO_CLIENT, AccountAct, Unneeded
from accounts.models import Account
from accounts.state.epochs import CredentialsEpoch

from ...families.revocation import void_pending_logins
from ...logins.factor_changes import record_removed
from ...logins.second_factors import second_factors
from ...models import DISTANT_PAST


class RemoveFactors(AccountAct):
    """Removes all second factors of accounts."""

    name = "remove-factors"
    help = "Remove all second factors and recovery codes of accounts. Sessions stay. The owners get a mail."

    def apply(self, account: Account, *, options: Mapping[str, Any], now: datetime) -> str:
        """Remove the factors, void the pending logins and mail the owner."""
        removed = []
        for factor in second_factors:
            for found in factor.remove(account_id=account.pk, added_from=DISTANT_PAST, now=now):
                metadata = {**found, "method": "operator"}
                record_removed(factor=factor, user=account.user, client=NO_CLIENT, now=now, metadata=metadata)
                removed.append(factor.label)
        if not removed:
            raise Unneeded("has no second factor")
        CredentialsEpoch.of(account).supersede(now=now)
        void_pending_logins(account_id=account.pk)
        return f"removed {', '.join(removed)}"
