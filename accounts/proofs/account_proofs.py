"""The proof of the account beside a mailed token: the password, or the access token of a live session.

A mailed token proves the mailbox, but not the account. Another person may have made the account or requested the token.
"""

from dataclasses import dataclass
from datetime import datetime

from core import ratelimit
from core.db.transactions import transaction_required
from core.http.client import Client
from core.keys.jwt import Caller

from ..errors import VerificationTokenInvalid
from ..lifecycle import session_stores
from ..models import Account
from .credentials import check_password


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountProof:
    """The proof that a caller has besides a mailed token. It can be empty.

    `is_password_right` is true for the account's epoch from before the check. `caller` belongs to the account.
    """

    account: Account
    caller: Caller | None
    is_password_right: bool

    @transaction_required
    def proves_account(self, *, now: datetime) -> bool:
        """Return whether the caller has proven the account. The session stays locked until the commit.

        The caller of this method has checked the account's epoch. Needs a transaction.
        """
        caller = self.caller
        return self.is_password_right or (
            caller is not None
            and any(
                store.hold_live(token_id=caller.token_id, account_id=self.account.pk, now=now)
                for store in session_stores
            )
        )


def check_account_proof(
    *, account: Account, caller: Caller | None, password: str | None, client: Client, now: datetime
) -> AccountProof:
    """Return the proof of the account that the request contains.

    `caller` comes from a valid access token, or is None. `password` is None when the request contains none.

    Raises VerificationTokenInvalid when the access token belongs to another account. Raises InvalidCredentials when the
    password is wrong, or without a check of the password when the account is locked. A wrong password counts towards
    the lock. Raises RateLimited beyond the account's limit `password`. Opens its own transactions.
    """
    if caller is not None and caller.user_id != str(account.pk):
        raise VerificationTokenInvalid
    if password is not None:
        ratelimit.hit(ratelimit.Limit.PASSWORD, str(account.pk), now=now)
        check_password(account=account, password=password, client=client, now=now)
    return AccountProof(account=account, caller=caller, is_password_right=password is not None)
