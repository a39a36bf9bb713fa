"""The way back into a site whose own session has ended before that of the browser."""

from collections.abc import Mapping

from django.http import HttpResponse

from accounts.proofs.recent_login import needs_recent_login
from core.http.call import Call
from core.http.view import operation

from ..frame import navigation
from ..frame.forms import NextForm, PageQuery
from ..frame.page import Page
from ..frame.site_sessions import site_sessions


class ContinueToSite(Page):
    """The page that signs a person in to the site again. A link alone must open no session, so the page has a form."""

    template = "authsvc_pages/continue.html"

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the page of the site that follows."""
        return {"next": navigation.own_page(call.query.get("next") or self.form.values.get("next", ""))}

    @operation(query=PageQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        return self.render(self.context(call))

    @needs_recent_login
    @operation(input=NextForm, output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """Open the session of the site, and lead to its page. The session of the site can be short on purpose."""
        for session in site_sessions:
            session.open(request=self.request, caller=call.signed_in, now=call.now)
        return self.redirect(navigation.own_page(call.body["next"]))
