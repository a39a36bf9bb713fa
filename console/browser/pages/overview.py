"""The first page of the console."""

from django.http import HttpResponse

from accounts.core.http.view import Call, operation

from ..page import ConsolePage


class OverviewPage(ConsolePage):
    """The first page."""

    section = "overview"
    template = "authsvc_console/overview.html"

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        return self.render(self.context(call))
