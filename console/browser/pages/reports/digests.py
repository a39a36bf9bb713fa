"""The pages of audit events and of digests."""

from django.http import HttpResponse

from core.errors import NotConfigured
from core.http.call import Call
from core.http.view import operation

from ....conf import digest_settings
from ....digests.history import list_digests
from ....reports.digest import digest
from ....serializers import WindowQuery
from ...page import ConsolePage
from .spans import SPANS

DIGESTS_MAX = 20


class Digests(ConsolePage):
    """The digest of now and the recorded digests."""

    section = "digests"
    template = "authsvc_console/digests.html"

    @operation(query=WindowQuery, output=HttpResponse, errors=(NotConfigured,))
    def get(self, call: Call) -> HttpResponse:
        """Show a fresh digest of the window, and the latest recorded digests."""
        context = {
            "fresh": digest(window_days=call.query["window_days"], now=call.now),
            "history": list_digests(limit=DIGESTS_MAX),
            "interval_hours": digest_settings().interval_hours,
            "spans": SPANS,
        }
        return self.render(context)
