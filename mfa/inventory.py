"""The second factors of an account, for mails to the account owner."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from mail.compose import without_links
from mail.languages import format_day

from .models import Passkey, RecoveryCode, Totp
from .passkeys.authenticators import describe_passkey


class FactorInventory:
    """Inventory of an account's second factors, for mails to the account owner."""

    def describe(self, *, account_id: Any, now: datetime) -> Sequence[str]:
        """Return a line for each factor, and one line for the unused recovery codes."""
        lines = [
            gettext("Authenticator app, since {day}").format(day=format_day(confirmed_at))
            for confirmed_at in Totp.objects.filter(pk=account_id).values_list("confirmed_at", flat=True)
            if confirmed_at is not None
        ]
        passkeys = Passkey.objects.filter(account_id=account_id).order_by("created_at", "id")
        lines += [
            gettext("Passkey: {name}, since {day}").format(
                name=without_links(describe_passkey(passkey)), day=format_day(passkey.created_at)
            )
            for passkey in passkeys
        ]
        if codes := RecoveryCode.objects.filter(batch_id=account_id, used_at=None).count():
            lines.append(gettext("Recovery codes: {count}").format(count=codes))
        return lines
