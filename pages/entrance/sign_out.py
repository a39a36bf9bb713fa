"""The sign-out."""

from datetime import datetime

from django.http import HttpRequest, HttpResponse

from core.http.call import Call
from core.http.client import Client
from core.http.view import operation
from core.keys.jwt import Caller

from ..frame import navigation, sessions
from ..frame.forms import NextForm, PageQuery
from ..frame.page import Page
from ..frame.site_sessions import site_sessions


def close_session(*, request: HttpRequest, caller: Caller, client: Client, now: datetime) -> None:
    """End the session of the browser here, and in a site that has a session of its own. The cookie stays."""
    for site_session in site_sessions:
        site_session.close(request=request)
    sessions.close_session(caller=caller, client=client, now=now)


class SignOut(Page):
    """The end of the browser's session."""

    template = "authsvc_pages/sign_out.html"

    @operation(query=PageQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the question whether to sign out. A link of another site signs out nobody."""
        return self.render({"back": navigation.own_page(call.query["next"])})

    @operation(input=NextForm, output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """End the session, delete the cookie and lead to the sign-in, which later leads to the page of the form."""
        close_session(request=self.request, caller=call.signed_in, client=call.client, now=call.now)
        response = self.redirect(
            navigation.with_next("authsvc-sign-in", page=navigation.own_page(call.body["next"]), left="1")
        )
        sessions.delete_cookie(response)
        return response
