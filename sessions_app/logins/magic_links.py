"""Logins by a mailed link. Any reader of the mailbox can log in."""

from datetime import datetime, timedelta

from accounts.acts.link_requests import LinkKind, request_link
from accounts.acts.takeover import take_over
from accounts.errors import VerificationTokenInvalid
from accounts.models import MailToken
from accounts.proofs.credentials import Proof, prove_mailbox
from accounts.state.mail_tokens import Purpose, get_mail_token, void_mail_tokens
from accounts.state.proven_addresses import is_address_proven
from core.db.transactions import transaction_required, write
from core.http.client import Client
from events.vocabulary import EventType
from mail.compose import MailTemplate
from mail.limits import MailKind

from ..conf import settings
from .link_codes import issue_code
from .login import LoginAnswer, LoginMethod, begin
from .second_factors import enrolled_factors

KIND = LinkKind(
    purpose=Purpose.MAGIC_LINK,
    template=MailTemplate.MAGIC_LINK,
    event=EventType.MAGIC_LINK_REQUESTED,
    limit=MailKind.LINK,
    limit_from_known_network=MailKind.LINK_FROM_KNOWN_NETWORK,
    issue_code=issue_code,
)


def request_magic_link(*, email: str, client: Client, now: datetime) -> None:
    """Mail a link to the account's address as `request_link` does, if the address has an account."""
    lifetime = timedelta(seconds=settings().magic_link_seconds)
    request_link(kind=KIND, email=email, lifetime=lifetime, client=client, now=now)


def complete_magic_link(*, token: str, client: Client, now: datetime) -> LoginAnswer:
    """Log in with a mailed token. The token is spent, and the account's other links are void.

    When the address was never proven and the account has no second factor, the caller takes the account over. All that
    gave access to the account ends first. With a second factor the login pauses, and its completion proves the address.

    A locked account can log in this way; its count of failures and its lock stay unchanged. Raises
    VerificationTokenInvalid when the token is unknown, spent or void, and VerificationTokenExpired when it has expired.
    """
    found = get_mail_token(raw=token, purpose=Purpose.MAGIC_LINK, now=now)
    answer = _complete(found, client=client, now=now)
    if answer is None:
        raise VerificationTokenInvalid
    return answer


@write
def _complete(token: MailToken, *, client: Client, now: datetime) -> LoginAnswer | None:
    proof = prove_mailbox(token, now=now)
    if proof is None:
        return None
    return begin_by_mailbox(proof=proof, client=client, now=now)


@transaction_required
def begin_by_mailbox(*, proof: Proof, client: Client, now: datetime) -> LoginAnswer | None:
    """Begin the login of a caller who reads the mailbox, as `complete_magic_link` describes. Void the other links.

    Returns None when the proof is no longer valid. Needs a transaction that spent the mailed token.
    """
    void_mail_tokens(account_id=proof.account_id, purpose=Purpose.MAGIC_LINK, now=now)
    owned = _own(proof, client=client, now=now)
    if owned is None:
        return None
    return begin(proof=owned, method=LoginMethod.MAGIC_LINK, client=client, now=now)


@transaction_required
def _own(proof: Proof, *, client: Client, now: datetime) -> Proof | None:
    """Take the account over if its address was never proven and it has no second factor. Return the valid proof."""
    # `prove_mailbox` locked the account's row. So no concurrent call proves the address or enrolls a factor.
    if is_address_proven(account_id=proof.account_id) or enrolled_factors(account_id=proof.account_id):
        return proof
    owned = proof.supersede(now=now)
    if owned is not None:
        take_over(account_id=proof.account_id, client=client, now=now)
    return owned
