"""Finding an account for somebody else than its owner: whoever is not there is not found, and nothing is made."""

from django.db.models import QuerySet

from . import users
from .addresses import email_key, normalize_email
from .core.errors import NotFound
from .core.transactions import join
from .models import Account


def get_known_account(*, user_id: str) -> Account:
    """Return the account, with its user, whose id it is. Raises NotFound."""
    return _get(Account.objects.select_related("user"), user_id)


@join
def hold_known_account(*, user_id: str) -> Account:
    """Return the account whose id it is; nobody else changes it until the commit. Raises NotFound."""
    return _get(Account.objects.select_for_update(no_key=True), user_id)


def find_known_account(*, email: str) -> Account | None:
    """Return the account, with its user, that the address belongs to in any spelling; None when there is none."""
    address = normalize_email(email)
    if address is None:
        return None
    return Account.objects.select_related("user").filter(email_key=email_key(address)).first()


def is_taken(*, address: str) -> bool:
    """Tell whether the normalized address is somebody's, in any spelling, be it a site's user who has no account yet.

    Always asks both, so that the time does not show the answer.
    """
    has_account = Account.objects.filter(email_key=email_key(address)).exists()
    has_user = users.is_address_used(email=address)
    return has_account or has_user


def _get(rows: QuerySet[Account], user_id: str) -> Account:
    key = users.to_account_id(user_id)
    account = rows.filter(pk=key).first() if key is not None else None
    if account is None:
        raise NotFound("There is no user with this id.")
    return account
