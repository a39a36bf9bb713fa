"""The end of a lock by an operator, before its time is over."""

from datetime import datetime

from core.db.transactions import transaction_required
from core.http.client import Client
from events.audit import record
from events.vocabulary import EventType

from ..models import Account
from ..proofs.lockout import is_locked

_NO_CLIENT = Client(ip="", user_agent="")


@transaction_required
def unlock(account: Account, *, now: datetime) -> bool:
    """End the lock of the account, reset its count of failures and its locks in a row, and return whether it was locked.

    The epoch stays, so proofs from before the lock stay void. Needs the lock on the account's row. Needs a transaction.
    """
    if not is_locked(locked_until=account.locked_until, now=now):
        return False
    Account.objects.filter(pk=account.pk).update(failed_attempts=0, locked_until=None, locks_in_row=0)
    record(event=EventType.ACCOUNT_UNLOCKED, user_id=str(account.pk), client=_NO_CLIENT, now=now)
    return True
