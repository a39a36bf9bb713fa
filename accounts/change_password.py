"""Changing the password."""

from datetime import datetime

from . import users
from .core.db.transactions import write
from .core.http.client import Client
from .core.keys.jwt import Identity
from .credentials import Proof, confirm_password, hold_signed_in_account, supersede
from .events.audit import record
from .events.vocabulary import EventType
from .lifecycle import account_listeners
from .mail.compose import MailTemplate, enqueue
from .mail_tokens import void_mail_tokens
from .passwords import hashing
from .passwords.acceptance import check_new_password


def change_password(
    *, identity: Identity, current_password: str, new_password: str, client: Client, now: datetime
) -> None:
    """Store the new password and end everything that rests on the old one.

    Raises, in this order: InvalidAccessToken when the session has ended, InvalidCredentials, PasswordPolicyViolation,
    PasswordBreached. Raises InvalidAccessToken as well when the session ended, or the account's credentials changed,
    while the password was checked. The same password again is allowed as long as it passes the rules.
    """
    proof = confirm_password(identity=identity, password=current_password, client=client, now=now)
    check_new_password(password=new_password, email=proof.email, user_id=proof.user_id, client=client, now=now)
    _store(identity, proof, password_hash=hashing.hash_password(new_password), client=client, now=now)


@write
def _store(identity: Identity, proof: Proof, *, password_hash: str, client: Client, now: datetime) -> None:
    hold_signed_in_account(identity=identity, epoch=proof.epoch, now=now)
    supersede(proof, now=now)
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
