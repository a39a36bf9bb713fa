"""The number of unused recovery codes, for questions about the account's state."""

from datetime import datetime
from typing import Any

from .codes import RecoveryProof, count_unused


class RecoveryCodeHolding:
    """The recovery codes of an account that are not used yet."""

    name = RecoveryProof.factor

    def count(self, *, account_id: Any, now: datetime) -> int:
        """Return the number of unused codes."""
        return count_unused(account_id=account_id)
