"""The end of all sessions and proofs after the database was restored to an earlier time.

The restored database has forgotten which sessions ended after that time. It has also forgotten which refresh tokens were
rotated and which mailed tokens were used. Without this module, all of them would work again.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F

from accounts.models import Account, MailToken
from core import clock
from core.db.transactions import write

from ..models import Family, PendingLogin
from .revocation import Cause, revoke_all

BATCH = 500
"""The number of accounts in one transaction.

With fewer, a run waits for the disk more often. With more, it holds locks longer.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revoked:
    """A committed part: the number of accounts, and how many live sessions of these accounts ended."""

    accounts: int
    sessions: int


def revoke_everything() -> Iterator[Revoked]:
    """End every session and void every pending login, mailed token and running recovery. Yield after each batch.

    The call raises the epoch of every account, so it also voids each proof in progress. An account with live sessions
    gets the event SESSION_ENDED. Passwords, second factors and API keys stay. Each batch of BATCH accounts opens its own
    transaction and reads the clock. When the caller stops iterating, the committed batches stay. A second run ends the
    sessions that began after the first one.
    """
    last = None
    while True:
        ids = _ids_after(last)
        if not ids:
            return
        # The list of revocations needs events that are committed soon after their time. A run can take an hour.
        yield Revoked(accounts=len(ids), sessions=_revoke_batch(ids, now=clock.now()))
        last = ids[-1]


def _ids_after(last: Any) -> list[Any]:
    rows = Account.objects.all() if last is None else Account.objects.filter(pk__gt=last)
    return list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH])


@write
def _revoke_batch(ids: list[Any], *, now: datetime) -> int:
    # The lock order is account, family, as in every other transaction that ends sessions. The epoch alone voids the
    # recoveries: mfa is a higher app.
    Account.objects.filter(pk__in=ids).update(credentials_epoch=F("credentials_epoch") + 1, updated_at=now)
    MailToken.objects.filter(account__in=ids, spent_at=None).update(spent_at=now)
    PendingLogin.objects.filter(account__in=ids).delete()
    live = Family.objects.live(now).filter(account__in=ids).values_list("account", flat=True).distinct()
    # The events have different times, so that a list of them can be divided at each time.
    return sum(
        revoke_all(account_id=account_id, cause=Cause.DATABASE_RESTORED, now=now + timedelta(microseconds=number))
        for number, account_id in enumerate(live)
    )
