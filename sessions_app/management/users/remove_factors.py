"""`manage.py users remove-factors`: remove the second factors of accounts whose owners lost them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from accounts.management.users.each import AccountAct, Unneeded
from accounts.models import Account

from ...logins.factor_changes import take_factors


class RemoveFactors(AccountAct):
    """Removes all second factors of accounts."""

    name = "remove-factors"
    help = "Remove all second factors and recovery codes of accounts. Sessions stay. The owners get a mail."

    def apply(self, account: Account, *, options: Mapping[str, Any], now: datetime) -> str:
        """Remove the factors, void the pending logins and mail the owner."""
        removed = take_factors(account, now=now)
        if not removed:
            raise Unneeded("has no second factor")
        return f"removed {', '.join(removed)}"
