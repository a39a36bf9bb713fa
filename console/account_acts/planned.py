"""Acts that wait: their cancellation by an operator or by the owner, and the job that does them once they are due."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Min
from django.utils import translation

from accounts.errors import AccountInUse, VerificationTokenInvalid
from accounts.host import users
from accounts.state.lookup import hold_account_for_operator
from core.db.ids import parse_id
from core.db.transactions import write
from core.http.client import Client
from core.keys.opaque import find_digest
from events.audit import record
from events.vocabulary import EventType
from mail.languages import ENGLISH

from ..models import PlannedAct
from .catalogue import ACTS, NO_CLIENT, ActName, ActRefused
from .conf import act_settings
from .performing import find_obstacle, record_step

logger = logging.getLogger("authsvc.console")

BATCH = 50
OWNER = "account owner"
"""The `author` in the metadata of a cancellation by the mailed link. `user_id` is then the account."""


def list_planned(*, user_id: str) -> Sequence[PlannedAct]:
    """Return the acts that wait for this account, the next one first."""
    return list(PlannedAct.objects.filter(account_id=users.to_account_id(user_id)).order_by("due_at"))


@write
def cancel(
    *, planned_id: str, user_id: str, reason: str, operator_id: str, client: Client, now: datetime
) -> ActName | None:
    """Cancel the planned act of the account and return its name. Return None when it no longer waits.

    Raises ActRefused when the operator may not act on the account. Opens its own transaction.
    """
    if obstacle := find_obstacle(user_id=user_id, operator_id=operator_id):
        raise ActRefused(obstacle)
    key = parse_id(planned_id)
    rows = PlannedAct.objects.filter(account_id=users.to_account_id(user_id))
    row = rows.filter(pk=key).first() if key else None
    # The deletion decides between this call, the owner's link and the job.
    if row is None or not PlannedAct.objects.filter(pk=row.pk).delete()[0]:
        return None
    record_step(
        row.act, step="cancelled", user_id=user_id, operator_id=operator_id, client=client, now=now, reason=reason
    )
    return ActName(row.act)


def get_stoppable(*, token: str) -> PlannedAct:
    """Return the planned act that its owner can stop by the mailed token. Raises VerificationTokenInvalid without one."""
    digest = find_digest(token)
    row = PlannedAct.objects.filter(digest=digest).first() if digest else None
    if row is None:
        raise VerificationTokenInvalid
    return row


@write
def stop_by_link(*, token: str, client: Client, now: datetime) -> None:
    """Cancel the planned act by the token that its owner got by mail. Opens its own transaction.

    Raises VerificationTokenInvalid when no act waits for the token.
    """
    row = get_stoppable(token=token)
    if not PlannedAct.objects.filter(pk=row.pk).delete()[0]:
        raise VerificationTokenInvalid
    user_id = str(row.account_id)
    metadata = {"author": OWNER, "subject_id": user_id, "act": row.act, "step": "cancelled"}
    record(event=EventType.OPERATOR_ACTED, user_id=user_id, client=client, now=now, metadata=metadata)


class PerformPlannedActs:
    """Job that does the planned acts that are due, each once. While OPERATOR_ACTS is off, they wait."""

    name = "planned_acts"

    def next_due(self, now: datetime) -> datetime | None:
        if not act_settings().is_on:
            return None
        due: datetime | None = PlannedAct.objects.aggregate(due=Min("due_at"))["due"]
        return due

    def run(self, now: datetime, stop: Callable[[], bool]) -> None:
        due = PlannedAct.objects.filter(due_at__lte=now).order_by("due_at", "pk")
        for row in list(due[:BATCH]):
            if stop():
                return
            try:
                # The event of a refused act keeps the reason. Events are in English, whatever the language of the site.
                with translation.override(ENGLISH):
                    _perform(row.pk, now=now)
            except (ActRefused, AccountInUse) as error:
                _drop(row, cause=str(error), now=now)


@write
def _perform(planned_id: UUID, *, now: datetime) -> None:
    """Do the act. Its row goes in the same transaction, so a crash repeats the act or leaves it done, and never both."""
    row = PlannedAct.objects.filter(pk=planned_id).first()
    if row is None:
        return
    user_id = str(row.account_id)
    # The account's row is locked first, as in every change of an account.
    account = hold_account_for_operator(user_id=user_id)
    if not PlannedAct.objects.filter(pk=row.pk).delete()[0]:
        return
    # An attacker may have planned the act with the session of an operator whose rights were then revoked.
    if obstacle := find_obstacle(user_id=user_id, operator_id=row.author_id):
        raise ActRefused(obstacle)
    ACTS[ActName(row.act)].run(account, now)
    record_step(
        row.act,
        step="done",
        user_id=user_id,
        operator_id=row.author_id,
        client=NO_CLIENT,
        now=now,
        reason=row.reason,
    )


@write
def _drop(row: PlannedAct, *, cause: str, now: datetime) -> None:
    """Remove an act that is impossible, such as the removal of factors that the owner has removed."""
    if not PlannedAct.objects.filter(pk=row.pk).delete()[0]:
        return
    logger.warning("a planned act was not possible", extra={"kind": row.act, "reason": cause})
    record_step(
        row.act,
        step="failed",
        user_id=str(row.account_id),
        operator_id=row.author_id,
        client=NO_CLIENT,
        now=now,
        reason=row.reason,
        cause=cause,
    )
