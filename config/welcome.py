"""The page at `/` of the standalone project. It describes the service and links the documentation."""

from django.http import HttpResponse
from django.template.loader import render_to_string

from core.db.deployment import is_embedded
from core.errors import RateLimited
from core.http.base_url import redirect_to_base_url
from core.http.call import Call
from core.http.docs import PAGE_POLICY
from core.http.limits import PAGE
from core.http.view import Auth, ServiceView, operation


class Welcome(ServiceView):
    """The page at `/`."""

    auth = Auth.PUBLIC
    schema = None

    @operation(output=HttpResponse, errors=(RateLimited,), limits=PAGE)
    def get(self, call: Call) -> HttpResponse:
        """Return the page, or under another host name the redirect to BASE_URL."""
        return redirect_to_base_url(self.request) or HttpResponse(
            render_to_string("welcome.html", {"has_console": not is_embedded()}),
            headers={"Content-Security-Policy": PAGE_POLICY},
        )
