"""What second factors are to the rest of the service: they gate logins, and mails list them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from accounts.events.vocabulary import EventType
from accounts.mail.compose import without_links

from .authenticators import describe_passkey
from .models import Passkey, RecoveryCode, Totp


class TotpFactor:
    """An authenticator app, once it is confirmed."""

    name = "totp"
    gates_login = True
    enrolled_event = EventType.TOTP_ENABLED
    removed_event = EventType.TOTP_DISABLED

    def is_enrolled(self, *, account_id: Any) -> bool:
        """Tell from the row alone: a key that is gone opens no account."""
        return Totp.objects.filter(pk=account_id, confirmed_at__isnull=False).exists()


class PasskeyFactor:
    """Passkeys, one or more."""

    name = "passkey"
    gates_login = True
    enrolled_event = EventType.PASSKEY_REGISTERED
    removed_event = EventType.PASSKEY_REMOVED

    def is_enrolled(self, *, account_id: Any) -> bool:
        """Tell from the rows alone: a key that is gone opens no account."""
        return Passkey.objects.filter(account_id=account_id).exists()


class FactorInventory:
    """Lists an account's second factors, for its owner."""

    def describe(self, *, account_id: Any, now: datetime) -> Sequence[str]:
        """Return a line for each factor, and one for the recovery codes that are left."""
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
