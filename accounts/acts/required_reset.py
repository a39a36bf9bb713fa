"""The demand of an operator that the owner of an account sets a new password."""

from datetime import datetime

from core.db.transactions import transaction_required

from ..host import users
from ..lifecycle import SignOut
from ..models import Account
from .sign_out import sign_out


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
