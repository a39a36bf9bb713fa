"""One act of an operator on one account: at once, or planned for later."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext, gettext_noop

from accounts.models import Account
from accounts.state.lookup import get_account_for_operator, hold_account_for_operator
from accounts.state.reconciliation import reconcile
from core.clock import rfc3339
from core.db.transactions import transaction_required, write
from core.http.client import Client
from core.keys.opaque import new_token
from events.vocabulary import EventType

from ..models import PlannedAct
from ..operators.acts import record_act
from ..operators.grants import find_rights
from ..roles import Right, refusal_of
from .catalogue import ACTS, ActName, ActRefused
from .notices import mail_done, mail_planned

OWN_ACCOUNT = gettext_noop("This is your own account. Ask another operator, or use the pages of your application.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """An act that an operator orders. `reason` is the operator's text for the audit event."""

    act: ActName
    user_id: str
    reason: str
    operator_id: str
    client: Client


def order_act(order: Order, *, now: datetime) -> datetime | None:
    """Do the act and return None, or plan it and return the time at which it is due. The owner gets a mail.

    Raises ActRefused when the act is impossible, unneeded or planned already, or the operator may not do it. Raises
    NotFound when no account has the id. Opens its own transactions.
    """
    # A host project can have changed the address or the password since the service last saw the user.
    reconcile(get_account_for_operator(user_id=order.user_id), now=now)
    return _order(order, now=now)


def find_obstacle(*, user_id: str, operator_id: str) -> str:
    """Return the reason why the operator may not act on the account, or "" without one. Runs at most two queries."""
    if user_id == operator_id:
        return gettext(OWN_ACCOUNT)
    rights = find_rights(user_id=operator_id) or frozenset()
    needed = Right.ACT if find_rights(user_id=user_id) is None else Right.ACT_ON_OPERATORS
    return "" if needed in rights else refusal_of(needed)


@transaction_required
def record_step(
    act: ActName | str, *, step: str, user_id: str, operator_id: str, client: Client, now: datetime, **metadata: Any
) -> None:
    """Record a step of the act: `done`, `planned`, `cancelled` or `failed`. Needs a transaction."""
    record_act(
        act=EventType.OPERATOR_ACTED,
        operator_id=operator_id,
        client=client,
        now=now,
        metadata={"subject_id": user_id, "act": str(act), "step": step, **metadata},
    )


@write
def _order(order: Order, *, now: datetime) -> datetime | None:
    account = hold_account_for_operator(user_id=order.user_id)
    # Checked under the lock of the row. The rights of the session may be older than the page.
    if obstacle := find_obstacle(user_id=str(account.pk), operator_id=order.operator_id):
        raise ActRefused(obstacle)
    act = ACTS[order.act]
    if act.delay:
        return _plan(order, account, now=now)
    act.run(account, now)
    mail_done(account, act=order.act, now=now)
    _record(order, step="done", now=now)
    return None


def _plan(order: Order, account: Account, *, now: datetime) -> datetime:
    token, due_at = new_token(), now + ACTS[order.act].delay
    planned = PlannedAct(
        account=account,
        act=order.act,
        reason=order.reason,
        author_id=order.operator_id,
        digest=token.digest,
        planned_at=now,
        due_at=due_at,
    )
    if PlannedAct.objects.filter(account=account, act=order.act).exists():
        raise ActRefused(gettext("This is planned for the account already."))
    planned.save(force_insert=True)
    mail_planned(account, act=order.act, token=token.raw, due_at=due_at, now=now)
    _record(order, step="planned", now=now, due_at=rfc3339(due_at))
    return due_at


def _record(order: Order, *, step: str, now: datetime, **metadata: Any) -> None:
    record_step(
        order.act,
        step=step,
        user_id=order.user_id,
        operator_id=order.operator_id,
        client=order.client,
        now=now,
        reason=order.reason,
        **metadata,
    )
