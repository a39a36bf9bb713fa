"""Giving a site's users their accounts."""

from collections.abc import Iterator
from datetime import datetime

from . import users
from .addresses import email_key, normalize_email
from .credentials import link_account
from .models import Account


def link_all(*, now: datetime) -> Iterator[tuple[str, str | None]]:
    """Make an account of every user who has none; yield each user's id, and why it got none, or None.

    Of users who share an address none gets an account: which of them owns it is for the site to say. Safe to run
    again, and while the service runs.
    """
    for user in users.iterate_unlinked(linked=Account.objects.values("pk")):
        email = users.email_of(user)
        if normalize_email(email) is None:
            yield str(user.pk), "it has no e-mail address that could be one"
        elif users.is_address_shared(email=email):
            yield str(user.pk), "others have the same e-mail address"
        else:
            link_account(account_id=user.pk, email=email, now=now)
            linked = Account.objects.filter(pk=user.pk, email_key=email_key(email)).exists()
            yield str(user.pk), None if linked else "another account has this e-mail address"
