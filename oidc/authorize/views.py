"""The authorization endpoint, and the page of the consent."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.translation import gettext_noop

from core.http.call import Call
from core.http.limits import CountedByAct
from core.http.view import Auth, Operation, operation
from core.ratelimit import Limit
from pages.frame import languages, navigation
from pages.frame.page import Page
from sessions_app.models import Family

from ..addresses import issuer
from ..claims import scopes_of
from ..clients.redirects import host_of, source_of
from ..errors import EXPIRED, NoDestination
from ..languages import choose_language
from ..own_scopes import own_texts
from ..resources import hosts_of
from ..scopes import OFFLINE_ACCESS
from .codes import issue_code
from .pushed import keep_long_request, resolve
from .requests import AuthorizationRequest, Destination, RequestRefused
from .steps import Step, next_step
from .waiting import find_request, page_of_request, sign_request

_LIMITS = (CountedByAct(Limit.AUTHORIZE),)
_BAD_REQUEST = 400


class _AnswerPage(Page):
    """A page that can end in an answer to a client."""

    redirects: ClassVar[bool] = False
    """Whether an answer is a redirect. When a form of a page has led here, a browser refuses a redirect to another site,
    because the policy of the page names the sites of its forms. So a page leads there."""
    destination: Destination | None = None

    def policy(self) -> str:
        """Return the policy of the page. The form with an answer may go to the client alone."""
        policy = super().policy()
        if self.destination is None:
            return policy
        return policy.replace("form-action 'self'", f"form-action 'self' {source_of(self.destination.redirect_uri)}")

    def amr(self) -> str:
        """Return the methods of the login of the session, or "" without a session."""
        if self.session is None:
            return ""
        return Family.objects.values_list("amr", flat=True).get(pk=self.session.family_id)

    def answer_error(self, error: Exception) -> HttpResponse:
        """Return the error for the client, or the error page when no client may get an answer."""
        match error:
            case NoDestination():
                return self.error_page(status=_BAD_REQUEST, message=str(error))
            case RequestRefused():
                return self.answer(error.destination, error=error.error, error_description=str(error))
        return super().answer_error(error)

    def answer(self, destination: Destination, **parameters: str) -> HttpResponse:
        """Return the answer to the client: `code`, or `error` and `error_description`."""
        response = self.way_back(destination, **parameters)
        languages.forget_asked_language(self.request, response)
        return response

    def way_back(self, destination: Destination, **parameters: str) -> HttpResponse:
        """Return the redirect, the page or the form by which the browser brings the parameters to the client."""
        state = {} if destination.state is None else {"state": destination.state}
        values = {**parameters, **state, "iss": issuer()}
        if destination.mode == "form_post":
            self.destination = destination
            context = {"client": destination.client, "url": destination.redirect_uri, "values": values.items()}
            return self.render(context, template="authsvc_oidc/form_post.html")
        separator = "&" if "?" in destination.redirect_uri else "?"
        url = f"{destination.redirect_uri}{separator}{urlencode(values)}"
        if self.redirects:
            return HttpResponse(status=302, headers={"Location": url})
        return self.render({"client": destination.client, "url": url}, template="authsvc_oidc/onward.html")

    def answer_with_code(self, request: AuthorizationRequest, call: Call, *, agrees: bool) -> HttpResponse:
        """Return the code for the client."""
        assert self.session is not None  # noqa: S101 - the step before demands a session
        code = issue_code(request=request, session=self.session, agrees=agrees, now=call.now)
        if code is None:
            raise NoDestination(gettext_noop("The application is not registered here. Tell the people who run it."))
        return self.answer(request.destination, code=code)


class Authorize(_AnswerPage):
    """The authorization endpoint. A request can come as a link or as a form of the client's site."""

    auth = Auth.PUBLIC
    redirects = True
    sent: QueryDict = QueryDict()

    def check_origin(self, request: HttpRequest) -> None:
        """Permit the form of another site. It only leads to the same request as a link."""

    def read_body(self, request: HttpRequest, declared: Operation) -> Mapping[str, Any]:
        """Read the form."""
        if request.method == "POST":
            self.sent = self.read_form(request)
        return {}

    @operation(output=HttpResponse, limits=(*_LIMITS, CountedByAct(Limit.PUSHED)))
    def get(self, call: Call) -> HttpResponse:
        """Answer with a code, or lead to the page that comes before the answer."""
        data = self.request.GET
        request = resolve(data, asked_at=call.now).read(now=call.now)
        step = next_step(request, session=self.session, amr=self.amr(), asked_at=call.now)
        if step is Step.ANSWER:
            return self.answer_with_code(request, call, agrees=False)
        if "none" in request.prompts:
            raise RequestRefused(request.destination, step.error, "A page would have to ask the person.")
        page = page_of_request(sign_request(data, now=call.now))
        if page is None:
            kept = keep_long_request(client=request.client, data=data, http=call.client, now=call.now)
            page = page_of_request(sign_request(kept, now=call.now)) or navigation.home()
        response = self.redirect(page)
        if language := choose_language(self.request, request.ui_locales):
            languages.keep_asked_language(response, language)
        return response

    @operation(output=HttpResponse, limits=_LIMITS)
    def post(self, call: Call) -> HttpResponse:
        """Lead to the same request as a link. A browser sends the cookie of the session with a link only."""
        return self.redirect(f"{reverse('authsvc-oidc-authorize')}?{self.sent.urlencode()}")


class Agree(_AnswerPage):
    """The page that asks whether a client may know the person. It also continues a request after a sign-in."""

    template = "authsvc_oidc/consent.html"

    def ask_to_sign_in(self, request: HttpRequest, *, now: datetime) -> HttpResponse:
        """Return the redirect to the sign-in, which shows the address that the application expects."""
        waiting = find_request(request.GET.get("request", ""), now=now)
        asked = resolve(waiting.data, asked_at=waiting.asked_at).data if waiting else QueryDict()
        if "login_hint" not in asked:
            return super().ask_to_sign_in(request, now=now)
        page = navigation.page_of(request)
        return self.redirect(navigation.with_next("authsvc-sign-in", page=page, email=str(asked["login_hint"])))

    @operation(output=HttpResponse, limits=_LIMITS)
    def get(self, call: Call) -> HttpResponse:
        """Continue the request: confirm the login, ask the person, or answer the client."""
        text = self.request.GET.get("request", "")
        return self.continue_request(call, text)

    @operation(output=HttpResponse, limits=_LIMITS)
    def post(self, call: Call) -> HttpResponse:
        """Answer the client by the decision of the person."""
        return self.continue_request(call, self.form.values.get("request", ""))

    def continue_request(self, call: Call, text: str) -> HttpResponse:
        """Return the next page of the request, or the answer."""
        waiting = find_request(text, now=call.now)
        if waiting is None:
            raise NoDestination(EXPIRED)
        request = resolve(waiting.data, asked_at=waiting.asked_at).read(now=call.now)
        step = next_step(request, session=self.session, amr=self.amr(), asked_at=waiting.asked_at)
        page = page_of_request(text) or navigation.home()
        if step is Step.CONFIRM:
            return self.redirect(navigation.with_next("authsvc-confirm", page=page))
        decision = self.form.values.get("decision", "")
        if decision == "deny":
            raise RequestRefused(request.destination, "access_denied", "The person refused.")
        if step is Step.ANSWER or decision == "allow":
            return self.answer_with_code(request, call, agrees=decision == "allow")
        return self.ask(request, text, page=page)

    def ask(self, request: AuthorizationRequest, text: str, *, page: str) -> HttpResponse:
        """Return the question."""
        claims = (*request.user_claims, *request.token_claims)
        context = {
            "client": request.client,
            "host": host_of(request.destination.redirect_uri),
            "scopes": {*request.scopes, *scopes_of(claims)},
            "own_texts": own_texts(request.scopes, language=self.language),
            "reached": hosts_of(request.resources),
            "is_offline": OFFLINE_ACCESS in request.scopes,
            "request_text": text,
            "again_url": navigation.with_next("authsvc-sign-in", page=page, again="1"),
        }
        return self.render(context)
