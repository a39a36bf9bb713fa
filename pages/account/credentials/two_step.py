"""The room of two-step verification, which lists every registered second factor."""

from collections.abc import Mapping

from django.http import HttpResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext

from accounts.proofs.limits import signed_in_account
from core.errors import NotFound
from core.http.call import Call
from core.http.view import operation
from sessions_app.logins.factor_removal import remove_own_factor
from sessions_app.logins.second_factors import SecondFactor, enrolled_factors, gating_factors

from ...frame.forms import PageQuery
from ..factor_rooms import list_ways
from .factors import FactorPage, RemovalPage


class TwoStep(FactorPage):
    """The list of second factors."""

    template = "authsvc_pages/account/two_step.html"

    @operation(query=PageQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        account = signed_in_account(call)
        following = self.following(call)
        ways = list_ways(account, following=following, now=call.now)
        is_on = bool(enrolled_factors(account_id=account.pk))
        return self.render({"next": following, "ways": ways, "is_on": is_on})


class Factor(RemovalPage):
    """The removal of a factor without a page of its own."""

    template = "authsvc_pages/account/factor.html"

    def factor(self) -> SecondFactor:
        """Return the factor in the path. Raises NotFound for another name."""
        for factor in gating_factors():
            if factor.name == self.kwargs["factor"]:
                return factor
        raise NotFound

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the factor and its credentials. Raises NotFound when the account does not have the factor."""
        factor = self.factor()
        lines = factor.describe(account_id=self.live.account_id, now=call.now)
        if not lines:
            raise NotFound
        title = capfirst(gettext(factor.label))
        removal = self.removal(call, factor=factor.name)
        return {**super().context(call), **removal, "factor": factor.name, "title": title, "lines": lines}

    @operation(query=PageQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        return self.render(self.context(call))

    def remove(self, call: Call) -> HttpResponse:
        """Remove the factor."""
        factor = self.factor()
        remove_own_factor(
            factor=factor,
            account=signed_in_account(call),
            caller=call.signed_in,
            password=call.body["password"],
            client=call.client,
            now=call.now,
        )
        notice = gettext("Removed: %(factor)s. We mail you a notice.") % {"factor": gettext(factor.label)}
        return self.redirect(reverse(self.room), notice=notice)
