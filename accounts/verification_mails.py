"""The mail with a link that verifies an account's address."""

from datetime import datetime, timedelta
from typing import Any

from .core.db.transactions import transaction_required
from .core.http.client import Client
from .mail.compose import MailTemplate, enqueue, is_mail_on
from .mail.conf import settings
from .mail.limits import MailKind, may_mail
from .mail_tokens import Purpose, issue_mail_token

LIVE_MAX = 3
"""The maximum number of an account's links that work at a time. A mail can arrive after the mail that was sent later."""


@transaction_required
def mail_verification(*, account_id: Any, address: str, client: Client, now: datetime) -> None:
    """Queue a mail with a link that verifies the address. The caller holds the account's row and has checked the limits.

    Runs in the caller's transaction.
    """
    lifetime = timedelta(seconds=settings().email_verify_seconds)
    token = issue_mail_token(
        account_id=account_id,
        purpose=Purpose.EMAIL_VERIFY,
        address=address,
        now=now,
        lifetime=lifetime,
        live_max=LIVE_MAX,
    )
    enqueue(
        template=MailTemplate.EMAIL_VERIFY,
        to=address,
        account_id=account_id,
        values={"token": token},
        client=client,
        now=now,
        expires_at=now + lifetime,
    )


def may_mail_at_sign_up(*, address: str, now: datetime) -> bool:
    """Return whether a sign-up with the address may mail a link. A True counts towards the mailbox's limit."""
    if not is_mail_on() or settings().email_verification == "off":
        return False
    return may_mail(MailKind.VERIFICATION, address, now=now)
