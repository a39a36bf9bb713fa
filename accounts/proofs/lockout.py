"""The lock of an account after several failures in a row. It limits the guessing of passwords and second factors.

`login_locks` has the locks of unknown addresses, and of the known networks of an account.

A lock ends only when its time is over. Live sessions continue during a lock, and a magic link still signs in.
Otherwise an attacker could shut the account owner out with a few wrong passwords.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Case, F, PositiveIntegerField, Q, QuerySet, Value, When

from core.db.transactions import transaction_required
from core.http.client import Client
from events.audit import record
from events.vocabulary import EventType
from mail.compose import (
    MailTemplate,
    enqueue,
    is_sent,
)
from mail.queue import NO_RECIPIENT

from ..conf import settings
from ..host import users
from ..lifecycle import account_listeners
from ..models import FAILURE_MEMORY_PERIOD, Account

FIRST_LONGER_LOCK = 20
"""The number of the first lock in a row that is twice as long as the lock before. A completed login ends the row."""

LONGEST_SECONDS = 24 * 3600
"""The longest lock that doubling can reach. A lock is longer only when LOCKOUT_SECONDS is larger."""

FIRST_LOCK_MAIL_PAUSE = timedelta(hours=24)
"""The shortest time between the last mail about a lock and a mail about the first lock of a row.

A completed login ends a row, so the account can get many rows. The pause limits the mails that an attacker can cause.
"""


def is_locked(*, locked_until: datetime | None, now: datetime) -> bool:
    """Return whether a lock with this end is still in force."""
    return locked_until is not None and locked_until > now


@transaction_required
def record_failure(
    *,
    account: Q,
    user_id: str | None,
    event: EventType,
    client: Client,
    now: datetime,
    metadata: Mapping[str, Any] | None = None,
) -> bool:
    """Count a failure of the account that `account` selects, lock the account at the threshold, and record the events.

    Return True. Return False, and record nothing, when the account `user_id` was deleted meanwhile.

    When `account` selects no row, the same statements run. A failure then takes as long for an unknown address. The
    count does not change while the account is locked. Locking raises the account's epoch, which invalidates the proofs
    of parallel logins. Otherwise parallel logins could each test a password before the lock is visible.

    Locking also notifies the account listeners and queues a mail to the account owner. Needs a transaction.
    """
    # With an expired lock or an old failure, this failure is the first of a new count.
    is_old = Q(failed_at__lte=now - FAILURE_MEMORY_PERIOD)
    count = Case(When(Q(locked_until__isnull=False) | is_old, then=Value(1)), default=F("failed_attempts") + 1)
    locks = Case(When(is_old, then=Value(0)), default=F("locks_in_row"), output_field=PositiveIntegerField())
    counted = _unlocked(account, now=now).update(
        failed_attempts=count, locks_in_row=locks, locked_until=None, failed_at=now
    )
    # The read is unconditional: the statements must be the same for an unknown address. The row of a locked account is
    # not counted, so the read holds it. Otherwise a concurrent deletion could clear the IP addresses of the account's
    # events before it sees this event.
    rows = Account.objects.select_for_update(no_key=True).filter(account)
    row = rows.values_list("pk", "failed_attempts").first()
    if user_id is not None and row is None:
        return False
    record(event=event, user_id=user_id, client=client, now=now, metadata=metadata)
    if counted and row is not None and row[1] >= settings().lockout_threshold:
        _lock(account_id=row[0], client=client, now=now)
    return True


def _lock(*, account_id: Any, client: Client, now: datetime) -> None:
    """Lock the account. The caller's transaction has already changed the row."""
    account = Account.objects.select_related("user").get(pk=account_id)
    account.locks_in_row += 1
    account.locked_until = now + lock_length(number=account.locks_in_row)
    account.credentials_epoch += 1
    account.save(update_fields=["locks_in_row", "locked_until", "credentials_epoch"])
    record(event=EventType.ACCOUNT_LOCKED, user_id=str(account.pk), client=client, now=now)
    for listener in account_listeners:
        listener.account_locked(account_id=account.pk, now=now)
    _notify_owner(account, client=client, now=now)


@transaction_required
def clear_failures(*, account_id: Any, now: datetime) -> bool:
    """Reset the failures and the locks in a row after a completed login. Return whether there were any.

    A locked account stays unchanged, and the call then returns False. Needs a transaction.
    """
    counted = _unlocked(Q(pk=account_id), now=now).exclude(failed_attempts=0, locked_until=None, locks_in_row=0)
    return bool(counted.update(failed_attempts=0, locked_until=None, locks_in_row=0))


@transaction_required
def clear_count(*, account_id: Any) -> None:
    """Reset the failures after a password reset. A lock lasts until its time is over, and the locks in a row stay.

    Needs a transaction.
    """
    Account.objects.filter(pk=account_id).update(failed_attempts=0)


def lock_length(*, number: int) -> timedelta:
    """Return the duration of the lock with this number in its row. The first lock of a row has the number 1."""
    seconds = settings().lockout_seconds
    doubled = seconds * 2 ** max(0, number - FIRST_LONGER_LOCK + 1)
    return timedelta(seconds=max(seconds, min(doubled, LONGEST_SECONDS)))


def _unlocked(account: Q, *, now: datetime) -> QuerySet[Account]:
    return Account.objects.filter(account).filter(Q(locked_until__isnull=True) | Q(locked_until__lte=now))


@transaction_required
def mail_no_one(*, number: int, client: Client, now: datetime) -> None:
    """Queue the mail about a lock to no recipient. The lock of an unknown address then takes as long as an account's.

    `number` is that of the lock in its row. Runs in the caller's transaction.
    """
    if number not in (1, FIRST_LONGER_LOCK):
        return
    enqueue(
        template=MailTemplate.ACCOUNT_LOCKED if number == 1 else MailTemplate.ACCOUNT_LOCKED_REPEATEDLY,
        to=NO_RECIPIENT,
        account_id=None,
        values={"locked_until": now + lock_length(number=number), "locks": str(number)},
        client=client,
        now=now,
    )


def _notify_owner(account: Account, *, client: Client, now: datetime) -> None:
    """Queue a mail to the account owner for the first and for the twentieth lock of a row.

    The first lock causes no mail when a mail about a lock was queued in the last 24 hours.
    """
    mailed_at = account.lock_mailed_at
    if account.locked_until is None:
        return
    if account.locks_in_row == FIRST_LONGER_LOCK:
        template = MailTemplate.ACCOUNT_LOCKED_REPEATEDLY
    elif account.locks_in_row == 1 and (mailed_at is None or mailed_at <= now - FIRST_LOCK_MAIL_PAUSE):
        template = MailTemplate.ACCOUNT_LOCKED
    else:
        return
    if not is_sent(template=template):
        return
    enqueue(
        template=template,
        to=users.email_of(account.user),
        account_id=account.pk,
        values={"locked_until": account.locked_until, "locks": str(account.locks_in_row)},
        client=client,
        now=now,
    )
    Account.objects.filter(pk=account.pk).update(lock_mailed_at=now)
