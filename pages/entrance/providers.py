"""The sign-in by a provider. A cookie binds the flow to the browser, so no other browser can complete it.

Without the cookie, an attacker could send a victim the answer for the attacker's own account (RFC 9700, section 4.7).
"""

from dataclasses import asdict, dataclass

import orjson
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from core.errors import ServiceError
from core.http.call import Call
from core.http.limits import by_network
from core.http.view import operation
from core.keys.jwt import Caller
from core.ratelimit import Limit
from sessions_app.errors import InvalidOauthState, OauthFailed
from sessions_app.oauth.flows import LIFETIME, page_return_url
from sessions_app.oauth.linking import COMPLETION_ERRORS, START_ERRORS, IdentityLinked, ProviderAnswer, complete, start
from sessions_app.oauth.people import apple_name
from sessions_app.oauth.providers import get_provider

from ..frame import cookies
from ..frame.forms import Form, NextForm
from ..frame.page import Page
from .entering import LEAVING
from .forms import ProviderQuery
from .ways import SignInPage

_SALT = "authsvc provider"


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A flow that waits for the provider: its state token, the page that follows, and whether it links an identity."""

    state_token: str
    following: str
    is_link: bool


def start_provider(page: Page, call: Call, *, name: str, caller: Caller | None, following: str) -> HttpResponse:
    """Return the page that leads to the provider of this name, with the cookie of the flow.

    The account of `caller` gets the identity. None signs in. Raises as `linking.start` does, and NotConfigured for an
    unknown provider.
    """
    provider = get_provider(name=name)
    uri = page_return_url(provider=name) or ""
    started = start(provider=provider, redirect_uri=uri, caller=caller, now=call.now)
    response = page.render({"url": started.authorize_url, "place": provider.label}, template=LEAVING)
    waiting = Waiting(state_token=started.state_token, following=following, is_link=caller is not None)
    # The provider returns the browser by a link, and a strict cookie would not come with it.
    value = signing.dumps(asdict(waiting), salt=_SALT)
    cookies.keep(response, name=_cookie_name(), value=value, lifetime=LIFETIME)
    return response


class SignInByProvider(SignInPage):
    """The start of a sign-in by the provider in the path, and the page to which the provider returns the browser."""

    waiting: Waiting | None = None

    @operation(
        input=NextForm,
        output=HttpResponse,
        errors=START_ERRORS,
        limits=(by_network(Limit.LOGIN_IP),),
    )
    def post(self, call: Call) -> HttpResponse:
        """Start the sign-in and lead to the provider."""
        return start_provider(self, call, name=call.path["provider"], caller=None, following=self.following(call))

    @operation(
        query=ProviderQuery,
        output=HttpResponse,
        errors=COMPLETION_ERRORS,
        limits=(by_network(Limit.LOGIN_IP),),
    )
    def get(self, call: Call) -> HttpResponse:
        """Sign in with the answer of the provider, or connect the identity to the account of the session."""
        self.waiting = _find_waiting(self.request)
        if self.waiting is None:
            raise InvalidOauthState
        # The page of an error leads on to the same page.
        self.form = Form(values={"next": self.waiting.following})
        if call.query["error"] or not call.query["code"]:
            raise OauthFailed
        answer = ProviderAnswer(
            state_token=self.waiting.state_token,
            state=call.query["state"],
            code=call.query["code"],
            issuer=call.query["iss"] or None,
            name=_name_in(call.query["user"]),
        )
        provider = get_provider(name=call.path["provider"])
        caller = self.session.caller if self.session and self.waiting.is_link else None
        done = complete(provider=provider, answer=answer, caller=caller, client=call.client, now=call.now)
        following = self.following(call)
        if isinstance(done, IdentityLinked):
            notice = gettext("%(provider)s is connected to your account.") % {"provider": provider.label}
            response = self.redirect(following, notice=notice)
        else:
            response = self.finish_login(done, call, following=following)
        cookies.forget(response, name=_cookie_name())
        return response

    def ask_again(self, call: Call, error: ServiceError) -> HttpResponse:
        """Return the sign-in with the text for the error. A person who connects a provider gets an error page."""
        if self.waiting is not None and self.waiting.is_link and self.session is not None:
            response = self.error_page(status=error.status, message=str(error))
        else:
            response = super().ask_again(call, error)
        if self.waiting is not None:
            cookies.forget(response, name=_cookie_name())
        return response


def _find_waiting(request: HttpRequest) -> Waiting | None:
    """Return the flow of the request's cookie, or None when the browser has started no flow."""
    try:
        return Waiting(**signing.loads(request.COOKIES.get(_cookie_name(), ""), salt=_SALT, max_age=LIFETIME))
    except signing.BadSignature:
        return None


def _name_in(user: str) -> str:
    """Return the name in the JSON object that apple sends at the first login, or ""."""
    try:
        value = orjson.loads(user)
    except orjson.JSONDecodeError:
        return ""
    return apple_name(value) if isinstance(value, dict) else ""


def _cookie_name() -> str:
    return cookies.bound_name("gatehouse-provider")
