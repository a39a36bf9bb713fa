"""The first page of the account."""

from django.http import HttpResponse

from core.http.call import Call
from core.http.view import operation

from ..frame.page import Page


class Home(Page):
    """The first page of the account."""

    template = "authsvc_pages/account_home.html"

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        return self.render(self.context(call))
