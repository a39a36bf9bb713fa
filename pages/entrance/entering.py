"""The base class of the pages that sign a person in, and the end of each login: the cookie, or the second step."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext

from core.errors import InvalidAccessToken, ServiceError
from core.http.call import Call
from core.http.mounting import find_path
from core.http.view import Auth, Operation
from core.keys import jwt
from sessions_app.errors import InvalidPendingLogin, OauthUnavailable
from sessions_app.families.issuing import TokenPair
from sessions_app.logins.login import PausedLogin
from sessions_app.logins.second_factors import second_factors

from ..frame import navigation, passkey_offers, sessions
from ..frame.forms import Form
from ..frame.page import Page
from ..frame.site_sessions import site_sessions
from .factor_steps import shown_steps
from .refusals import explain

FAILURE_STATUS_MIN = 500
"""An error with this status or a higher one shows an error page. An error with a lower one shows the form again."""

SECOND_STEP = "authsvc_pages/second_step.html"
LEAVING = "authsvc_pages/leaving.html"
"""The page that leads to another site. Without a script, the browser follows after no time."""


class EntrancePage(Page):
    """A page that signs a person in. An error of the handler shows the form again, and states what to do next."""

    auth = Auth.PUBLIC
    call: Call | None = None
    """The request, once its form has been read."""

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the path of the page that follows the sign-in."""
        return {"next": self.following(call)}

    def following(self, call: Call) -> str:
        """Return the path of the page that follows the sign-in, or the address of an application in RETURN_TO."""
        return navigation.place_after_sign_in(call.query.get("next") or self.form.values.get("next", ""))

    def lead_to(self, following: str) -> HttpResponse:
        """Return the redirect to the page that follows.

        The policy of the pages also limits the redirects after a form. So a page in between leads to an application.
        """
        if not navigation.is_elsewhere(following):
            return self.redirect(following)
        return self.render({"url": following, "place": urlsplit(following).hostname}, template=LEAVING)

    def call_handler(self, declared: Operation, call: Call) -> Any:
        """Return the answer of the handler."""
        self.call = call
        return super().call_handler(declared, call)

    def answer_error(self, error: Exception) -> HttpResponse:
        """Return the form with the text of a refused login."""
        is_refusal = isinstance(error, OauthUnavailable) or (
            isinstance(error, ServiceError) and error.status < FAILURE_STATUS_MIN
        )
        if self.call is not None and isinstance(error, ServiceError) and is_refusal:
            return self.ask_again(self.call, error)
        return super().answer_error(error)

    def ask_again(self, call: Call, error: ServiceError) -> HttpResponse:
        """Return the form with the text for the error."""
        return self.refuse(error, self.context(call), template=self.template)

    def refuse(self, error: ServiceError, context: Mapping[str, object], *, template: str) -> HttpResponse:
        """Return the template with the text for the error, and with its status and headers."""
        refusal = explain(error)
        form = Form(values=self.form.values, errors={"": refusal.text})
        context = {**context, "steps_that_help": refusal.steps}
        response = self.render(context, template=template, status=error.status, form=form)
        for name, value in error.headers().items():
            response.headers[name] = value
        return response

    def finish_login(self, answer: TokenPair | PausedLogin, call: Call, *, following: str) -> HttpResponse:
        """Open the session of the browser and redirect to the page that follows, or ask for the second factor."""
        if isinstance(answer, PausedLogin):
            context = step_context(answer.pending_token, answer.methods, following)
            return self.render(context, template=SECOND_STEP, form=Form())
        try:
            opened = sessions.open_session(pair=answer, earlier=self.session)
            for site_session in site_sessions:
                caller = jwt.verify_access_token(answer.access_token, now=call.now)
                site_session.open(request=self.request, caller=caller, now=call.now)
        except InvalidAccessToken:
            # The session ended within this request.
            raise InvalidPendingLogin from None
        if self.session is not None:
            # The new cookie replaces the earlier one, so the earlier session would wait unused for its idle end.
            sessions.close_session(caller=self.session.caller, client=call.client, now=call.now)
        response = self.lead_to(self._entered(passkey_offers.page_before(following, session=opened)))
        sessions.set_cookie(response, handle=opened.handle)
        return response

    def _entered(self, following: str) -> str:
        """Return the path of the page that follows. A browser that sent no cookie first proves that it keeps them."""
        return (
            following if self.request.COOKIES else navigation.with_next("authsvc-sign-in", page=following, entered="1")
        )


def step_context(pending_token: str, methods: Sequence[str], following: str) -> Mapping[str, object]:
    """Return the steps of these methods, and of the codes that replace a factor."""
    asked = [factor for factor in second_factors if factor.name in methods or not factor.gates_login]
    following = navigation.place_after_sign_in(following)
    hidden = {"next": following, "pending_token": pending_token, "methods": " ".join(methods)}
    return {
        "steps": shown_steps(asked, route="authsvc-sign-in-factor"),
        "unasked": [gettext(factor.label) for factor in asked if factor.page_step is None],
        "hidden": hidden.items(),
        "begin_url": reverse("authsvc-sign-in-factor-begin"),
        "again_url": navigation.with_next("authsvc-sign-in", page=following),
        "recover_url": find_path("authsvc-recover") or "",
    }
