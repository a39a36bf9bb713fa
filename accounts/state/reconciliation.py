"""Updates of an account after a host project changed its user's address or password."""

from contextlib import suppress
from datetime import datetime
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import F

from core.addresses import email_key, normalize_email
from core.db.transactions import transaction_required, write
from core.http.client import Client
from events.audit import record
from events.vocabulary import EventType

from ..errors import UserExists
from ..host import users
from ..host.changes import (
    has_new_address,
    has_new_password,
    has_no_address,
    is_behind,
    is_deactivated,
    is_unseen,
)
from ..lifecycle import account_listeners
from ..models import Account
from .former_keys import free_former_key
from .mail_tokens import void_mail_tokens
from .proven_addresses import forgotten_proof
from .undo_links import void_undo_links

# The request that detects a change does not come from the client that made the change.
_HOST = Client(ip="", user_agent="")


def is_session_allowed(*, account_id: Any, now: datetime) -> bool:
    """Return whether the sessions of a host project's account may continue. `account_id` may be a subquery.

    They may continue when the account is active and the host project has not changed the password. When the host project
    changed the password, the call ends all sessions of the account. The check is one query. A change opens its own
    transaction.
    """
    account = Account.objects.select_related("user").filter(pk=account_id).first()
    if account is None or is_deactivated(account):
        return False
    reconcile(account, now=now)
    return not has_new_password(account)


def reconcile(account: Account, *, now: datetime) -> None:
    """Update the account's row to its user's present address and password. The instance `account` stays unchanged.

    A new address counts as a change of e-mail: the address is unproven, and mailed tokens become void. A new password
    counts as a change of password: sessions, pending logins and mailed tokens end. Opens its own transaction.
    """
    if is_behind(account):
        # A concurrent transaction gave the address to another account. The next lookup then finds the address taken.
        with suppress(UserExists):
            _reconcile(account, now=now)


@transaction_required
def free_address(*, address: str, now: datetime) -> None:
    """Remove the address from an account that has another address now. Needs a transaction.

    The account's user got another address from the host project, or an earlier release gave the account the key.
    """
    free_former_key(address=address)
    if not users.belong_to_host():
        return
    other = Account.objects.select_related("user").filter(email_key=email_key(address)).first()
    if other is not None and has_new_address(other):
        follow_address(other, now=now)


@write
def _reconcile(account: Account, *, now: datetime) -> None:
    follow_address(account, now=now)
    _follow_password(account, now=now)


@transaction_required
def follow_address(account: Account, *, now: datetime) -> None:
    """Move the account to the address that the host gave its user. Void the tokens that were mailed to the old one."""
    if not has_new_address(account) and not has_no_address(account):
        return
    free_former_key(address=users.email_of(account.user))
    key = key_for(account.user)
    if key == account.email_key:
        return
    moved = Account.objects.filter(pk=account.pk, email_key=account.email_key).update(
        email_key=key, credentials_epoch=F("credentials_epoch") + 1, updated_at=now, **forgotten_proof()
    )
    if moved:
        void_mail_tokens(account_id=account.pk, now=now)
        void_undo_links(account_id=account.pk, now=now)
        record(event=EventType.EMAIL_CHANGED, user_id=str(account.pk), client=_HOST, now=now)


def key_for(user: AbstractBaseUser) -> str:
    """Return the `email_key` of the user's stored address.

    When the address is malformed, shared or taken, return a key that no address has: `!` and the account's id.
    """
    address = normalize_email(users.email_of(user))
    if (
        address is None
        or Account.objects.filter(email_key=email_key(address)).exclude(pk=user.pk).exists()
        or users.is_address_shared(email=address)
    ):
        return f"!{user.pk}"
    return email_key(address)


@transaction_required
def _follow_password(account: Account, *, now: datetime) -> None:
    seen = users.password_digest(str(account.user.password))
    # The condition on the digest that was loaded with the user's row makes exactly one of several callers continue.
    rows = Account.objects.filter(pk=account.pk, password_seen=account.password_seen)
    if is_unseen(account):
        rows.update(password_seen=seen)
    elif has_new_password(account) and rows.update(
        password_seen=seen, credentials_epoch=F("credentials_epoch") + 1, retired_hash="", updated_at=now
    ):
        void_mail_tokens(account_id=account.pk, now=now)
        for listener in account_listeners:
            listener.credentials_changed(account_id=account.pk, now=now)
        record(event=EventType.PASSWORD_CHANGED, user_id=str(account.pk), client=_HOST, now=now)
