"""The sign-out."""

from django.http import HttpResponse

from core.http.call import Call
from core.http.view import operation

from ..frame import navigation, sessions
from ..frame.forms import NextForm, PageQuery
from ..frame.page import Page
from ..frame.site_sessions import site_sessions


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
        for site_session in site_sessions:
            site_session.close(request=self.request)
        sessions.close_session(caller=call.signed_in, client=call.client, now=call.now)
        response = self.redirect(
            navigation.with_next("authsvc-sign-in", page=navigation.own_page(call.body["next"]), left="1")
        )
        sessions.delete_cookie(response)
        return response
