"""The pages of the applications that sign people in here."""

from django.http import HttpResponse

from core.errors import NotFound
from core.http.call import Call
from core.http.view import operation
from events.webhooks.models import LOGOUT_TOKEN
from oidc.clients.redirects import host_of

from ....applications.registered import COUNTED_MAX, get_registered_client, list_registered_clients
from ....people.users import find_emails
from ...page import ConsolePage

LISTED_MAX = 200
"""The number of applications that the page lists."""
SESSIONS_MAX = 50


class Applications(ConsolePage):
    """The applications that are registered."""

    section = "applications"
    template = "authsvc_console/applications.html"

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Show the applications, with the numbers of their sessions."""
        found = list_registered_clients(limit=LISTED_MAX, now=call.now)
        rows = [(one, dict.fromkeys(host_of(uri) for uri in one.redirect_uris)) for one in found.clients]
        return self.render({"rows": rows, "is_full": found.count == LISTED_MAX, "counted": COUNTED_MAX})


class ShowApplication(ConsolePage):
    """One application."""

    section = "applications"
    template = "authsvc_console/application.html"

    @operation(output=HttpResponse, errors=(NotFound,))
    def get(self, call: Call) -> HttpResponse:
        """Show the registration of the application, and its newest live sessions."""
        found = get_registered_client(client_id=call.path["client_id"], limit=SESSIONS_MAX, now=call.now)
        # One statement reads all addresses.
        emails = find_emails(user_ids=[one.user_id for one in found.sessions])
        rows = [(one, emails.get(one.user_id, "")) for one in found.sessions]
        return self.render({"client": found.client, "rows": rows, "logout": LOGOUT_TOKEN})
