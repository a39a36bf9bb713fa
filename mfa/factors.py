"""The second factors as other apps see them: they gate logins, and mails list them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from accounts.events.vocabulary import EventType
from accounts.mail.compose import without_links

from .authenticators import describe_passkey
from .models import Passkey, RecoveryCode, Totp


class TotpFactor:
    """The second factor of a confirmed authenticator app."""

    name = "totp"
    gates_login = True
    enrolled_event = EventType.TOTP_ENABLED
    removed_event = EventType.TOTP_DISABLED

    def is_enrolled(self, *, account_id: Any) -> bool:
        """Return whether the account has a confirmed app, from the row alone.

        Does not unseal the secret. Otherwise, a lost ENCRYPTION_KEY would open the account without its second factor.
        """
        return Totp.objects.filter(pk=account_id, confirmed_at__isnull=False).exists()


class PasskeyFactor:
    """The second factor of one or more passkeys."""

    name = "passkey"
    gates_login = True
    enrolled_event = EventType.PASSKEY_REGISTERED
    removed_event = EventType.PASSKEY_REMOVED

    def is_enrolled(self, *, account_id: Any) -> bool:
        """Return whether the account has a passkey, from the rows alone.

        Does not depend on ENCRYPTION_KEY. Otherwise, a lost key would open the account without its second factor.
        """
        return Passkey.objects.filter(account_id=account_id).exists()


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
