"""Accounts that have the `email_key` of an earlier release.

Earlier releases gave `straße@` and `strasse@` the same key. An account from that time keeps its key until another account
needs the key. Its user's stored address then decides which of the two addresses the account has.
"""

from collections.abc import Mapping, Sequence

from core.addresses import email_key, former_email_key
from core.db.transactions import transaction_required

from ..host import users
from ..models import Account


def find_by_key(address: str) -> Account | None:
    """Return the account with the `email_key` of the address, or its former key, and load its user.

    Both keys are one query, so that the time does not show which key an account has.
    """
    key, former = email_key(address), former_email_key(address)
    rows = Account.objects.select_related("user")
    # `first()` would order the only row, which takes a third of the lookup's processor time.
    found = rows.filter(email_key=key) if key == former else rows.filter(email_key__in=(key, former))
    return next((account for account in found if _present_key(account) == key), None)


@transaction_required
def free_former_key(*, address: str) -> None:
    """Give an account that has the key of this address, but another address, the key of its own address.

    Needs a transaction.
    """
    key = email_key(address)
    account = Account.objects.select_related("user").filter(email_key=key).first()
    if account is not None and (own := _present_key(account)) != key:
        Account.objects.filter(pk=account.pk, email_key=key).update(email_key=own)


def find_owners(addresses: Sequence[str]) -> Mapping[str, str]:
    """Return the stored addresses of the accounts that have these addresses, by their present `email_key`.

    Runs one query for any number of addresses.
    """
    keys = {email_key(address) for address in addresses} | {former_email_key(address) for address in addresses}
    found = Account.objects.select_related("user").filter(email_key__in=keys)
    return {_present_key(account): users.email_of(account.user) for account in found}


@transaction_required
def free_former_keys(addresses: Sequence[str]) -> None:
    """Do the same as `free_former_key` for many addresses that no account has. Needs a transaction."""
    keys = [email_key(address) for address in addresses]
    for account in Account.objects.select_related("user").filter(email_key__in=keys):
        free_former_key(address=account.email_key)


def _present_key(account: Account) -> str:
    """Return the account's `email_key`, or the present key of the user's address when the account has its former key."""
    address = users.email_of(account.user)
    if address.isascii() or account.email_key != former_email_key(address):
        return account.email_key
    return email_key(address)
