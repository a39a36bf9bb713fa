"""Login names: the address or, with LOGIN_NAME, the user name of a host project.

A user of a host project can lack an address of its own: it is missing, malformed, or other users have it too. Such a user
has no key by which an address finds the account, but can log in by the user name.
"""

from datetime import datetime

from core.addresses import email_key

from ..conf import settings
from ..host import users
from ..host.changes import has_news
from ..models import Account
from .lookup import find_for_password, provision_account, search_host
from .reconciliation import reconcile

_NO_KEY = "!"


def key_of_login_name(name: str) -> str:
    """Return the form in which the service compares unknown login names.

    It is the `email_key` of an address. The form of a user name contains a blank, so it is no account's `email_key`.
    Upper and lower case stay, because Django compares user names with their case.
    """
    return f"name {users.normalize_name(name)}" if settings().logs_in_by_user_name else email_key(name)


def find_by_login_name(*, name: str, now: datetime) -> Account | None:
    """Return the account that logs in by this name, and load its user. Otherwise do as `find_for_password`.

    A known and an unknown user name run the same number of statements, except at the first login of a user. So the
    call does not look whether an account without an address could have one by now.
    """
    if not settings().logs_in_by_user_name:
        return find_for_password(email=name, now=now)
    rows = Account.objects.select_related("user")
    user = users.find_by_name(name=name)
    if user is None:
        rows.filter(email_key=_NO_KEY).first()
        return None
    account = rows.filter(pk=user.pk).first()
    if account is None:
        provision_account(user=user, now=now)
        account = rows.filter(pk=user.pk).first()
    if account is not None and has_news(account):
        reconcile(account, now=now)
        account = rows.filter(pk=user.pk).first()
    return account


def search_login_name(account: Account) -> None:
    """Run the additional statement that `find_by_login_name` runs for an unknown address, as `search_host` does."""
    if not settings().logs_in_by_user_name:
        search_host(account)
