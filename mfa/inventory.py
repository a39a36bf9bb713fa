"""The second factors of an account, for mails to the account owner."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from accounts.mail.compose import without_links

from .authenticators import describe_passkey
from .models import Passkey, RecoveryCode, Totp


class FactorInventory:
    """Inventory of an account's second factors, for mails to the account owner."""

    def describe(self, *, account_id: Any, now: datetime) -> Sequence[str]:
        """Return a line for each factor, and one line for the unused recovery codes."""
        lines = [
            f"Authenticator app, since {totp.confirmed_at:%Y-%m-%d}"
            for totp in Totp.objects.filter(pk=account_id, confirmed_at__isnull=False)
        ]
        passkeys = Passkey.objects.filter(account_id=account_id).order_by("created_at", "id")
        lines += [
            f"Passkey: {without_links(describe_passkey(passkey))}, since {passkey.created_at:%Y-%m-%d}"
            for passkey in passkeys
        ]
        if codes := RecoveryCode.objects.filter(batch_id=account_id, used_at=None).count():
            lines.append(f"Recovery codes: {codes}")
        return lines
