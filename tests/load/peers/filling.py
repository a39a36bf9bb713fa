"""Accounts for a peer. Runs inside its `shell`."""

from collections.abc import Sequence

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User

FIRST_ID = 1_000
"""The first id. All ids have the same number of digits, and so all tokens have one length."""


def fill(*, emails: Sequence[str], password: str) -> None:
    """Create an account for each address, all with that password."""
    encoded = make_password(password)
    User.objects.bulk_create(
        User(pk=number, username=email, email=email, password=encoded) for number, email in enumerate(emails, FIRST_ID)
    )
