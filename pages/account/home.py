"""The first room: how the account is protected, and what would help."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from accounts.host import users
from accounts.models import Account
from accounts.proofs.limits import signed_in_account
from accounts.state.proven_addresses import is_address_proven
from core.http.call import Call
from core.http.view import operation
from mail.compose import is_mail_on
from mfa.conf import keys
from mfa.recovery.codes import count_unused
from sessions_app.families.queries import count_live
from sessions_app.logins.second_factors import enrolled_factors

from .activity.events import count_failures, find_sign_in
from .page import AccountPage

FEW_CODES = 3
FAILURE_PERIOD = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A line about the protection of the account, and the room where the person can act."""

    title: str
    text: str
    is_good: bool
    url: str
    action: str


class Home(AccountPage):
    """The overview of the account."""

    template = "authsvc_pages/account/home.html"

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        account = signed_in_account(call)
        facts = [fact for fact in (_address(account), *_two_steps(account), _devices(call, account)) if fact]
        return self.render(
            {
                "name": users.display_name_of(account.user),
                "facts": sorted(facts, key=lambda fact: fact.is_good),
                "problems": sum(not fact.is_good for fact in facts),
                **self.sign_ins(call),
            }
        )

    def sign_ins(self, call: Call) -> Mapping[str, object]:
        """Return the sign-in before this one, and the number of refused passwords of the last days."""
        return {
            "earlier": find_sign_in(user_id=call.user_id, before=self.live.started_at),
            "failures": count_failures(user_id=call.user_id, since=call.now - FAILURE_PERIOD),
            "days": FAILURE_PERIOD.days,
        }


def _address(account: Account) -> Fact | None:
    if not users.email_of(account.user) or not is_mail_on():
        return None
    is_proven = is_address_proven(account_id=account.pk)
    return Fact(
        title=gettext("E-mail address"),
        text=gettext("Confirmed. You can get mails about your account.")
        if is_proven
        else gettext("Not confirmed. Confirm it, so that you can get back into your account by mail."),
        is_good=is_proven,
        url=reverse("authsvc-account-address"),
        action=gettext("See your address") if is_proven else gettext("Confirm your address"),
    )


def _two_steps(account: Account) -> Sequence[Fact | None]:
    factors = enrolled_factors(account_id=account.pk)
    if not factors:
        # Without the key of the deployment, a person could not add one.
        return [_no_second_step() if keys() else None]
    labels = ", ".join(gettext(factor.label) for factor in factors)
    step = Fact(
        title=gettext("Two-step verification"),
        text=gettext("On: %(ways)s.") % {"ways": labels},
        is_good=True,
        url=reverse("authsvc-account-two-step"),
        action=gettext("Manage two-step verification"),
    )
    return [step, _codes(count_unused(account_id=account.pk)) if keys() else None]


def _no_second_step() -> Fact:
    return Fact(
        title=gettext("Two-step verification"),
        text=gettext("Off. Anyone who learns your password can sign in. A passkey or an app prevents that."),
        is_good=False,
        url=reverse("authsvc-account-two-step"),
        action=gettext("Turn on two-step verification"),
    )


def _codes(left: int) -> Fact:
    text = ngettext("%(number)s code is left.", "%(number)s codes are left.", left) % {"number": left}
    if not left:
        text = gettext("You have none. Without them, a lost phone can lock you out.")
    return Fact(
        title=gettext("Recovery codes"),
        text=text,
        is_good=left > FEW_CODES,
        url=reverse("authsvc-account-recovery-codes"),
        action=gettext("See your recovery codes") if left > FEW_CODES else gettext("Get new recovery codes"),
    )


def _devices(call: Call, account: Account) -> Fact:
    count = count_live(account_id=account.pk, now=call.now)
    text = ngettext("You are signed in on %(number)s device.", "You are signed in on %(number)s devices.", count)
    return Fact(
        title=gettext("Devices"),
        text=text % {"number": count},
        is_good=True,
        url=reverse("authsvc-account-devices"),
        action=gettext("See your devices"),
    )
