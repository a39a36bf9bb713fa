"""The authenticator apps of the demo: their name, their events and their rows."""

from datetime import datetime

import pyotp

from accounts.models import Account
from mfa.models import Totp
from mfa.totp.factor import FACTOR, SECRET_LETTERS, SECRETS

NAME = FACTOR.name
ENROLLED = FACTOR.enrolled_event
REMOVED = FACTOR.removed_event
FAILED = FACTOR.failed_event


def new_secret() -> str:
    """Return a new secret in base32."""
    return pyotp.random_base32(SECRET_LETTERS)


def row(*, account: Account, secret: str, since: datetime) -> Totp:
    """Return the row of a confirmed app, which is not stored yet."""
    sealed = SECRETS.seal(secret.encode(), pk=account.pk)
    return Totp(account=account, secret=sealed, created_at=since, confirmed_at=since)
