"""The offer of a passkey after a login by password. Each account gets it once."""

from datetime import datetime
from typing import Any

from core.db.transactions import write
from mfa.conf import keys

from ..models import PasskeyOffer
from . import navigation
from .sessions import NewSession


def page_before(following: str, *, session: NewSession) -> str:
    """Return the path of the page that offers a passkey and then leads to `following`. Without an offer, return `following`."""
    if not keys() or not session.is_passkey_offer_due:
        return following
    return navigation.with_next("authsvc-passkey-offer", page=following)


@write
def remember(*, account_id: Any, now: datetime) -> None:
    """Store that the account got the offer."""
    PasskeyOffer.objects.bulk_create([PasskeyOffer(account_id=account_id, offered_at=now)], ignore_conflicts=True)
