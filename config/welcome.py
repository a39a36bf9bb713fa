"""The page at `/` of the standalone project. It leads to the sign-in, to the account and to the documentation."""

from collections.abc import Mapping

from django.http import HttpResponse

from core.db.deployment import is_embedded
from core.errors import RateLimited
from core.http.call import Call
from core.http.limits import PAGE
from core.http.view import Auth, operation
from pages.frame.page import Page


class Welcome(Page):
    """The page at `/`."""

    auth = Auth.PUBLIC
    template = "welcome.html"

    @operation(output=HttpResponse, errors=(RateLimited,), limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        return self.render(self.context(call))

    def context(self, call: Call) -> Mapping[str, object]:
        """Return whether the deployment has a console."""
        return {"has_console": not is_embedded()}
