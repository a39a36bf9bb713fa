"""The demand of an operator that the owner of an account sets a new password, and the link that sets it."""

from datetime import datetime, timedelta

from core.db.transactions import transaction_required
from core.http.client import Client
from mail.compose import MailTemplate, enqueue
from mail.conf import settings

from ..host import users
from ..lifecycle import SignOut
from ..models import Account
from ..state.mail_tokens import Purpose, issue_mail_token
from .sign_out import sign_out

_NO_CLIENT = Client(ip="", user_agent="")


@transaction_required
def require_reset(account: Account, *, now: datetime) -> bool:
    """Retire the password of the account, sign the account out, and return whether it had a password.

    The account has no password afterwards. A login with the retired password gets PasswordResetRequired. Needs the lock on
    the account's row. Needs a transaction.
    """
    if not users.retire_password(account_id=account.pk):
        return False
    sign_out(account, act=SignOut.REQUIRED_RESET, now=now)
    return True


@transaction_required
def mail_reset_link(account: Account, *, template: MailTemplate, now: datetime) -> None:
    """Mail the owner a link that sets a new password, as PASSWORD_RESET or as RESET_DEMANDED. Earlier links are void.

    Needs the lock on the account's row. Needs a transaction.
    """
    lifetime = timedelta(seconds=settings().password_reset_seconds)
    address = users.email_of(account.user)
    token = issue_mail_token(
        account_id=account.pk,
        purpose=Purpose.PASSWORD_RESET,
        address=address,
        now=now,
        lifetime=lifetime,
        live_max=1,
    )
    enqueue(
        template=template,
        to=address,
        account_id=account.pk,
        values={"token": token},
        client=_NO_CLIENT,
        now=now,
        expires_at=now + lifetime,
    )
