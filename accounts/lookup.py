"""Lookups of accounts for other callers than the account owner. They create no account and change none."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError
from django.db.models import QuerySet

from . import users
from .addresses import email_key, normalize_email
from .core.db.transactions import transaction_required
from .core.errors import NotFound
from .errors import UserExists
from .host_changes import has_new_address
from .models import Account


def get_known_account(*, user_id: str) -> Account:
    """Return the account with this id and load its user. Raises NotFound when no account has the id."""
    return _get(Account.objects.select_related("user"), user_id)


@transaction_required
def hold_known_account(*, user_id: str) -> Account:
    """Return the account with this id and lock its row until the commit. Runs in the caller's transaction.

    Raises NotFound when no account has the id.
    """
    return _get(Account.objects.select_for_update(no_key=True), user_id)


def find_known_account(*, email: str) -> Account | None:
    """Return the account with this address in any spelling, and load its user. Return None when no account has it.

    When a host project changed the user's address, the new address finds the account.
    """
    address = normalize_email(email)
    if address is None:
        return None
    account = _find_holder(address)
    if account is None and (user := users.find_by_address(email=address)) is not None:
        account = Account.objects.select_related("user").filter(pk=user.pk).first()
    return account


def is_taken(*, address: str) -> bool:
    """Return whether an account or a user has the normalized address in any spelling.

    The function always runs both queries, so that the response time does not show the result.
    """
    has_account = _find_holder(address) is not None
    has_user = users.is_address_used(email=address)
    return has_account or has_user


@contextmanager
def host_conflict(*, address: str) -> Iterator[None]:
    """Surround a transaction that stores the address. Raises UserExists when another user got it meanwhile.

    The service knows its own unique constraints by name, and a host's constraint on the column of addresses by asking
    again.
    """
    try:
        yield
    except IntegrityError:
        if is_taken(address=address):
            raise UserExists from None
        raise


def _find_holder(address: str) -> Account | None:
    """Return the account with the address, or None when the host project has since changed its user's address."""
    account = Account.objects.select_related("user").filter(email_key=email_key(address)).first()
    return None if account is None or has_new_address(account) else account


def _get(rows: QuerySet[Account], user_id: str) -> Account:
    key = users.to_account_id(user_id)
    account = rows.filter(pk=key).first() if key is not None else None
    if account is None:
        raise NotFound("There is no user with this id.")
    return account
