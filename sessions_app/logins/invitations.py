"""Acceptance of an invitation, which makes an account and logs in to it."""

from datetime import datetime

from accounts.acts.invitations import AcceptedInvitation, check_acceptance, create_invited
from accounts.errors import UserExists, VerificationTokenInvalid
from accounts.proofs.credentials import Proof
from accounts.state.epochs import CredentialsEpoch
from accounts.state.lookup import host_conflict
from core.db.transactions import write
from core.http.client import Client

from ..families.issuing import TokenPair
from .login import LoginMethod, begin


def accept_invitation(*, token: str, password: str | None, client: Client, now: datetime) -> TokenPair:
    """Make the account of the invitation, and return the tokens of its first session.

    The address is proven. Without a password, the owner can register a passkey at once, because the login is recent.

    Raises as `check_acceptance` does. Raises VerificationTokenInvalid also when a concurrent call accepted, revoked or
    replaced the invitation, or another user got the address. Opens its own transactions.
    """
    accepted = check_acceptance(token=token, password=password, client=client, now=now)
    try:
        with host_conflict(address=accepted.invitation.email, now=now):
            pair = _accept(accepted, client=client, now=now)
    except UserExists:
        raise VerificationTokenInvalid from None
    if pair is None:
        raise VerificationTokenInvalid
    return pair


@write
def _accept(accepted: AcceptedInvitation, *, client: Client, now: datetime) -> TokenPair | None:
    account = create_invited(accepted, metadata={"method": LoginMethod.INVITATION}, client=client, now=now)
    if account is None:
        return None
    proof = Proof(epoch=CredentialsEpoch.of(account), email=accepted.invitation.email)
    answer = begin(proof=proof, method=LoginMethod.INVITATION, client=client, now=now)
    # A new account has no second factor for which the login could pause.
    return answer if isinstance(answer, TokenPair) else None
