"""Change of the password."""

from datetime import datetime

from core.db.transactions import write
from core.http.client import Client
from core.keys.jwt import Caller
from events.audit import record
from events.vocabulary import EventType
from mail.compose import MailTemplate, enqueue

from ..host import users
from ..lifecycle import account_listeners
from ..passwords import hashing
from ..passwords.acceptance import check_new_password
from ..proofs.credentials import Proof, confirm_password
from ..state.lookup import hold_signed_in_account
from ..state.mail_tokens import void_mail_tokens


def change_password(*, caller: Caller, current_password: str, new_password: str, client: Client, now: datetime) -> None:
    """Store the new password and end everything that depends on the old password.

    All sessions, pending logins and mailed tokens end, and the account owner gets a mail. The new password may equal
    the old password when it satisfies the rules.

    Raises, in this order: InvalidAccessToken when the session has ended, InvalidCredentials, RateLimited as
    `confirm_password` does, PasswordPolicyViolation, PasswordBreached. Raises InvalidAccessToken also when the session
    ended or the account's credentials changed during the password check. Opens its own transactions.
    """
    proof = confirm_password(caller=caller, password=current_password, client=client, now=now)
    check_new_password(password=new_password, email=proof.email, user_id=proof.user_id, client=client, now=now)
    _store(caller, proof, password_hash=hashing.hash_password(new_password), client=client, now=now)


@write
def _store(caller: Caller, proof: Proof, *, password_hash: str, client: Client, now: datetime) -> None:
    hold_signed_in_account(caller=caller, epoch=proof.epoch, now=now)
    proof.epoch.supersede(now=now)
    users.set_password_hash(account_id=proof.account_id, password_hash=password_hash)
    void_mail_tokens(account_id=proof.account_id, now=now)
    for listener in account_listeners:
        listener.credentials_changed(account_id=proof.account_id, now=now)
    record(event=EventType.PASSWORD_CHANGED, user_id=proof.user_id, client=client, now=now)
    enqueue(
        template=MailTemplate.PASSWORD_CHANGED,
        to=proof.email,
        account_id=proof.account_id,
        values={},
        client=client,
        now=now,
    )
