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

from . import users
from .conf import conf
from .core.db.transactions import join
from .core.http.client import Client
from .events.audit import record
from .events.vocabulary import EventType
from .lifecycle import account_listeners
from .mail.compose import (
    MailTemplate,
    enqueue,
    format_utc,
    is_mail_on,
)
from .models import Account

LONGER_FROM = 20
"""The lock in a row, without a completed login in between, from which on each lock is twice as long as the last."""

LONGEST_SECONDS = 24 * 3600
"""Doubling ends here. Only LOCKOUT_SECONDS makes longer locks."""

FIRST_LOCK_MAIL_PAUSE = timedelta(hours=24)
"""A completed login ends a row of locks. This pause bounds the mails of an attacker who starts row after row."""


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
    # A lock that has run out takes its failures along: this one is the first of a new row.
    count = Case(When(locked_until__isnull=False, then=Value(1)), default=F("failed_attempts") + 1)
    locks = GreaterThanOrEqual(count, settings.lockout_threshold)
    counted = (
        Account.objects.filter(account)
        .filter(Q(locked_until__isnull=True) | Q(locked_until__lte=now))
        .update(
            failed_attempts=count,
            locked_until=Case(When(locks, then=_end_of_lock(now)), default=None),
            locks_in_row=F("locks_in_row") + Case(When(locks, then=Value(1)), default=Value(0)),
            credentials_epoch=F("credentials_epoch") + Case(When(locks, then=Value(1)), default=Value(0)),
        )
    )
    record(event=event, user_id=user_id, client=client, now=now, metadata=metadata)
    # Read in any case: the statements must not depend on whether an account was selected.
    row = Account.objects.select_related("user").filter(account, locked_until__gt=now).first()
    if not counted or row is None:
        return Failure(locked_until=None)
    record(event=EventType.ACCOUNT_LOCKED, user_id=str(row.pk), client=client, now=now)
    for listener in account_listeners:
        listener.account_locked(account_id=row.pk, now=now)
    _notify_owner(row, client=client, now=now)
    return Failure(locked_until=row.locked_until)


@join
def clear_failures(*, account_id: Any, now: datetime) -> None:
    """Forget the failures and the locks in a row of an account that is not locked: a login was completed."""
    Account.objects.filter(Q(locked_until__isnull=True) | Q(locked_until__lte=now), pk=account_id).exclude(
        failed_attempts=0, locked_until=None, locks_in_row=0
    ).update(failed_attempts=0, locked_until=None, locks_in_row=0)


def lock_length(*, number: int) -> timedelta:
    """Return how long the lock with this number in its row lasts; the first lock of a row has the number 1."""
    seconds = conf().lockout_seconds
    doubled = seconds * 2 ** max(0, number - LONGER_FROM + 1)
    return timedelta(seconds=max(seconds, min(doubled, LONGEST_SECONDS)))


def _end_of_lock(now: datetime) -> Case:
    """Return the expression for the end of a lock that begins now and that `locks_in_row` does not count yet."""
    longer: list[When] = []
    number = LONGER_FROM
    while lock_length(number=number) > lock_length(number=number - 1):
        longer.insert(0, When(locks_in_row__gte=number - 1, then=Value(now + lock_length(number=number))))
        number += 1
    return Case(*longer, default=Value(now + lock_length(number=1)))


def _notify_owner(account: Account, *, client: Client, now: datetime) -> None:
    """Mail the owner about the first lock of a row, at most once in 24 hours, and about the twentieth."""
    mailed_at = account.lock_mailed_at
    if account.locked_until is None or not is_mail_on():
        return
    if account.locks_in_row == LONGER_FROM:
        template = MailTemplate.ACCOUNT_LOCKED_REPEATEDLY
    elif account.locks_in_row == 1 and (mailed_at is None or mailed_at <= now - FIRST_LOCK_MAIL_PAUSE):
        template = MailTemplate.ACCOUNT_LOCKED
    else:
        return
    enqueue(
        template=template,
        to=users.email_of(account.user),
        account_id=account.pk,
        values={"locked_until": format_utc(account.locked_until), "locks": str(account.locks_in_row)},
        client=client,
        now=now,
    )
    Account.objects.filter(pk=account.pk).update(lock_mailed_at=now)
