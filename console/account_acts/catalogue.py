"""The acts: their names, what they do, and the functions that do them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from django.utils.translation import gettext, gettext_lazy

from accounts.acts.deactivation import DeactivatedBySite, deactivate, reactivate
from accounts.acts.deletion import delete_held
from accounts.acts.required_reset import mail_reset_link, require_reset
from accounts.acts.sign_out import sign_out
from accounts.acts.unlock import unlock
from accounts.host import users
from accounts.host.changes import is_deactivated
from accounts.lifecycle import SignOut
from accounts.models import Account
from core.db.transactions import transaction_required
from core.http.client import Client
from mail.compose import MailTemplate, is_mail_on
from sessions_app.logins.factor_changes import take_factors

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

NO_CLIENT = Client(ip="", user_agent="")
"""The client in a mail about an act. The owner must not learn the IP address of the operator."""


class ActRefused(Exception):
    """The act is impossible or unneeded, and changed nothing. The message gives the reason to the operator."""


class ActName(StrEnum):
    """The acts. Each value is also the subcommand of `manage.py users` that does the same."""

    SIGN_OUT = "sign-out"
    UNLOCK = "unlock"
    REQUIRE_RESET = "require-reset"
    SEND_LINK = "send-link"
    DEACTIVATE = "deactivate"
    REACTIVATE = "reactivate"
    REMOVE_FACTORS = "remove-factors"
    DELETE = "delete"


Run: TypeAlias = Callable[[Account, datetime], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountAct:
    """An act on an account. `effect` says what it does, and `done` what it did.

    `run` does the act or raises ActRefused or a ServiceError. It needs the lock on the account's row and a transaction.
    `delay` is the time between the decision of the operator and the act, in which the owner can stop the act.
    """

    name: ActName
    label: "StrPromise"
    effect: "StrPromise"
    done: "StrPromise"
    run: Run
    delay: timedelta = timedelta()


def _sign_out(account: Account, now: datetime) -> None:
    sign_out(account, act=SignOut.OPERATOR, now=now)


def _unlock(account: Account, now: datetime) -> None:
    if not unlock(account, now=now):
        raise ActRefused(gettext("The account is not locked."))


def _require_reset(account: Account, now: datetime) -> None:
    if is_deactivated(account):
        raise ActRefused(
            gettext("The account is deactivated, so its owner cannot set a new password. Reactivate it first.")
        )
    if not require_reset(account, now=now) and not account.retired_hash:
        raise ActRefused(gettext("The account has no password."))
    if is_mail_on():
        mail_reset_link(account, template=MailTemplate.RESET_DEMANDED, now=now)


def _send_link(account: Account, now: datetime) -> None:
    if not is_mail_on():
        raise ActRefused(gettext("EMAIL_URL is off, so no mail can be sent."))
    if is_deactivated(account):
        raise ActRefused(gettext("The account is deactivated, so no link can be mailed. Reactivate it first."))
    if not users.email_of(account.user):
        raise ActRefused(gettext("The account has no address."))
    mail_reset_link(account, template=MailTemplate.PASSWORD_RESET, now=now)


def _deactivate(account: Account, now: datetime) -> None:
    if not deactivate(account, now=now):
        raise ActRefused(gettext("The account is deactivated already."))


def _reactivate(account: Account, now: datetime) -> None:
    try:
        is_changed = reactivate(account, now=now)
    except DeactivatedBySite:
        raise ActRefused(gettext("The site has set is_active to false. Change it in the site.")) from None
    if not is_changed:
        raise ActRefused(gettext("The account is active already."))


def _remove_factors(account: Account, now: datetime) -> None:
    if not take_factors(account, now=now):
        raise ActRefused(gettext("The account has no second factor."))


@transaction_required
def _delete(account: Account, now: datetime) -> None:
    delete_held(account, client=NO_CLIENT, now=now)


ACTS: Mapping[ActName, AccountAct] = {
    act.name: act
    for act in (
        AccountAct(
            name=ActName.SIGN_OUT,
            label=gettext_lazy("End all sessions"),
            effect=gettext_lazy(
                "Ends every session, pending login and mailed link. The password, second factors and API keys stay."
            ),
            done=gettext_lazy("All sessions have ended."),
            run=_sign_out,
        ),
        AccountAct(
            name=ActName.UNLOCK,
            label=gettext_lazy("Unlock"),
            effect=gettext_lazy("Ends the lock now. Wrong passwords count from zero again."),
            done=gettext_lazy("The account is unlocked."),
            run=_unlock,
        ),
        AccountAct(
            name=ActName.REQUIRE_RESET,
            label=gettext_lazy("Require a new password"),
            effect=gettext_lazy(
                "The password stops working, and every session ends. The owner gets a link that sets a new one."
            ),
            done=gettext_lazy("The password no longer works, and all sessions have ended."),
            run=_require_reset,
        ),
        AccountAct(
            name=ActName.SEND_LINK,
            label=gettext_lazy("Send a link"),
            effect=gettext_lazy("Mails a link that sets a new password. The present password works until then."),
            done=gettext_lazy("A link is mailed."),
            run=_send_link,
        ),
        AccountAct(
            name=ActName.DEACTIVATE,
            label=gettext_lazy("Deactivate"),
            effect=gettext_lazy("No one can sign in, sessions end and API keys stop. The data stay."),
            done=gettext_lazy("The account is deactivated."),
            run=_deactivate,
        ),
        AccountAct(
            name=ActName.REACTIVATE,
            label=gettext_lazy("Reactivate"),
            effect=gettext_lazy("The owner can sign in again, and API keys work again. Sessions stay ended."),
            done=gettext_lazy("The account is active again."),
            run=_reactivate,
        ),
        AccountAct(
            name=ActName.REMOVE_FACTORS,
            label=gettext_lazy("Remove the second factors"),
            effect=gettext_lazy(
                "Removes all second factors and recovery codes after one day. The owner gets a mail and can stop it."
            ),
            done=gettext_lazy("The second factors are removed."),
            run=_remove_factors,
            delay=timedelta(days=1),
        ),
        AccountAct(
            name=ActName.DELETE,
            label=gettext_lazy("Delete the account"),
            effect=gettext_lazy(
                "Deletes the account with all its data after seven days. The owner gets a mail and can stop it."
            ),
            done=gettext_lazy("The account is deleted."),
            run=_delete,
            delay=timedelta(days=7),
        ),
    )
}
