"""The acts that an operator can do on an account, as the pages show them.

The template tags use this module. It imports no page, because each process that renders a mail imports the tags.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from accounts.host.changes import is_deactivated
from accounts.models import Account
from accounts.proofs.lockout import is_locked
from mail.compose import is_mail_on
from sessions_app.logins.second_factors import enrolled_factors

from ..account_acts.catalogue import ACTS, AccountAct, ActName
from ..account_acts.planned import list_planned
from ..people.users import find_emails


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """An act as a command of the host."""

    act: AccountAct
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """An act that waits. `author` is the address of the operator who planned it."""

    id: str
    label: str
    author: str
    reason: str
    planned_at: datetime
    due_at: datetime


def possible_acts(account: Account, *, now: datetime) -> Sequence[AccountAct]:
    """Return the acts that make sense in the present state of the account."""
    senseless = {ActName.DEACTIVATE} if is_deactivated(account) else {ActName.REACTIVATE}
    if not is_locked(locked_until=account.locked_until, now=now):
        senseless.add(ActName.UNLOCK)
    if not enrolled_factors(account_id=account.pk):
        senseless.add(ActName.REMOVE_FACTORS)
    return [act for act in ACTS.values() if act.name not in senseless]


def commands_of(account: Account, *, now: datetime) -> Sequence[Command]:
    """Return the possible acts as commands. A command acts at once, and mails the owner only where the act does."""
    suffix = {ActName.REQUIRE_RESET: " --mail"} if is_mail_on() else {}
    return [
        Command(act=act, text=f"manage.py users {act.name} {account.pk}{suffix.get(act.name, '')}")
        for act in possible_acts(account, now=now)
    ]


def waiting_acts(*, user_id: str) -> Sequence[Waiting]:
    """Return the acts that wait for the account."""
    rows = list_planned(user_id=user_id)
    emails = find_emails(user_ids=[row.author_id for row in rows])
    return [
        Waiting(
            id=str(row.pk),
            label=str(ACTS[ActName(row.act)].label),
            author=emails.get(row.author_id, gettext("deleted account")),
            reason=row.reason,
            planned_at=row.planned_at,
            due_at=row.due_at,
        )
        for row in rows
    ]
