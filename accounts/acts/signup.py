"""Creation of an account."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from django.contrib.auth.hashers import make_password

from core.addresses import email_key, normalize_email
from core.db.transactions import transaction_required, write
from core.errors import BadRequest
from core.http.client import Client
from core.http.examples import EMAIL, USER_ID
from events.audit import record
from events.vocabulary import EventType

from ..errors import UserExists
from ..host import users
from ..models import Account
from ..passwords import hashing
from ..passwords.acceptance import check_new_password
from ..state.lookup import host_conflict, is_taken
from ..state.reconciliation import free_address
from .sign_up_rules import check_open
from .verification_mails import mail_verification, may_mail_at_sign_up


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAccount:
    """The new account."""

    component: ClassVar = "Signup"
    example: ClassVar = {"user_id": USER_ID, "email": EMAIL}

    user_id: str
    email: str


def sign_up(*, email: str, password: str, client: Client, now: datetime) -> NewAccount:
    """Create an account and return it. The call issues no tokens, and mails a link that verifies the address.

    EMAIL_VERIFICATION turns the mail off. Beyond the limit of the mailbox, the account is created without a mail.

    Raises, in this order: BadRequest, SignupClosed, PasswordPolicyViolation, PasswordBreached, UserExists. BadRequest means that the
    address is malformed. UserExists means that a user has the address in any spelling. Raises Overloaded when too many
    hashes wait for a slot. Opens its own transactions.
    """
    address = normalize_email(email)
    if address is None:
        raise BadRequest("email: must be an e-mail address of at most 254 characters.")
    check_open(address=address)
    check_new_password(password=password, email=address, user_id=None, client=client, now=now)
    if is_taken(address=address, now=now):
        raise UserExists
    password_hash = hashing.hash_password(password)
    is_mailed = may_mail_at_sign_up(address=address, now=now)
    with host_conflict(address=address, now=now):
        return _insert(email=address, password_hash=password_hash, is_mailed=is_mailed, client=client, now=now)


@write
def _insert(*, email: str, password_hash: str, is_mailed: bool, client: Client, now: datetime) -> NewAccount:
    account = _create(email=email, password_hash=password_hash, metadata={}, client=client, now=now)
    if is_mailed:
        mail_verification(account_id=account.pk, address=email, client=client, now=now)
    return NewAccount(user_id=str(account.pk), email=email)


@transaction_required
def create_without_password(
    *, email: str, is_proven: bool, is_mailed: bool, metadata: Mapping[str, str], client: Client, now: datetime
) -> Account:
    """Create an account without a password, and return it. `metadata` is the metadata of the event about the sign-up.

    `email` is in the form of `normalize_email`. `is_proven` states that the caller has proven the mailbox. With
    `is_mailed`, the call mails a link that verifies the address. The caller surrounds its transaction with
    `host_conflict`, and has checked `is_taken` and who may sign up. Needs a transaction.
    """
    account = _create(email=email, password_hash=make_password(None), metadata=metadata, client=client, now=now)
    if is_proven:
        Account.objects.filter(pk=account.pk).update(email_proven_at=now)
    elif is_mailed:
        mail_verification(account_id=account.pk, address=email, client=client, now=now)
    return account


def _create(*, email: str, password_hash: str, metadata: Mapping[str, str], client: Client, now: datetime) -> Account:
    free_address(address=email, now=now)
    user = users.create_user(email=email, password_hash=password_hash)
    account = Account.objects.create(
        user_id=user.pk,
        email_key=email_key(email),
        password_seen=users.password_digest(password_hash),
        created_at=now,
        updated_at=now,
    )
    record(event=EventType.SIGNUP_SUCCESS, user_id=str(user.pk), client=client, now=now, metadata=metadata)
    return account
