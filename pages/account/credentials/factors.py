"""The base class of the pages of second factors, and of the form that removes one."""

from collections.abc import Mapping

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext

from accounts.errors import InvalidCredentials
from accounts.host import users
from accounts.passwords.rules import INPUT_MAX
from accounts.proofs.limits import by_account, signed_in_account
from core.errors import ServiceError
from core.http.call import Call
from core.http.fields import Credential
from core.http.view import operation
from core.ratelimit import Limit
from mail.limits import CONFIRMED_NOTICE
from mfa.conf import keys
from mfa.recovery.codes import count_unused
from sessions_app.logins.second_factors import enrolled_factors

from ...frame import navigation, sessions
from ...frame.forms import NextForm
from ..page import AccountPage


class RemovalForm(NextForm):
    """The password that confirms a removal. An account without a password sends none."""

    password = Credential(max_length=INPUT_MAX, required=False, default="")


def check_keys(error: type[ServiceError]) -> None:
    """Raise the error when the deployment has no key to store second factors."""
    if not keys():
        raise error


class FactorPage(AccountPage):
    """A page of a second factor. It keeps the page that sent the person here, such as one of the console."""

    room = "authsvc-account-two-step"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the page that follows, and the list of factors."""
        return {"next": self.following(call), "back": self.at(self.room, call)}

    def following(self, call: Call) -> str:
        """Return the page that sent the person here; "" without one."""
        given = call.query.get("next") or self.form.values.get("next", "")
        return navigation.own_page(given) if given else ""

    def at(self, name: str, call: Call) -> str:
        """Return the path of another page of second factors, which also keeps the page that follows."""
        return navigation.with_next(name, page=self.following(call) or navigation.home())

    def has_factor(self) -> bool:
        """Return whether the account has a second factor."""
        return bool(enrolled_factors(account_id=self.live.account_id))

    def finish(self, call: Call, *, had_factor: bool, notice: str) -> HttpResponse:
        """Return the redirect after an enrolment: to the recovery codes when there are none, else to the page that follows.

        `had_factor` states whether the account had a factor before. Then the session does not count as one with a
        factor: a thief of the password could otherwise add one beside those of the owner.
        """
        if not had_factor:
            sessions.remember_factor(session=self.live)
        if not count_unused(account_id=self.live.account_id):
            return self.redirect(self.at("authsvc-account-recovery-codes", call), notice=notice)
        return self.redirect(self.following(call) or reverse(self.room), notice=notice)

    def removal(self, call: Call, *, factor: str) -> Mapping[str, object]:
        """Return what a removal of the factor needs: whether it asks for the password, and whether it is the last one."""
        account = signed_in_account(call)
        left = [one.name for one in enrolled_factors(account_id=account.pk) if one.name != factor]
        return {"has_password": users.has_password(account.user), "is_last": not left}


class RemovalPage(FactorPage):
    """A page whose form removes a factor by the password. It comes before the page of the factor among the base classes."""

    def remove(self, call: Call) -> HttpResponse:
        """Remove the factor, and return the redirect. Raises InvalidCredentials when the password is wrong."""
        raise NotImplementedError

    @operation(input=RemovalForm, output=HttpResponse, limits=(by_account(Limit.PASSWORD), CONFIRMED_NOTICE))
    def post(self, call: Call) -> HttpResponse:
        """Remove the factor. A wrong password shows the page again."""
        try:
            return self.remove(call)
        except InvalidCredentials as error:
            return self.refuse_input(call, status=error.status, password=gettext("This is not your password."))
