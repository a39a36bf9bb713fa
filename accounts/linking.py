"""Giving a site's users their accounts."""

from collections.abc import Iterator
from datetime import datetime

from django.contrib.auth.base_user import AbstractBaseUser

from . import users
from .addresses import email_key, normalize_email
from .credentials import link_account
from .models import Account
from .reconciliation import reconcile

_TAKEN = "another account has this e-mail address"


def link_all(*, now: datetime) -> Iterator[tuple[str, str | None]]:
    """Make an account of every user who has none; yield each user's id, and why it got none, or None.

    Of users who share an address none gets an account: which of them owns it is for the site to say. First, the
    accounts of users whom the site gave another address or password are brought in line; those that cannot have their
    user's address are yielded. Safe to run again, and while the service runs.
    """
    yield from _reconcile_all(now=now)
    for user in users.iterate_unlinked(linked=Account.objects.values("pk")):
        obstacle = _obstacle(user)
        if obstacle is None:
            link_account(user=user, now=now)
            linked = Account.objects.filter(pk=user.pk, email_key=email_key(users.email_of(user))).exists()
            obstacle = None if linked else _TAKEN
        yield str(user.pk), obstacle


def _reconcile_all(*, now: datetime) -> Iterator[tuple[str, str]]:
    if not users.belong_to_host():
        return
    accounts = Account.objects.select_related("user")
    without_address = accounts.exclude(email_key__contains="@")
    for account in accounts.iterator():
        reconcile(account, now=now)
    # Again, for addresses that their old owners gave up only later in the first round.
    for account in without_address.iterator():
        reconcile(account, now=now)
    for account in without_address.iterator():
        yield str(account.pk), _obstacle(account.user) or _TAKEN


def _obstacle(user: AbstractBaseUser) -> str | None:
    """Return why the user cannot have an account under the stored address, as far as the users tell."""
    email = users.email_of(user)
    if normalize_email(email) is None:
        return "it has no e-mail address that could be one"
    if users.is_address_shared(email=email):
        return "others have the same e-mail address"
    return None
