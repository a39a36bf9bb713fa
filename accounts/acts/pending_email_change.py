"""The change of an address that waits for the confirmation at the new mailbox."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.db.transactions import write
from core.keys.jwt import Caller

from ..models import MailToken
from ..state.lookup import hold_signed_in_account
from ..state.mail_tokens import Purpose, void_mail_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingChange:
    """The new address, and the time at which its link expires."""

    address: str
    expires_at: datetime


def find_pending_change(*, account_id: Any, now: datetime) -> PendingChange | None:
    """Return the change of the account's address that still can be confirmed."""
    rows = MailToken.objects.filter(account_id=account_id, purpose=Purpose.EMAIL_CHANGE, spent_at=None)
    found = rows.filter(expires_at__gt=now).order_by("-created_at", "-id").first()
    return None if found is None else PendingChange(address=found.address, expires_at=found.expires_at)


@write
def give_up_email_change(*, caller: Caller, now: datetime) -> None:
    """Void the link of the pending change. The account keeps its present address.

    Raises InvalidAccessToken when the session has ended. Opens its own transaction.
    """
    account = hold_signed_in_account(caller=caller, now=now)
    void_mail_tokens(account_id=account.pk, purpose=Purpose.EMAIL_CHANGE, now=now)
