"""Reset of a forgotten password by a mailed link."""

from datetime import datetime, timedelta

from core import ratelimit
from core.db.transactions import write
from core.http.client import Client
from events.audit import record
from events.vocabulary import EventType
from mail.compose import MailTemplate, enqueue
from mail.conf import settings
from mail.limits import MailKind

from ..errors import VerificationTokenInvalid
from ..host import users
from ..lifecycle import account_listeners
from ..models import MailToken
from ..passwords import hashing
from ..passwords.acceptance import check_new_password
from ..proofs.credentials import Proof, prove_mailbox
from ..proofs.lockout import clear_count
from ..state.mail_tokens import Purpose, account_of, get_mail_token, void_mail_tokens
from ..state.proven_addresses import is_address_proven
from .link_requests import LinkKind, request_link
from .takeover import keeps_factors, take_over

KIND = LinkKind(
    purpose=Purpose.PASSWORD_RESET,
    template=MailTemplate.PASSWORD_RESET,
    event=EventType.PASSWORD_RESET_REQUESTED,
    limit=MailKind.RESET,
    limit_from_known_network=MailKind.RESET_FROM_KNOWN_NETWORK,
)


def request_password_reset(*, email: str, client: Client, now: datetime) -> None:
    """Mail a link to the account's address as `request_link` does, if the address has an account."""
    lifetime = timedelta(seconds=settings().password_reset_seconds)
    request_link(kind=KIND, email=email, lifetime=lifetime, client=client, now=now)


def reset_password(*, token: str, new_password: str, client: Client, now: datetime) -> None:
    """Store the new password of the token's account, and end everything that depends on the old password.

    All sessions, pending logins and mailed tokens end. The count of failures is zero, but a lock lasts until its time is
    over. When the address was proven before, factors and API keys stay, and the account owner gets a mail. Otherwise
    another person may have signed up with the address. The owner of the mailbox then takes the account over, as
    `take_over` describes, and the address is proven. An account for which `keeps_factors` is true is not taken over, and
    its address stays unproven.

    Raises VerificationTokenInvalid and VerificationTokenExpired as `get_mail_token` does. A refused password raises
    PasswordPolicyViolation or PasswordBreached, and the token stays valid. Raises RateLimited after too many attempts
    with valid tokens of the account. Raises VerificationTokenInvalid also when a concurrent call spent the token or
    changed the account's credentials. Opens its own transactions.
    """
    found = get_mail_token(raw=token, purpose=Purpose.PASSWORD_RESET, now=now)
    user_id = str(account_of(found).pk)
    # The key differs from that of change-password: an attacker with a stolen access token must not use up this budget.
    ratelimit.hit(ratelimit.Limit.PASSWORD, f"reset {user_id}", now=now)
    check_new_password(password=new_password, email=found.address, user_id=user_id, client=client, now=now)
    if not _reset(found, password_hash=hashing.hash_password(new_password), client=client, now=now):
        raise VerificationTokenInvalid


@write
def _reset(token: MailToken, *, password_hash: str, client: Client, now: datetime) -> bool:
    proof = prove_mailbox(token, now=now)
    if proof is None:
        return False
    proof.epoch.supersede(now=now)
    # Read under the lock of the row: a concurrent call may have proven the address after the token was loaded.
    if is_address_proven(account_id=proof.account_id) or keeps_factors(account_id=proof.account_id):
        _end_sessions(proof, client=client, now=now)
    else:
        take_over(account_id=proof.account_id, client=client, now=now)
    users.set_password_hash(account_id=proof.account_id, password_hash=password_hash)
    clear_count(account_id=proof.account_id)
    record(
        event=EventType.PASSWORD_CHANGED,
        user_id=proof.user_id,
        client=client,
        now=now,
        metadata={"method": "password_reset"},
    )
    return True


def _end_sessions(proof: Proof, *, client: Client, now: datetime) -> None:
    void_mail_tokens(account_id=proof.account_id, now=now)
    for listener in account_listeners:
        listener.credentials_changed(account_id=proof.account_id, now=now)
    enqueue(
        template=MailTemplate.PASSWORD_RESET_NOTICE,
        to=proof.email,
        account_id=proof.account_id,
        values={},
        client=client,
        now=now,
    )
