"""Mails to account owners about the acts of operators. A mail names neither the operator nor the reason."""

from collections.abc import Mapping
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from accounts.host import users
from accounts.models import Account
from core.db.transactions import transaction_required
from mail.compose import MailTemplate, enqueue

from .catalogue import NO_CLIENT, ActName

# The acts that are missing here mail the owner by themselves.
_DONE: Mapping[ActName, Promise] = {
    ActName.SIGN_OUT: gettext_lazy("All your sessions were ended. You can sign in again."),
    ActName.UNLOCK: gettext_lazy("The lock of your account was ended. You can sign in again."),
    ActName.DEACTIVATE: gettext_lazy("Your account was deactivated. Your data stay, but you cannot sign in."),
    ActName.REACTIVATE: gettext_lazy("Your account was reactivated. You can sign in again."),
}
_PLANNED: Mapping[ActName, Promise] = {
    ActName.REMOVE_FACTORS: gettext_lazy("All your second factors and recovery codes will be removed."),
    ActName.DELETE: gettext_lazy("Your account will be deleted with all its data."),
}


@transaction_required
def mail_done(account: Account, *, act: ActName, now: datetime) -> None:
    """Tell the owner of the act, unless the act itself mails the owner. Needs a transaction."""
    if act in _DONE:
        _mail(account, template=MailTemplate.OPERATOR_ACT, act=_DONE[act], now=now)


@transaction_required
def mail_planned(account: Account, *, act: ActName, token: str, due_at: datetime, now: datetime) -> None:
    """Mail the owner the link that stops the planned act. Needs a transaction."""
    _mail(
        account,
        template=MailTemplate.OPERATOR_ACT_PLANNED,
        act=_PLANNED[act],
        now=now,
        due_at=due_at,
        token=token,
    )


def _mail(
    account: Account,
    *,
    template: MailTemplate,
    act: Promise,
    now: datetime,
    due_at: datetime | None = None,
    token: str = "",
) -> None:
    address = users.email_of(account.user)
    if not address:
        return
    enqueue(
        template=template,
        to=address,
        account_id=account.pk,
        values={"act": act, "token": token, "ready_at": due_at or now},
        client=NO_CLIENT,
        now=now,
        expires_at=due_at,
    )
