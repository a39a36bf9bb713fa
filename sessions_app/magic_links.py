"""Signing in by a link that was mailed: whoever reads the mailbox may log in."""

from datetime import datetime, timedelta

from accounts import users
from accounts.addresses import email_key
from accounts.core.client import Client
from accounts.core.opaque import new_token
from accounts.core.transactions import write
from accounts.credentials import Proof, find_account, holds, record_unknown_address
from accounts.errors import VerificationTokenInvalid
from accounts.events.audit import record
from accounts.events.vocabulary import EventType
from accounts.mail import MailTemplate, enqueue
from accounts.mail_tokens import Purpose, count_recent, get_mail_token, issue_mail_token, spend, void_mail_tokens
from accounts.models import MailToken
from accounts.outbox import NO_RECIPIENT
from accounts.proven_addresses import prove_address

from .conf import conf
from .issuing import Issued, issue
from .login import LoginAnswer, LoginMethod, begin

LIVE_MAX = 3
HOURLY_MAX = 20


def request_magic_link(*, email: str, client: Client, now: datetime) -> None:
    """Mail a link to the account's address; neither the answer nor its time tells whether there is one.

    Beyond HOURLY_MAX an hour nothing is sent.
    """
    account = find_account(email=email, now=now)
    if account is None:
        _send_to_nobody(email, client=client, now=now)
        return
    proof = Proof(account_id=account.pk, epoch=account.credentials_epoch, email=users.email_of(account.user))
    _send(proof, client=client, now=now)


@write
def _send_to_nobody(email: str, *, client: Client, now: datetime) -> None:
    """Take as long as for an address that has an account."""
    record_unknown_address(event=EventType.MAGIC_LINK_REQUESTED, key=email_key(email), client=client, now=now)
    enqueue(
        template=MailTemplate.MAGIC_LINK,
        to=NO_RECIPIENT,
        account_id=None,
        values={"token": new_token().raw},
        client=client,
        now=now,
        expires_at=now + timedelta(seconds=conf().magic_link_seconds),
    )


@write
def _send(proof: Proof, *, client: Client, now: datetime) -> None:
    if not holds(proof):
        return
    record(event=EventType.MAGIC_LINK_REQUESTED, user_id=proof.user_id, client=client, now=now)
    since = now - timedelta(hours=1)
    if count_recent(account_id=proof.account_id, purpose=Purpose.MAGIC_LINK, since=since) >= HOURLY_MAX:
        return
    lifetime = timedelta(seconds=conf().magic_link_seconds)
    token = issue_mail_token(
        account_id=proof.account_id,
        purpose=Purpose.MAGIC_LINK,
        address=proof.email,
        now=now,
        lifetime=lifetime,
        live_max=LIVE_MAX,
    )
    enqueue(
        template=MailTemplate.MAGIC_LINK,
        to=proof.email,
        account_id=proof.account_id,
        values={"token": token},
        client=client,
        now=now,
        expires_at=now + lifetime,
    )


def complete_magic_link(*, token: str, client: Client, now: datetime) -> LoginAnswer:
    """Log in by a mailed token, which is spent, the account's other links with it.

    A locked account may be entered so: its count and its lock stay as they are. Raises VerificationTokenInvalid and
    VerificationTokenExpired.
    """
    found = get_mail_token(raw=token, purpose=Purpose.MAGIC_LINK, now=now)
    account = found.account
    if not account.user.is_active:
        raise VerificationTokenInvalid
    proof = Proof(account_id=account.pk, epoch=account.credentials_epoch, email=found.address)
    answer = _complete(found, proof, issue(account_id=account.pk, now=now), client=client, now=now)
    if answer is None:
        raise VerificationTokenInvalid
    return answer


@write
def _complete(token: MailToken, proof: Proof, issued: Issued, *, client: Client, now: datetime) -> LoginAnswer | None:
    # The account's row first: whoever changes the address or the password holds it while voiding the tokens.
    if not holds(proof) or not spend(token, now=now):
        return None
    void_mail_tokens(account_id=proof.account_id, purpose=Purpose.MAGIC_LINK, now=now)
    prove_address(account_id=proof.account_id, address=proof.email, client=client, now=now)
    return begin(proof=proof, issued=issued, method=LoginMethod.MAGIC_LINK, client=client, now=now)
