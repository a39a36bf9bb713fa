"""Creation of accounts for the existing users of a host project."""

from collections.abc import Iterator
from datetime import datetime

from django.contrib.auth.base_user import AbstractBaseUser

from core.addresses import normalize_email

from ..conf import settings
from ..host import users
from ..models import Account
from .lookup import provision_account
from .reconciliation import reconcile

_TAKEN_TEXT = "another account has this e-mail address"


def provision_all(*, now: datetime) -> Iterator[tuple[str, str | None]]:
    """Create an account for every user without one. Yield each user's id, with None or the reason for a failure.

    Users who share an address get no account, because only the host project can decide who owns the address. Where
    users log in by their user name, they get one without an address. The
    function first updates the accounts whose user got another address or password from the host project. When such an
    account cannot have its user's address, the function yields its id with the reason. The function can run several
    times, and while the service runs. Opens its own transactions.
    """
    yield from _reconcile_all(now=now)
    for user in users.iterate_without_account(with_account=Account.objects.values("pk")):
        obstacle = None if settings().logs_in_by_user_name else _obstacle(user)
        if obstacle is None:
            provision_account(user=user, now=now)
            obstacle = None if Account.objects.filter(pk=user.pk).exists() else _TAKEN_TEXT
        yield str(user.pk), obstacle


def _reconcile_all(*, now: datetime) -> Iterator[tuple[str, str]]:
    if not users.belong_to_host():
        return
    accounts = Account.objects.select_related("user")
    without_address = accounts.exclude(email_key__contains="@")
    for account in accounts.iterator():
        reconcile(account, now=now)
    # A second pass: the first pass may have freed an address after it visited the account that needs the address.
    for account in without_address.iterator():
        reconcile(account, now=now)
    if settings().logs_in_by_user_name:
        return
    for account in without_address.iterator():
        yield str(account.pk), _obstacle(account.user) or _TAKEN_TEXT


def _obstacle(user: AbstractBaseUser) -> str | None:
    """Return why the user's stored address is unusable for an account, or None. Only the users' rows are checked."""
    email = users.email_of(user)
    if normalize_email(email) is None:
        return "the user has no valid e-mail address"
    if users.is_address_shared(email=email):
        return "another user has the same e-mail address"
    return None
