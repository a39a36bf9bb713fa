"""The mail with a link that verifies an account's address, and the refusal of logins before the verification."""

from datetime import datetime, timedelta
from typing import Any

from core.db.transactions import transaction_required, write
from core.http.client import Client
from events.audit import record
from events.vocabulary import EventType
from mail.compose import MailTemplate, enqueue, is_mail_on
from mail.conf import settings
from mail.limits import MailKind, may_mail

from ..errors import EmailNotVerified
from ..host import users
from ..host.changes import has_no_address
from ..models import Account
from ..state.epochs import CredentialsEpoch
from ..state.mail_tokens import Purpose, issue_mail_token
from ..state.proven_addresses import is_address_proven

LIVE_MAX = 3
"""The maximum number of an account's links that work at a time. A mail can arrive after the mail that was sent later."""


@transaction_required
def mail_verification(*, account_id: Any, address: str, client: Client, now: datetime) -> None:
    """Queue a mail with a link that verifies the address. Needs a check of the limits.

    Needs a transaction, and the lock on the account's row.
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


def check_verified(*, account_id: Any) -> None:
    """Raise EmailNotVerified when the deployment requires a proven address and the account has none.

    Each login calls this function unless it proves the mailbox itself. The caller then calls `mail_after_refusal`.
    """
    if settings().email_verification == "required" and not is_address_proven(account_id=account_id):
        raise EmailNotVerified


def mail_after_refusal(*, account_id: Any, client: Client, now: datetime) -> None:
    """Mail a fresh link after `check_verified` refused a login, and record the refusal. It does not count for the lock.

    Beyond the limit of the mailbox, the call mails nothing. Opens its own transaction.
    """
    account = Account.objects.select_related("user").filter(pk=account_id).first()
    if account is not None:
        # Without an address of its own, there is no mailbox that can prove the account's address.
        is_mailed = not has_no_address(account) and may_mail(
            MailKind.VERIFICATION, users.email_of(account.user), now=now
        )
        _record_refusal(account, is_mailed=is_mailed, client=client, now=now)


@write
def _record_refusal(account: Account, *, is_mailed: bool, client: Client, now: datetime) -> None:
    if CredentialsEpoch.of(account).hold() is None:
        return
    metadata = {"reason": "email_not_verified"}
    record(event=EventType.LOGIN_FAILED, user_id=str(account.pk), client=client, now=now, metadata=metadata)
    if is_mailed:
        mail_verification(account_id=account.pk, address=users.email_of(account.user), client=client, now=now)
