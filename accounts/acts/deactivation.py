"""Deactivation of an account. The data stay, and no one can sign in until an operator reactivates the account.

A login that runs at the same time has two outcomes. Either it commits first, and the deactivation ends its session. Or
it waits for the lock on the account's row, and then finds the account deactivated.
"""

from datetime import datetime

from core.db.transactions import transaction_required
from core.http.client import Client
from events.audit import record
from events.vocabulary import EventType

from ..lifecycle import SignOut
from ..models import Account
from .sign_out import sign_out

_NO_CLIENT = Client(ip="", user_agent="")


class DeactivatedBySite(Exception):
    """The site has set is_active to false, so the account stays deactivated. Change it in the site."""


@transaction_required
def deactivate(account: Account, *, now: datetime) -> bool:
    """Deactivate the account, sign it out, and return whether it was active.

    Its API keys stop until the reactivation. Needs the lock on the account's row. Needs a transaction.
    """
    active = Account.objects.filter(pk=account.pk, deactivated_at=None)
    if not active.update(deactivated_at=now, updated_at=now):
        return False
    sign_out(account, act=SignOut.DEACTIVATION, now=now)
    record(event=EventType.ACCOUNT_DEACTIVATED, user_id=str(account.pk), client=_NO_CLIENT, now=now)
    return True


@transaction_required
def reactivate(account: Account, *, now: datetime) -> bool:
    """Reactivate the account, and return whether it was deactivated. Its earlier sessions stay ended.

    Raises DeactivatedBySite, and changes nothing, when a host project deactivated the user. Needs the lock on the
    account's row. Needs a transaction.
    """
    if not account.user.is_active:
        raise DeactivatedBySite
    deactivated = Account.objects.filter(pk=account.pk, deactivated_at__isnull=False)
    if not deactivated.update(deactivated_at=None, updated_at=now):
        return False
    record(event=EventType.ACCOUNT_REACTIVATED, user_id=str(account.pk), client=_NO_CLIENT, now=now)
    return True
