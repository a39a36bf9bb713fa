"""The room of the connected accounts: the identities at providers by which the person signs in."""

from collections.abc import Mapping

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext

from accounts.proofs.limits import signed_in_account
from accounts.proofs.recent_login import needs_recent_login
from core.errors import NotFound
from core.http.call import Call
from core.http.limits import by_network
from core.http.view import operation
from core.ratelimit import Limit
from sessions_app.errors import LastSignInMethod
from sessions_app.logins.identities import IDENTITIES_MAX, list_identities_of, unlink_identity
from sessions_app.oauth.linking import START_ERRORS
from sessions_app.oauth.providers import configured_providers, label_of

from ...entrance.providers import start_provider
from ..page import AccountPage

ROOM = "authsvc-account-connected"


class Connected(AccountPage):
    """The list of the identities."""

    room = ROOM
    template = "authsvc_pages/account/connected.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the identities with the names of their providers."""
        found = list_identities_of(signed_in_account(call)).identities
        return {
            "identities": [(identity, label_of(identity.provider)) for identity in found],
            "providers": configured_providers() if len(found) < IDENTITIES_MAX else (),
        }

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        return self.render(self.context(call))


class Connect(Connected):
    """The start of a connection. The page of the sign-in by the provider completes it."""

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return to the list, such as after a confirmation of the login."""
        return self.redirect(reverse(ROOM))

    @operation(output=HttpResponse, errors=START_ERRORS, limits=(by_network(Limit.LOGIN_IP),))
    def post(self, call: Call) -> HttpResponse:
        """Lead to the provider. A connection needs a fresh login."""
        return start_provider(self, call, name=call.path["provider"], caller=call.signed_in, following=reverse(ROOM))


class Disconnect(Connected):
    """The removal of an identity."""

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return to the list, such as after a confirmation of the login."""
        return self.redirect(reverse(ROOM))

    @needs_recent_login
    @operation(output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Remove the identity. The last way to sign in stays."""
        try:
            unlink_identity(
                caller=call.signed_in, identity_id=call.path["identity_id"], client=call.client, now=call.now
            )
        except LastSignInMethod as error:
            return self.refuse(call, error)
        except NotFound:
            # The message of the API tells about a list of ids.
            raise NotFound from None
        return self.redirect(reverse(ROOM), notice=gettext("The account is disconnected. We mail you a notice."))
