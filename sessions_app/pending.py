"""Logins that wait for their second factor: completed once, and gone after a few wrong guesses."""

from datetime import datetime
from typing import Protocol

from django.db.models import Case, F, Q, Value, When

from accounts.core.db.transactions import join, write
from accounts.core.errors import ServiceError
from accounts.core.http.client import Client
from accounts.core.keys.opaque import find_digest
from accounts.credentials import Proof, holds
from accounts.events.vocabulary import EventType
from accounts.host_changes import has_new_address, is_admitted
from accounts.lockout import clear_failures, record_failure
from accounts.models import Account

from .detection import record_login
from .errors import InvalidPendingLogin
from .issuing import Issued, TokenPair, issue, open_session
from .login import PENDING_PREFIX
from .models import PendingLogin

FAILURES_MAX = 5
"""The wrong guess that ends a pending login."""


class SecondProof(Protocol):
    """What somebody who logs in presents as their second factor."""

    factor: str
    """What it is, as it stands in the event of the login."""
    failed_event: EventType

    @property
    def refusal(self) -> type[ServiceError]:
        """What is raised when it is wrong."""

    def failure(self, *, account: Account, client: Client, now: datetime) -> str | None:
        """Return None when it is right, which spends it, and else why not, in a word for the audit record.

        Runs in the transaction of the completion, while the account's row is held: of several proofs for one account
        one at a time is looked at.
        """


def get_pending(*, pending_token: str, now: datetime) -> PendingLogin:
    """Return the login that waits under the token, with its account and user; looking spends nothing.

    Raises InvalidPendingLogin when the token is unknown, expired, completed, or used up by wrong guesses.
    """
    digest = find_digest(pending_token, prefix=PENDING_PREFIX)
    rows = PendingLogin.objects.select_related("account__user").filter(digest=digest)
    pending = rows.filter(_waits(now)).first() if digest else None
    if pending is None or not is_admitted(pending.account) or has_new_address(pending.account):
        raise InvalidPendingLogin
    return pending


def complete(*, pending: PendingLogin, proof: SecondProof, client: Client, now: datetime) -> TokenPair:
    """Complete the login and return its tokens.

    Of several right proofs for one pending login exactly one yields tokens. Raises the proof's own refusal when it is
    wrong, which counts towards the login's limit and towards the account's lock, and InvalidPendingLogin when the login
    waits no longer.
    """
    issued = issue(account_id=pending.account_id, now=now)
    # Returned and not raised in there: what was counted has to stay.
    if refusal := _complete(pending, proof, issued, client=client, now=now):
        raise refusal
    return issued.pair


@write
def _complete(
    pending: PendingLogin, proof: SecondProof, issued: Issued, *, client: Client, now: datetime
) -> type[ServiceError] | None:
    account = pending.account
    # The account's row first: whatever voids pending logins holds it, or has raised the epoch that this one rests on.
    first_factor = Proof(account_id=account.pk, epoch=pending.epoch, email="")
    if not holds(first_factor) or not _spend(pending, now=now):
        return InvalidPendingLogin
    reason = proof.failure(account=account, client=client, now=now)
    if reason is not None:
        _give_back(pending, now=now)
        record_failure(
            account=Q(pk=account.pk),
            user_id=first_factor.user_id,
            event=proof.failed_event,
            client=client,
            now=now,
            metadata={"reason": reason},
        )
        return proof.refusal
    open_session(account_id=account.pk, issued=issued, client=client, now=now)
    clear_failures(account_id=account.pk, now=now)
    record_login(account_id=account.pk, method=pending.method, second_factor=proof.factor, client=client, now=now)
    return None


@join
def _spend(pending: PendingLogin, *, now: datetime) -> bool:
    return bool(PendingLogin.objects.filter(_waits(now), pk=pending.pk).update(consumed_at=now))


@join
def _give_back(pending: PendingLogin, *, now: datetime) -> None:
    """Let the login wait on, unless this was its last wrong guess."""
    was_last = When(failures__gte=FAILURES_MAX - 1, then=Value(now))
    rows = PendingLogin.objects.filter(pk=pending.pk)
    rows.update(failures=F("failures") + 1, consumed_at=Case(was_last, default=None))


def _waits(now: datetime) -> Q:
    return Q(consumed_at=None, expires_at__gt=now)
