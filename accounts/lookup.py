"""Finding an account for somebody else than its owner: whoever is not there is not found, and nothing is made."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError
from django.db.models import QuerySet

from . import users
from .addresses import email_key, normalize_email
from .core.db.transactions import join
from .core.errors import NotFound
from .errors import UserExists
from .host_changes import has_new_address
from .models import Account


def get_known_account(*, user_id: str) -> Account:
    """Return the account, with its user, whose id it is. Raises NotFound."""
    return _get(Account.objects.select_related("user"), user_id)


@join
def hold_known_account(*, user_id: str) -> Account:
    """Return the account whose id it is; nobody else changes it until the commit. Raises NotFound."""
    return _get(Account.objects.select_for_update(no_key=True), user_id)


def find_known_account(*, email: str) -> Account | None:
    """Return the account, with its user, that the address belongs to in any spelling; None when there is none.

    Where a host project changed the user's address, the account is found by the new one.
    """
    address = normalize_email(email)
    if address is None:
        return None
    account = _find_holder(address)
    if account is None and (user := users.find_by_address(email=address)) is not None:
        account = Account.objects.select_related("user").filter(pk=user.pk).first()
    return account


def is_taken(*, address: str) -> bool:
    """Tell whether any user has the normalized address, in any spelling, with an account or without.

    Always asks for both, so that the time does not show the answer.
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
    """Return the account that is found by the address, unless the host gave its user another one since."""
    account = Account.objects.select_related("user").filter(email_key=email_key(address)).first()
    return None if account is None or has_new_address(account) else account


def _get(rows: QuerySet[Account], user_id: str) -> Account:
    key = users.to_account_id(user_id)
    account = rows.filter(pk=key).first() if key is not None else None
    if account is None:
        raise NotFound("There is no user with this id.")
    return account
