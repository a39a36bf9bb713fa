"""The logout endpoint, and the question whether to sign out."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse

from core.http.call import Call
from core.http.limits import EdgeAlone
from core.http.view import Auth, Operation, operation
from pages.entrance.sign_out import close_session
from pages.frame import navigation, sessions
from pages.frame.page import Page

from ..errors import NoDestination
from ..languages import choose_language
from .requests import LogoutRequest, read_logout_request

_LIMITS = EdgeAlone("The page ends the session of the browser that asks, and checks nothing that can be guessed.")
_BAD_REQUEST = 400


class _LogoutPage(Page):
    """A page that can end the session of the browser."""

    template = "authsvc_oidc/logout.html"

    def answer_error(self, error: Exception) -> HttpResponse:
        """Return the error page when no site may get an answer."""
        if isinstance(error, NoDestination):
            return self.error_page(status=_BAD_REQUEST, message=str(error))
        return super().answer_error(error)

    def leave(self, asked: LogoutRequest, *, redirects: bool) -> HttpResponse:
        """Return the way back to the application, or else the page of the sign-in. Delete the cookie of the session.

        When a form of a page has led here, a browser refuses a redirect to another site. So a page leads there.
        """
        if not asked.return_url:
            response = self.redirect(navigation.with_next("authsvc-sign-in", page=navigation.home(), left="1"))
        elif redirects:
            response = HttpResponse(status=302, headers={"Location": asked.return_url})
        else:
            context = {"client": asked.client, "url": asked.return_url}
            response = self.render(context, template="authsvc_oidc/onward.html")
        sessions.delete_cookie(response)
        return response


class EndSession(_LogoutPage):
    """The logout endpoint. A request can come as a link or as a form of the client's site."""

    auth = Auth.PUBLIC
    sent: QueryDict = QueryDict()

    def check_origin(self, request: HttpRequest) -> None:
        """Permit the form of another site. It only leads to the same request as a link."""

    def read_body(self, request: HttpRequest, declared: Operation) -> Mapping[str, Any]:
        """Read the form."""
        if request.method == "POST":
            self.sent = self.read_form(request)
        return {}

    @operation(output=HttpResponse, limits=_LIMITS)
    def get(self, call: Call) -> HttpResponse:
        """End the session for a valid ID token of a sign-in in it, and ask the person otherwise."""
        asked = read_logout_request(self.request.GET, now=call.now)
        if self.session is None:
            return self.leave(asked, redirects=True)
        if asked.is_of(self.session):
            close_session(request=self.request, caller=self.session.caller, client=call.client, now=call.now)
            return self.leave(asked, redirects=True)
        self.language = choose_language(self.request, asked.ui_locales) or self.language
        return self.render({"client": asked.client, "given": asked.given.items(), "back": navigation.home()})

    @operation(output=HttpResponse, limits=_LIMITS)
    def post(self, call: Call) -> HttpResponse:
        """Lead to the same request as a link. A browser sends the cookie of the session with a link only."""
        read_logout_request(self.sent, now=call.now)
        return self.redirect(f"{reverse('authsvc-oidc-logout')}?{self.sent.urlencode()}")


class ConfirmLogout(_LogoutPage):
    """The answer to the question. The form has the token of the session, so no other site can send it."""

    def ask_to_sign_in(self, request: HttpRequest, *, now: datetime) -> HttpResponse:
        """Return the page of the sign-in, because the session has ended already."""
        return self.redirect(navigation.with_next("authsvc-sign-in", page=navigation.home(), left="1"))

    @operation(output=HttpResponse)
    def post(self, call: Call) -> HttpResponse:
        """End the session, and lead back to the application."""
        data = QueryDict(mutable=True)
        data.update(dict(self.form.values))
        asked = read_logout_request(data, now=call.now)
        close_session(request=self.request, caller=call.signed_in, client=call.client, now=call.now)
        return self.leave(asked, redirects=False)
