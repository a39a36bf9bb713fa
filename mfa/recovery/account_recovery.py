"""Recovery of an account whose owner lost all second factors. A mailed link removes the factors after a wait.

The wait protects the account owner from an attacker who reads the mailbox. The owner gets a mail every day. A login, a
refresh or a reauthentication ends the recovery. So does a change of the password, the address or a factor.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any, ClassVar, Literal

from django.db.models import F, Min, Q

from accounts.errors import VerificationTokenInvalid
from accounts.host import users
from accounts.host.changes import check_own_address, has_new_address, is_admitted
from accounts.lifecycle import AccountListener
from accounts.models import Account, MailToken
from accounts.proofs.credentials import prove_mailbox
from accounts.state.lookup import find_account_for_operator
from accounts.state.mail_tokens import Purpose, account_of, get_mail_token, issue_mail_token, void_mail_tokens
from core import ratelimit
from core.db.ids import new_id
from core.db.transactions import transaction_required, write
from core.http.answers import Described
from core.http.client import Client
from core.http.examples import LATER
from core.http.limits import CountedByAct
from core.ratelimit import Limit
from events.audit import record
from events.models import Event
from events.vocabulary import EventType
from mail.compose import MailTemplate, enqueue
from mail.limits import MailKind, mailbox_key
from sessions_app.errors import InvalidPendingLogin
from sessions_app.families.revocation import void_pending_logins
from sessions_app.logins.factor_changes import remove_factors
from sessions_app.logins.pending import is_still_pending
from sessions_app.logins.second_factors import second_factors
from sessions_app.models import PendingLogin

from ..conf import WAIT_HOURS_MAX, is_recovery_on, settings
from ..models import AccountRecovery
from .notices import notify_owner

START_LIMITS = (CountedByAct(Limit.MAIL_IP), CountedByAct(Limit.MAILBOX))
"""The limits that `request_recovery` counts when it sends the first mail."""

MAIL_INTERVAL = timedelta(days=1)

COMPLETION_TIME = timedelta(days=3)
"""The time after the wait in which the account owner can complete the recovery. Then the recovery ends."""

CANCEL_LINKS_MAX = WAIT_HOURS_MAX // 24 + 1
"""Upper bound of the number of mails with a link that cancels. All these links work until the recovery ends."""

_ACTS_OF_THE_OWNER = (EventType.LOGIN_SUCCESS, EventType.TOKEN_ROTATED, EventType.REAUTHENTICATED)

_WORKER = Client(ip="", user_agent="")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveryStarted:
    """A recovery that waits."""

    example: ClassVar = {"status": "recovery started", "ready_at": LATER}

    status: Literal["recovery started"] = "recovery started"
    ready_at: Annotated[datetime, Described("The end of the wait. The service then mails the link that completes it.")]


def acts_of_the_owner() -> list[EventType]:
    """Return the types of events that only a person with a factor or a session can cause.

    Each of them ends a recovery that began before it. The service searches the audit trail before each mail and at the
    completion. So logins and refreshes need no further statement.
    """
    changes = (event for factor in second_factors for event in (factor.enrolled_event, factor.removed_event))
    return [*_ACTS_OF_THE_OWNER, *changes]


@write
def request_recovery(*, pending: PendingLogin, client: Client, now: datetime) -> RecoveryStarted:
    """Start the recovery of the account whose login waits, and mail the account owner. The login keeps waiting.

    A recovery that already runs stays as it is, and no mail is sent. Raises InvalidPendingLogin when the login no longer
    waits. Raises BadRequest when the account has no address of its own. Raises RateLimited when the caller's network or the mailbox has reached its limit of mails. Opens its own
    transaction.
    """
    if not is_still_pending(pending=pending, now=now):
        raise InvalidPendingLogin
    account = pending.account
    check_own_address(account)
    recovery = _find(account_id=account.pk)
    if recovery is not None and (reason := _reason_to_end(recovery, account, now=now)):
        _cancel(recovery, reason=reason, client=client, now=now)
        recovery = None
    if recovery is None:
        recovery = _start(account, client=client, now=now)
    return RecoveryStarted(ready_at=recovery.ready_at)


def cancel_recovery(*, token: str, client: Client, now: datetime) -> None:
    """Cancel the recovery that the token's mail reported. The factors stay.

    Raises VerificationTokenInvalid and VerificationTokenExpired as `get_mail_token` does. Raises
    VerificationTokenInvalid also when the recovery ended at the same time. Opens its own transaction.
    """
    found = get_mail_token(raw=token, purpose=Purpose.RECOVERY_CANCEL, now=now)
    if not _cancel_by_link(found, client=client, now=now):
        raise VerificationTokenInvalid


def cancel_by_operator(*, email: str, now: datetime) -> bool | None:
    """Cancel the recovery of the account with this address. Return whether one was running.

    Returns None when no account has the address. Opens its own transaction.
    """
    account = find_account_for_operator(email=email)
    return None if account is None else _cancel_for_account(account, now=now)


def complete_recovery(*, token: str, client: Client, now: datetime) -> None:
    """Remove all second factors and recovery codes of the account, and mail the account owner.

    The account's pending logins and ceremonies end. The password, the sessions and the API keys stay, and nothing is
    proven about the address. Raises VerificationTokenInvalid and VerificationTokenExpired as `get_mail_token` does.
    Raises VerificationTokenInvalid also when the recovery ended in the meantime. Opens its own transaction.
    """
    found = get_mail_token(raw=token, purpose=Purpose.RECOVERY_COMPLETE, now=now)
    if not _complete(found, client=client, now=now):
        raise VerificationTokenInvalid


class ContinueRecoveries:
    """Job that mails the owner of each account with a running recovery.

    A mail is due once a day and at the end of the wait.

    Each mail is queued in the transaction that sets the time of the next one. So no mail is queued twice with several
    workers, and a mail stays due when its worker dies.

    While recoveries are off, the job ends each recovery at the time of its next mail. Otherwise the recovery's row
    would keep audit events for ever. The recovery could also continue later, although the owner got no mail meanwhile.
    """

    name = "recoveries"

    def next_due(self, now: datetime) -> datetime | None:
        due: datetime | None = AccountRecovery.objects.aggregate(due=Min("due_at"))["due"]
        return due

    def run(self, now: datetime, stop: Callable[[], bool]) -> None:
        due = AccountRecovery.objects.filter(due_at__lte=now).order_by("due_at")
        while not stop() and (recovery := due.first()) is not None:
            _continue(recovery, now=now)


class FollowAccounts(AccountListener):
    """Listener that keeps a recovery when its account is locked, and ends it when the account is taken over.

    Otherwise any person could end a recovery with a few wrong passwords.
    """

    def account_taken_over(self, *, account_id: Any, now: datetime) -> None:
        """End the recovery. The caller voids the tokens of its mails."""
        AccountRecovery.objects.filter(account_id=account_id).delete()

    def account_locked(self, *, account_id: Any, now: datetime) -> None:
        """Raise the recovery's epoch by one, as the lock raised the account's epoch.

        A recovery whose epoch was older than that of the account before the lock stays void.
        """
        rows = AccountRecovery.objects.filter(account_id=account_id, account__credentials_epoch=F("epoch") + 1)
        rows.update(epoch=F("epoch") + 1)


class KeepActsOfOwners:
    """Keeper of the audit events that end a running recovery. The sweep does not delete them."""

    def kept(self) -> Q:
        """Return the condition that selects the acts of all account owners since the oldest running recovery began."""
        oldest = AccountRecovery.objects.order_by("pk").values_list("pk", flat=True).first()
        return Q(pk__in=[]) if oldest is None else Q(pk__gt=oldest, type__in=acts_of_the_owner())


@transaction_required
def _start(account: Account, *, client: Client, now: datetime) -> AccountRecovery:
    mailbox = users.mailbox_of(account.user)
    # RateLimited rolls the transaction back.
    ratelimit.hit_all(
        (Limit.MAIL_IP, ratelimit.network_key(client.ip)),
        (Limit.MAILBOX, mailbox_key(MailKind.RECOVERY, mailbox)),
        now=now,
    )
    # The setting is None only while recoveries are off, and then no request reaches this line.
    ready_at = now + timedelta(hours=settings().recovery_wait_hours or WAIT_HOURS_MAX)
    recovery = AccountRecovery.objects.create(
        id=new_id(),
        account=account,
        epoch=account.credentials_epoch,
        requested_at=now,
        ready_at=ready_at,
        due_at=min(now + MAIL_INTERVAL, ready_at),
    )
    record(event=EventType.RECOVERY_STARTED, user_id=str(account.pk), client=client, now=now)
    _mail(recovery, account, client=client, now=now)
    return recovery


@write
def _continue(recovery: AccountRecovery, *, now: datetime) -> None:
    """Queue the mail that is due, or end the recovery. Does nothing when another worker has done it."""
    rows = Account.objects.select_for_update(no_key=True, of=("self",)).select_related("user")
    account = rows.filter(pk=recovery.account_id).first()
    due = AccountRecovery.objects.filter(pk=recovery.pk, due_at=recovery.due_at)
    if account is None or (found := due.first()) is None:
        return
    if reason := _reason_to_end(found, account, now=now):
        _cancel(found, reason=reason, client=_WORKER, now=now)
        return
    due.update(due_at=_next_due(found, now=now))
    _mail(found, account, client=_WORKER, now=now)


def _next_due(recovery: AccountRecovery, *, now: datetime) -> datetime:
    if now >= recovery.ready_at:
        return _ends_at(recovery)
    # After a pause of all workers only one mail is due, not one for each missed day.
    days = (now - recovery.requested_at) // MAIL_INTERVAL + 1
    return min(recovery.requested_at + days * MAIL_INTERVAL, recovery.ready_at)


@transaction_required
def _mail(recovery: AccountRecovery, account: Account, *, client: Client, now: datetime) -> None:
    """Queue the mail of this time. Its link cancels the recovery or, after the wait, completes the recovery."""
    is_ready = now >= recovery.ready_at
    address = users.email_of(account.user)
    ends_at = _ends_at(recovery)
    token = issue_mail_token(
        account_id=account.pk,
        purpose=Purpose.RECOVERY_COMPLETE if is_ready else Purpose.RECOVERY_CANCEL,
        address=address,
        now=now,
        lifetime=ends_at - now,
        live_max=1 if is_ready else CANCEL_LINKS_MAX,
    )
    enqueue(
        template=MailTemplate.RECOVERY_COMPLETE if is_ready else MailTemplate.RECOVERY_CANCEL,
        to=address,
        account_id=account.pk,
        values={
            "token": token,
            "requested_at": recovery.requested_at,
            "ready_at": recovery.ready_at,
        },
        client=client,
        now=now,
        expires_at=ends_at,
    )


def _ends_at(recovery: AccountRecovery) -> datetime:
    return recovery.ready_at + COMPLETION_TIME


def _find(*, account_id: Any) -> AccountRecovery | None:
    return AccountRecovery.objects.filter(account_id=account_id).first()


def _reason_to_end(recovery: AccountRecovery, account: Account, *, now: datetime) -> str | None:
    """Return why the recovery must end, as one word for the audit record. Return None when it may continue.

    Needs the lock on the account's row, so no login completes at the same time.
    """
    if not is_recovery_on():
        return "turned_off"
    if recovery.epoch != account.credentials_epoch or not is_admitted(account) or has_new_address(account):
        return "account_changed"
    if Event.objects.filter(user_id=str(account.pk), pk__gt=recovery.pk, type__in=acts_of_the_owner()).exists():
        return "owner_active"
    return "expired" if now >= _ends_at(recovery) else None


@write
def _cancel_by_link(token: MailToken, *, client: Client, now: datetime) -> bool:
    proof = prove_mailbox(token, now=now)
    recovery = _find(account_id=proof.account_id) if proof else None
    if recovery is None:
        return False
    _cancel(recovery, reason="link", client=client, now=now)
    return True


@write
def _cancel_for_account(account: Account, *, now: datetime) -> bool:
    list(Account.objects.select_for_update(no_key=True).filter(pk=account.pk).values_list("pk"))
    recovery = _find(account_id=account.pk)
    if recovery is None:
        return False
    _cancel(recovery, reason="operator", client=_WORKER, now=now)
    return True


@transaction_required
def _cancel(recovery: AccountRecovery, *, reason: str, client: Client, now: datetime) -> None:
    _delete(recovery, now=now)
    record(
        event=EventType.RECOVERY_CANCELLED,
        user_id=str(recovery.account_id),
        client=client,
        now=now,
        metadata={"reason": reason},
    )


@transaction_required
def _delete(recovery: AccountRecovery, *, now: datetime) -> None:
    recovery.delete()
    for purpose in (Purpose.RECOVERY_CANCEL, Purpose.RECOVERY_COMPLETE):
        void_mail_tokens(account_id=recovery.account_id, now=now, purpose=purpose)


@write
def _complete(token: MailToken, *, client: Client, now: datetime) -> bool:
    account = account_of(token)
    proof = prove_mailbox(token, now=now)
    recovery = _find(account_id=account.pk) if proof else None
    if proof is None or recovery is None or recovery.ready_at > now:
        # The error rolls the transaction back, so the token stays valid. With a clock behind the worker's clock, a
        # process can get the token before `ready_at`.
        raise VerificationTokenInvalid
    if reason := _reason_to_end(recovery, account, now=now):
        _cancel(recovery, reason=reason, client=client, now=now)
        return False
    proof.epoch.supersede(now=now)
    void_pending_logins(account_id=account.pk)
    remove_factors(account_id=account.pk, method="recovery", client=client, now=now)
    _delete(recovery, now=now)
    record(event=EventType.RECOVERY_COMPLETED, user_id=str(account.pk), client=client, now=now)
    notify_owner(account=account, template=MailTemplate.RECOVERY_COMPLETED_NOTICE, values={}, client=client, now=now)
    return True
