"""Lookups of accounts.

Three kinds of callers look an account up:

- The account owner, by an access token. The functions for "own" and "signed in" accounts raise InvalidAccessToken.
- An operator, by an id or an address. The functions `…_for_operator` raise NotFound or return None.
- A client without a token, by an address. `find_or_provision_account` creates and updates accounts in a host project.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import IntegrityError
from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from core.addresses import email_key, normalize_email
from core.db.transactions import transaction_required, write
from core.errors import InvalidAccessToken, NotFound
from core.keys.jwt import Caller

from ..conf import settings
from ..errors import UserExists
from ..host import users
from ..host.changes import has_new_address, is_admitted, is_behind, is_deactivated
from ..lifecycle import session_stores
from ..models import Account
from .epochs import CredentialsEpoch
from .former_keys import find_by_key, free_former_key
from .reconciliation import key_for, reconcile
from .undo_links import is_restorable


def get_own_account(*, user_id: str) -> Account:
    """Return the account with the id from an access token, and load its user.

    Raises InvalidAccessToken when the account was deleted or deactivated. Raises it also when a host project set a
    password that the service has not seen.
    """
    return _get_own(Account.objects.all(), user_id)


@transaction_required
def hold_own_account(*, user_id: str) -> Account:
    """Return the account with the id from an access token, and load its user.

    The account's row stays locked until the commit. Raises InvalidAccessToken in the same cases as `get_own_account`.
    Needs a transaction.
    """
    return _get_own(Account.objects.select_for_update(no_key=True, of=("self",)), user_id)


def get_signed_in_account(*, caller: Caller, now: datetime) -> Account:
    """Return the account of a caller whose session is live, and load its user.

    An access token stays valid until it expires, even after its session has ended. Routes that change a credential
    therefore check the session in the database. Raises InvalidAccessToken when the session has ended, and in the same
    cases as `get_own_account`.
    """
    account = get_own_account(user_id=caller.user_id)
    if not any(store.is_live(token_id=caller.token_id, account_id=account.pk, now=now) for store in session_stores):
        raise InvalidAccessToken
    return account


@transaction_required
def hold_signed_in_account(*, caller: Caller, now: datetime, epoch: CredentialsEpoch | None = None) -> Account:
    """Return the account of a caller whose session is live, and load its user.

    The account's row and the session stay locked until the commit. Every change of a credential calls this function in
    its transaction. `epoch` comes from an earlier check of the same request, such as the check of a password. Raises
    InvalidAccessToken when the session has ended or `epoch` is no longer the account's epoch. Raises it also in the
    same cases as `get_own_account`. Needs a transaction.
    """
    account = hold_own_account(user_id=caller.user_id)
    if epoch is not None and epoch != CredentialsEpoch.of(account):
        raise InvalidAccessToken
    if not any(store.hold_live(token_id=caller.token_id, account_id=account.pk, now=now) for store in session_stores):
        raise InvalidAccessToken
    return account


def get_account_for_operator(*, user_id: str) -> Account:
    """Return the account with this id and load its user. Raises NotFound when no account has the id."""
    return _get_for_operator(Account.objects.select_related("user"), user_id)


@transaction_required
def hold_account_for_operator(*, user_id: str) -> Account:
    """Return the account with this id and lock its row until the commit. Needs a transaction.

    Raises NotFound when no account has the id.
    """
    return _get_for_operator(Account.objects.select_for_update(no_key=True), user_id)


def find_account_for_operator(*, email: str) -> Account | None:
    """Return the account with this address in any spelling, and load its user. Return None when no account has it.

    When a host project changed the user's address, the new address finds the account. The function changes nothing.
    """
    address = normalize_email(email)
    if address is None:
        return None
    account = _find_by_address(address)
    if account is None and (user := users.find_by_address(email=address)) is not None:
        account = Account.objects.select_related("user").filter(pk=user.pk).first()
    return account


def find_or_provision_account(*, email: str, now: datetime) -> Account | None:
    """Return the account as `find_for_password` does, but None for a deactivated account. Opens its own transactions."""
    account = find_for_password(email=email, now=now)
    return None if account is None or is_deactivated(account) else account


def find_for_password(*, email: str, now: datetime) -> Account | None:
    """Return the account with this address in any spelling, and load its user. The account can be deactivated.

    Returns None when no account has the address. A host project's user without an account gets an account. The lock then
    protects the user from the first attempt on. When a host project changed the user's address or password, the function
    first updates the account by `reconcile`. Opens its own transactions.
    """
    account = find_by_key(email)
    if users.belong_to_host():
        account = _follow_host(account, email=email, now=now)
    return account


def find_present_account(*, account: Account, now: datetime) -> Account | None:
    """Return the account in its present state, for a login without an address.

    A credential such as a passkey named the account. `account` has its user loaded. When a host project changed the
    user's address or password, the function first updates the account by `reconcile`. Returns None when `is_admitted`
    is false, such as for a deactivated account. Opens its own transactions.
    """
    present: Account | None = account
    if is_behind(account):
        reconcile(account, now=now)
        present = Account.objects.select_related("user").filter(pk=account.pk).first()
    return present if present is not None and is_admitted(present) else None


def search_host(account: Account) -> None:
    """Run the additional statement that `find_or_provision_account` runs for an unknown address.

    A caller that must hide whether an account exists then runs the same statements in both cases. In the standalone
    project there is no additional statement, and the call does nothing.
    """
    users.find_by_address(email=users.email_of(account.user))


@write
def provision_account(*, user: AbstractBaseUser, now: datetime) -> None:
    """Create the account of a host project's user, with the address from the user's row.

    When the user has an account, or another account has the address, the call changes nothing. Where users log in by
    their user name, the account then has no address of its own. Opens its own transaction.
    """
    address = users.email_of(user)
    free_former_key(address=address)
    account = Account(
        user_id=user.pk,
        email_key=key_for(user) if settings().logs_in_by_user_name else email_key(address),
        password_seen=users.password_digest(str(user.password)),
        created_at=now,
        updated_at=now,
    )
    Account.objects.bulk_create([account], ignore_conflicts=True)


def is_taken(*, address: str, now: datetime, except_account: Any | None = None) -> bool:
    """Return whether an account or a user has the normalized address in any spelling, or a link can restore it.

    An attacker could otherwise take the address, so that its owner cannot undo a change. `except_account` is an account
    to which the link may restore the address. The function always runs all queries, so that the response time does not
    show the result.
    """
    has_account = _find_by_address(address) is not None
    has_user = users.is_address_used(email=address)
    return is_restorable(address=address, now=now, except_account=except_account) or has_account or has_user


@contextmanager
def host_conflict(*, address: str, now: datetime) -> Iterator[None]:
    """Surround a transaction that stores the address. Raises UserExists when another user got it first.

    The service knows its own unique constraints by name. After a violation of a host's constraint, this function looks
    the address up.
    """
    try:
        yield
    except IntegrityError:
        if is_taken(address=address, now=now):
            raise UserExists from None
        raise


def _follow_host(account: Account | None, *, email: str, now: datetime) -> Account | None:
    """Return the account with this address after the updates by `reconcile` and `provision_account`.

    Returns None when no account has the address. `account` is the account with the `email_key` of the address, or None.
    """
    rows = Account.objects.select_related("user")
    if account is not None and has_new_address(account):
        reconcile(account, now=now)
        account = None
    address = normalize_email(email)
    if account is None and address is not None and (user := users.find_by_address(email=address)) is not None:
        provision_account(user=user, now=now)
        account = rows.filter(pk=user.pk).first()
    if account is not None and is_behind(account):
        reconcile(account, now=now)
        account = find_by_key(email)
    return account


def _get_own(rows: QuerySet[Account], user_id: str) -> Account:
    account = _find(rows.select_related("user"), user_id)
    if account is None or not is_admitted(account):
        raise InvalidAccessToken
    return account


def _get_for_operator(rows: QuerySet[Account], user_id: str) -> Account:
    account = _find(rows, user_id)
    if account is None:
        raise NotFound(gettext_noop("There is no user with this id. List the users to see their ids."))
    return account


def _find(rows: QuerySet[Account], user_id: str) -> Account | None:
    key = users.to_account_id(user_id)
    return rows.filter(pk=key).first() if key is not None else None


def _find_by_address(address: str) -> Account | None:
    """Return the account with the address, or None when the host project has since changed its user's address."""
    account = find_by_key(address)
    return None if account is None or has_new_address(account) else account
