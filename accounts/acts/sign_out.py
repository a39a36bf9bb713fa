"""The sign-out of an account by an operator."""

from datetime import datetime

from core.db.transactions import transaction_required

from ..lifecycle import SignOut, account_listeners
from ..models import Account
from ..state.epochs import CredentialsEpoch
from ..state.mail_tokens import void_mail_tokens


@transaction_required
def sign_out(account: Account, *, act: SignOut, now: datetime) -> None:
    """End every session, pending login and mailed token of the account, and every proof in progress.

    API keys and links that undo a change of the address stay. Needs the lock on the account's row. Needs a transaction.
    """
    CredentialsEpoch.of(account).supersede(now=now)
    void_mail_tokens(account_id=account.pk, now=now)
    for listener in account_listeners:
        listener.account_signed_out(account_id=account.pk, act=act, now=now)
