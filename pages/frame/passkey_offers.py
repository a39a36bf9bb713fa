"""The offer of a passkey after a login by password. Each account gets it once."""

from datetime import datetime
from typing import Any

from core.db.transactions import write
from mfa.conf import keys
from mfa.models import Passkey
from sessions_app.logins.login import is_password_login

from ..models import PasskeyOffer
from . import navigation


def page_before(*, account_id: Any, at: datetime, following: str) -> str:
    """Return the path of the page that offers a passkey and then leads to `following`. Without an offer, return `following`.

    `at` is the time of the login. The offer is for an account without a passkey, after a login by password.
    """
    if not keys() or PasskeyOffer.objects.filter(pk=account_id).exists():
        return following
    if Passkey.objects.filter(account_id=account_id).exists() or not is_password_login(account_id=account_id, at=at):
        return following
    return navigation.with_next("authsvc-passkey-offer", page=following)


@write
def remember(*, account_id: Any, now: datetime) -> None:
    """Store that the account got the offer."""
    PasskeyOffer.objects.bulk_create([PasskeyOffer(account_id=account_id, offered_at=now)], ignore_conflicts=True)
