"""Changing the password."""

from datetime import datetime

from . import hashing, users
from .core.client import Client
from .core.transactions import write
from .credentials import Proof, confirm_password, supersede
from .errors import InvalidCredentials
from .events.audit import record
from .events.vocabulary import EventType
from .lifecycle import account_listeners
from .mail import MailTemplate, enqueue
from .mail_tokens import void_mail_tokens
from .new_password import check_new_password


def change_password(*, user_id: str, current_password: str, new_password: str, client: Client, now: datetime) -> None:
    """Store the new password and end everything that rests on the old one.

    Raises, in this order: InvalidCredentials, PasswordPolicyViolation, PasswordBreached. The same password again is
    allowed as long as it passes the rules.
    """
    proof = confirm_password(user_id=user_id, password=current_password, client=client, now=now)
    check_new_password(password=new_password, email=proof.email, user_id=user_id, client=client, now=now)
    if not _store(proof, password_hash=hashing.hash_password(new_password), client=client, now=now):
        raise InvalidCredentials


@write
def _store(proof: Proof, *, password_hash: str, client: Client, now: datetime) -> bool:
    if not supersede(proof, now=now):
        return False
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
    return True
