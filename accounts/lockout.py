"""The lock that guards passwords and second factors against guessing: failures in a row close an account for a while.

A lock ends by time alone. It never ends live sessions, and a magic link, which proves the mailbox, gets past it:
otherwise anyone could shut an owner out with a few wrong passwords.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Case, F, Q, Value, When
from django.db.models.lookups import GreaterThanOrEqual

from .conf import conf
from .core.client import Client
from .core.transactions import join
from .events.audit import record
from .events.vocabulary import EventType
from .lifecycle import account_listeners
from .models import Account


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A failed proof. `locked_until` is set when this very failure locked the account."""

    locked_until: datetime | None


def is_locked(*, locked_until: datetime | None, now: datetime) -> bool:
    """Tell whether the lock is in force; one that has run out means nothing."""
    return locked_until is not None and locked_until > now


@join
def record_failure(
    *,
    account: Q,
    user_id: str | None,
    event: EventType,
    client: Client,
    now: datetime,
    metadata: Mapping[str, Any] | None = None,
) -> Failure:
    """Count a failure of the account that `account` selects, lock it at the threshold, and record the events.

    The same statements run when no account is selected, so that a failure takes as long for an unknown address.
    While the account is locked the count stays as it is. A lock raises the account's epoch: a proof that was under way
    when it fell is worth nothing, or as many passwords as calls run in parallel could be tried before each lock.
    """
    settings = conf()
    until = now + timedelta(seconds=settings.lockout_seconds)
    # A lock that has run out takes its failures along: this one is the first of a new row.
    count = Case(When(locked_until__isnull=False, then=Value(1)), default=F("failed_attempts") + 1)
    locks = GreaterThanOrEqual(count, settings.lockout_threshold)
    counted = (
        Account.objects.filter(account)
        .filter(Q(locked_until__isnull=True) | Q(locked_until__lte=now))
        .update(
            failed_attempts=count,
            locked_until=Case(When(locks, then=Value(until)), default=None),
            credentials_epoch=F("credentials_epoch") + Case(When(locks, then=Value(1)), default=Value(0)),
        )
    )
    record(event=event, user_id=user_id, client=client, now=now, metadata=metadata)
    if not counted:
        return Failure(locked_until=None)
    row = Account.objects.get(account)
    if not is_locked(locked_until=row.locked_until, now=now):
        return Failure(locked_until=None)
    record(event=EventType.ACCOUNT_LOCKED, user_id=str(row.pk), client=client, now=now)
    for listener in account_listeners:
        listener.account_locked(account_id=row.pk, now=now)
    return Failure(locked_until=row.locked_until)


@join
def clear_failures(*, account_id: Any, now: datetime) -> None:
    """Forget the failures of an account that is not locked: a login was completed."""
    Account.objects.filter(Q(locked_until__isnull=True) | Q(locked_until__lte=now), pk=account_id).exclude(
        failed_attempts=0, locked_until=None
    ).update(failed_attempts=0, locked_until=None)
