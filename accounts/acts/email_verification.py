"""Verification of an account's e-mail address by a mailed link and a proof of the account."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar, Literal, TypeAlias

from core.db.transactions import write
from core.errors import BadRequest
from core.http.answers import Component
from core.http.client import Client
from core.keys.jwt import Caller

from ..errors import VerificationTokenInvalid
from ..host import users
from ..host.changes import check_own_address
from ..models import MailToken
from ..proofs.account_proofs import AccountProof, check_account_proof
from ..proofs.credentials import prove_mailbox
from ..state.lookup import hold_signed_in_account
from ..state.mail_tokens import Purpose, account_of, get_mail_token, void_mail_tokens
from ..state.proven_addresses import is_address_proven, prove_address
from ..state.reconciliation import follow_address
from .verification_mails import mail_verification


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationSent:
    """The service mails a link."""

    example: ClassVar = {"status": "verification sent"}

    status: Literal["verification sent"] = "verification sent"


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailVerified:
    """The address is verified."""

    example: ClassVar = {"status": "email verified"}

    status: Literal["email verified"] = "email verified"


VerificationAnswer: TypeAlias = Annotated[VerificationSent | EmailVerified, Component("EmailVerificationAnswer")]


@write
def request_verification(*, caller: Caller, client: Client, now: datetime) -> VerificationAnswer:
    """Mail a link that verifies the account's address. When the address is proven, the call mails nothing.

    At most `verification_mails.LIVE_MAX` links of the account work at a time. Raises InvalidAccessToken when the session
    has ended or the account was deleted. Raises BadRequest when the account has no address of its own. Opens its own transaction.
    """
    account = hold_signed_in_account(caller=caller, now=now)
    # This comes before the token is made. A later call would detect the host's change and void the token.
    follow_address(account, now=now)
    check_own_address(account)
    if is_address_proven(account_id=account.pk):
        return EmailVerified()
    mail_verification(account_id=account.pk, address=users.email_of(account.user), client=client, now=now)
    return VerificationSent()


def confirm_verification(
    *, token: str, password: str | None, caller: Caller | None, client: Client, now: datetime
) -> EmailVerified:
    """Record the account's address as proven. The token is spent, and the account's other links of this kind are void.

    The token proves the mailbox. The password, or `caller` with a live session, proves the account. Otherwise a click
    by the owner of the mailbox could make another person's account trusted.

    Raises VerificationTokenInvalid and VerificationTokenExpired as `get_mail_token` does. Raises
    VerificationTokenInvalid, InvalidCredentials and RateLimited as `check_account_proof` does, and BadRequest without a
    proof of the account. The token is not spent when the call raises. Opens its own transactions.
    """
    found = get_mail_token(raw=token, purpose=Purpose.EMAIL_VERIFY, now=now)
    proof = check_account_proof(account=account_of(found), caller=caller, password=password, client=client, now=now)
    _confirm(found, proof, client=client, now=now)
    return EmailVerified()


@write
def _confirm(token: MailToken, proof: AccountProof, *, client: Client, now: datetime) -> None:
    mailbox = prove_mailbox(token, now=now)
    if mailbox is None:
        raise VerificationTokenInvalid
    if not proof.proves_account(now=now):
        raise BadRequest("password: is required without an access token of a live session.")
    void_mail_tokens(account_id=mailbox.account_id, purpose=Purpose.EMAIL_VERIFY, now=now)
    prove_address(account_id=mailbox.account_id, address=mailbox.email, client=client, now=now)
