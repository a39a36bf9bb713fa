"""Logins by a mailed link. Any reader of the mailbox can log in."""

from datetime import datetime, timedelta
from typing import Any

from accounts import users
from accounts.addresses import email_key
from accounts.core.db.transactions import transaction_required, write
from accounts.core.http.client import Client
from accounts.credentials import Proof, digest_of_unknown, prove_mailbox, record_unknown_address
from accounts.epochs import CredentialsEpoch
from accounts.errors import VerificationTokenInvalid
from accounts.events.audit import record
from accounts.events.vocabulary import EventType
from accounts.lookup import find_or_link_account, search_unlinked
from accounts.mail.compose import MailTemplate, enqueue
from accounts.mail.limits import MailKind, may_mail
from accounts.mail.queue import NO_RECIPIENT
from accounts.mail_tokens import Purpose, get_mail_token, issue_mail_token, void_mail_tokens
from accounts.models import Account, MailToken
from accounts.proven_addresses import is_address_proven
from accounts.takeover import take_over

from .conf import settings
from .known_networks import is_known_network
from .login import LoginAnswer, LoginMethod, begin
from .second_factors import enrolled_factors

LIVE_MAX = 3


def request_magic_link(*, email: str, client: Client, now: datetime) -> None:
    """Mail a link to the account's address, if the address has an account.

    Neither the response nor its time reveals whether there is an account. Sends no mail beyond the limit `mailbox`.
    Requests from a network in which the account logged in recently have a separate budget. So an attacker in another
    network cannot use up the owner's budget.
    """
    account = find_or_link_account(email=email, now=now)
    is_known = is_known_network(account_id=account.pk if account else None, ip=client.ip, now=now)
    is_sent = may_mail(MailKind.LINK_FROM_KNOWN_NETWORK if is_known else MailKind.LINK, email, now=now)
    if account is None:
        _send_to_no_one(email, is_sent=is_sent, client=client, now=now)
        return
    search_unlinked(account)
    _send(account, is_sent=is_sent, client=client, now=now)


@write
def _send_to_no_one(email: str, *, is_sent: bool, client: Client, now: datetime) -> None:
    """Run the statements of `_send` for an address that has no account."""
    key = email_key(email)
    CredentialsEpoch(account_id=None, number=0).holds()
    record_unknown_address(event=EventType.MAGIC_LINK_REQUESTED, key=key, client=client, now=now)
    if is_sent:
        _mail_token(account_id=None, address=digest_of_unknown(key), to=NO_RECIPIENT, client=client, now=now)


@write
def _send(account: Account, *, is_sent: bool, client: Client, now: datetime) -> None:
    if not CredentialsEpoch.of(account).holds():
        return
    record(event=EventType.MAGIC_LINK_REQUESTED, user_id=str(account.pk), client=client, now=now)
    if is_sent:
        email = users.email_of(account.user)
        _mail_token(account_id=account.pk, address=email, to=email, client=client, now=now)


@transaction_required
def _mail_token(*, account_id: Any | None, address: str, to: str, client: Client, now: datetime) -> None:
    """Queue the mail with the link. Without an account, `address` is a digest and the worker sends no mail."""
    lifetime = timedelta(seconds=settings().magic_link_seconds)
    token = issue_mail_token(
        account_id=account_id,
        purpose=Purpose.MAGIC_LINK,
        address=address,
        now=now,
        lifetime=lifetime,
        live_max=LIVE_MAX,
    )
    enqueue(
        template=MailTemplate.MAGIC_LINK,
        to=to,
        account_id=account_id,
        values={"token": token},
        client=client,
        now=now,
        expires_at=now + lifetime,
    )


def complete_magic_link(*, token: str, client: Client, now: datetime) -> LoginAnswer:
    """Log in with a mailed token. The token is spent, and the account's other links are void.

    When the address was never proven and the account has no second factor, the caller takes the account over: all that
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
