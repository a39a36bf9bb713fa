"""The removal of a second factor by the owner of the account, for factors without a route of their own."""

from datetime import datetime

from accounts.models import Account
from accounts.proofs.credentials import Proof, confirm_password_of
from accounts.state.lookup import hold_signed_in_account
from core.db.transactions import write
from core.errors import NotFound
from core.http.client import Client
from core.keys.jwt import Caller

from ..models import DISTANT_PAST
from .factor_changes import record_removed
from .second_factors import SecondFactor


def remove_own_factor(
    *, factor: SecondFactor, account: Account, caller: Caller, password: str, client: Client, now: datetime
) -> None:
    """Delete all credentials of the factor from the caller's account, record each removal and mail the owner.

    `account` is the caller's, as the request found it. Raises InvalidAccessToken when the session has ended,
    InvalidCredentials when the password is wrong, and NotFound when the account does not have the factor. Raises
    ReauthenticationRequired and RateLimited as `confirm_password_of` does. Opens its own transactions.
    """
    proof = confirm_password_of(account=account, caller=caller, password=password, client=client, now=now)
    _remove(factor, caller, proof, client=client, now=now)


@write
def _remove(factor: SecondFactor, caller: Caller, proof: Proof, *, client: Client, now: datetime) -> None:
    account = hold_signed_in_account(caller=caller, epoch=proof.epoch, now=now)
    removed = factor.remove(account_id=account.pk, added_from=DISTANT_PAST, now=now)
    if not removed:
        raise NotFound
    for metadata in removed:
        record_removed(factor=factor, user=account.user, client=client, now=now, metadata=metadata)
