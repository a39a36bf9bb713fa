"""The room of the applications at /account."""

from collections.abc import Mapping

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext

from core.http.call import Call
from core.http.view import operation
from pages.account.page import AccountPage

from ..claims import scopes_of
from ..own_scopes import own_texts
from ..resources import hosts_of
from .own import LISTED_MAX, end_application, list_applications
from .room import NAME


class ApplicationsPage(AccountPage):
    """The list of the applications with access."""

    room = NAME
    template = "authsvc_oidc/account/applications.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the applications, each with its scopes, the texts of the deployment's own, and the hosts of its resources."""
        found = list_applications(account_id=self.live.account_id, now=call.now)
        listed = [
            (
                one,
                {*one.scopes, *scopes_of(one.claims)},
                own_texts(one.scopes, language=self.language),
                hosts_of(one.resources),
            )
            for one in found.applications
        ]
        return {"applications": listed, "is_full": found.count == LISTED_MAX}

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        return self.render(self.context(call))


class EndAccess(AccountPage):
    """The end of the access of one application."""

    @operation(output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """End the access. Raises NotFound for an application without access."""
        end_application(caller=call.signed_in, client_id=call.path["client_id"], client=call.client, now=call.now)
        return self.redirect(reverse(NAME), notice=gettext("The application no longer has access to your account."))
