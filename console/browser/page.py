"""The base class of the console's pages.

A page takes the same steps as a route of the API. Three steps differ. The cookie authenticates, the body is a form, and
an answer is HTML.
"""

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from rest_framework import serializers

from accounts.errors import ReauthenticationRequired
from core.clock import now as read_clock
from core.errors import BadRequest, InvalidAccessToken, NotFound
from core.http import bodies
from core.http.access_log import request_id_of_context
from core.http.base_url import redirect_to_base_url
from core.http.call import Call
from core.http.compression import compress_page
from core.http.error_texts import text_of, title_of
from core.http.mounting import find_path
from core.http.responses import as_service_error
from core.http.view import Auth, Operation, ServiceView, check_body_headers
from core.keys import jwt
from mail.branding import current_brand
from mail.languages import ENGLISH
from pages.frame import languages, zones

from ..conf import browser_settings
from ..roles import Right, refusal_of
from . import navigation, sessions
from .ended import find_end
from .filters import find_faults, messages_of

FORM = "application/x-www-form-urlencoded"
BACKGROUND_HEADER = "X-Console-Background"
"""The header of a request that a page sends by itself. Such a request does not count as a use of the session."""
SAFE_METHODS = ("GET", "HEAD", "OPTIONS", "TRACE")

_POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

_PERMISSIONS = ", ".join(
    [
        "publickey-credentials-create=(self)",
        "publickey-credentials-get=(self)",
        "clipboard-write=(self)",
        *(
            f"{feature}=()"
            for feature in (
                "accelerometer",
                "autoplay",
                "camera",
                "clipboard-read",
                "display-capture",
                "geolocation",
                "gyroscope",
                "hid",
                "microphone",
                "midi",
                "payment",
                "serial",
                "usb",
            )
        ),
    ]
)
"""The pages use passkeys and write to the clipboard. A script that got into a page could use nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The typed values of a form, and the messages about wrong values, by the names of the fields.

    A message about the whole form has the name "". A template never repeats the value of a secret field.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """The message about the whole form."""
        return self.errors.get("", "")


class Answered(Exception):
    """The request ends early with this response."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__()
        self.response = response


class Refused(Exception):
    """A page refuses a request that the API cannot get. The response is an error page."""

    def __init__(self, *, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class ConsolePage(ServiceView):
    """A page of the console. It requires the session of an operator unless the class sets `auth` to PUBLIC.

    A handler returns `render(…)` or `redirect(…)`. When the form of a request is not valid, the handler does not run.
    The page then answers with `context(call)` and the messages.
    """

    auth = Auth.ADMIN
    schema = None
    section: ClassVar[str] = ""
    """The key of the section in `navigation.SECTIONS`, which the navigation marks."""
    template: ClassVar[str] = ""
    needs_factor: ClassVar[bool] = True
    """False for the pages that an operator without a second factor may open."""
    writes_need: ClassVar[Right]
    """The right that a request that writes needs. Every operator may send the other forms, such as an export."""

    language: str = ENGLISH
    session: sessions.LiveSession | None = None
    form: Form = Form()
    filters: Form = Form()
    """The typed filters of a list, and the messages about those that are not valid. The list ignores these."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer the request in the zone and the language of the operator. Filters, rows, charts and sentences have both."""
        self.language = languages.find_language(request) or ENGLISH
        with timezone.override(zones.find_zone(request)), translation.override(self.handling_language()):
            response = super().dispatch(request, *args, **kwargs)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        compress_page(response, request)
        return response

    def handling_language(self) -> str:
        """Return the language in which the handler runs. The page itself always has the language of the operator."""
        return self.language

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the values that the page's template needs. By default there are none."""
        return {}

    def render(
        self, context: Mapping[str, object], *, template: str = "", status: int = 200, form: Form | None = None
    ) -> HttpResponse:
        """Return the page. Its template also gets `console` and `form`. A waiting notice is shown once."""
        nonce = secrets.token_urlsafe(16)
        with translation.override(self.language):
            values = {**context, "console": self._frame(nonce), "form": form or self.form}
            html = self.to_html(template or self.template, values)
        # An error page must not need the database.
        if self.session is not None and self.session.notice and not self._is_htmx and status < 400:  # noqa: PLR2004 - see above
            sessions.clear_notice(session=self.session)
        headers = {
            "Content-Language": self.language,
            "Content-Security-Policy": _POLICY.format(nonce=nonce),
            "Cross-Origin-Opener-Policy": "same-origin",
            "Permissions-Policy": _PERMISSIONS,
            # With the policy `no-referrer`, a browser would state no origin when it sends a form.
            "Referrer-Policy": "same-origin",
        }
        return HttpResponse(html, status=status, headers=headers)

    def to_html(self, template: str, values: Mapping[str, object]) -> str:
        """Return the HTML of the template."""
        return render_to_string(template, values)

    def redirect(self, url: str, *, notice: str = "") -> HttpResponse:
        """Return a redirect to the path. The next page shows the notice once."""
        if notice and self.session is not None:
            sessions.leave_notice(session=self.session, text=notice)
        if self.is_part:
            # Without this header, htmx would put the page into the element that sent the request.
            return HttpResponse(status=204, headers={"HX-Redirect": url})
        return HttpResponse(status=303, headers={"Location": url})

    def refuse_input(self, call: Call, *, status: int = 422, **errors: str) -> HttpResponse:
        """Return the page with the typed values and with these messages beside the fields.

        The keyword `form` is the name of a message about the whole form.
        """
        named = {"" if name == "form" else name: message for name, message in errors.items()}
        form = Form(values=self.form.values, errors=named)
        return self.render(self.context(call), status=status, form=form)

    def require_recent_factor(self, call: Call) -> None:
        """Check that the operator signed in or confirmed within CONSOLE_REAUTH_SECONDS.

        Raises ReauthenticationRequired otherwise. The operator then confirms, and returns to the page of the form.
        """
        if self.session is None or self.session.authenticated_at < call.now - browser_settings().reauth:
            raise ReauthenticationRequired

    def authenticate(self, request: HttpRequest, *, now: datetime) -> jwt.Caller | None:
        """Return the operator of the session, or None on a public page without a session. Extend the session.

        Raises Refused when another site sent a form. Raises Answered with a redirect when there is no session. Raises
        it also when the browser uses another host name than that of BASE_URL.
        """
        if elsewhere := redirect_to_base_url(request):
            raise Answered(elsewhere)
        self.check_origin(request)
        caller = self.find_operator(request, now=now)
        if caller is None and self.auth is not Auth.PUBLIC:
            raise Answered(self._ask_to_sign_in(request, now=now))
        return caller

    def check_origin(self, request: HttpRequest) -> None:
        """Raise Refused when a page of another site sent the form."""
        if request.method not in SAFE_METHODS and not navigation.is_own_origin(request):
            raise Refused(
                status=403, message=gettext("The form came from another site. Open the page and send the form again.")
            )

    def find_operator(self, request: HttpRequest, *, now: datetime) -> jwt.Caller | None:
        """Return the operator of the session and extend the session, or return None without a session.

        Raises Answered when the operator must enrol a second factor first. Raises Refused when a request writes, and
        the operator's role does not permit it.
        """
        self.session = sessions.find_session(request=request, now=now)
        if self.session is None:
            return None
        if languages.find_language(request) is None:
            self.language = languages.language_of(self.session.locale)
            translation.activate(self.handling_language())
        # A page that refreshes a part of itself must not keep the session alive.
        if BACKGROUND_HEADER not in request.headers:
            sessions.extend(session=self.session, now=now)
        if self.needs_factor and self.auth is not Auth.PUBLIC and sessions.lacks_factor(session=self.session):
            page = navigation.page_of(request)
            raise Answered(self.redirect(navigation.with_next("authsvc-console-enrol", page=page)))
        if request.method not in SAFE_METHODS:
            self._check_right()
        return self.session.caller

    def read_query(self, request: HttpRequest) -> Mapping[str, Any]:
        """Return the parameters that are valid and not blank. Set `filters` to all of them, with their messages.

        A form of filters also sends the blank fields.
        """
        typed = {name: value for name, value in request.GET.dict().items() if value}
        declared = self.operation_of(request)
        if declared.query is not None and self.template and request.method in SAFE_METHODS and not self.is_part:
            self.filters = Form(values=typed, errors=find_faults(declared.query, typed))
        return {name: value for name, value in typed.items() if name not in self.filters.errors}

    def typed(self, *names: str) -> Mapping[str, str]:
        """Return these parameters of the address as the operator typed them, without the blank ones."""
        query = self.read_query(self.request)
        return {name: query[name] for name in names if name in query}

    def url_with(self, **changes: object) -> str:
        """Return the URL of this page with these parameters changed. A blank value or None removes the parameter."""
        query = {**self.read_query(self.request), **changes}
        kept = {name: value for name, value in query.items() if value not in (None, "")}
        return f"{self.request.path}?{urlencode(kept)}"

    def read_body(self, request: HttpRequest, declared: Operation) -> Mapping[str, Any]:
        """Return the validated form. When it is not valid, return {} and set `form` to the messages."""
        if request.method in SAFE_METHODS:
            return {}
        data = self.read_form(request)
        values = {name: str(data.get(name)) for name in data if name != "csrf_token"}
        self.form = Form(values=values)
        if declared.input is None:
            return {}
        try:
            return declared.input().run_validation(data)  # type: ignore[no-any-return]  # the stubs return Any
        except serializers.ValidationError as invalid:
            self.form = Form(values=values, errors=messages_of(invalid))
            return {}

    def read_form(self, request: HttpRequest) -> QueryDict:
        """Return the sent form. Raises Refused when the session's CSRF token is missing."""
        check_body_headers(request, media_type=FORM)
        data = QueryDict(bodies.read(request) if request.META.get("CONTENT_LENGTH") else b"", encoding="utf-8")
        self._check_csrf(request, data)
        return data

    def call_handler(self, declared: Operation, call: Call) -> Any:
        """Return the answer of the handler, or the page with the messages when the form is not valid.

        Raises BadRequest with all messages when the class has no template of its own. A list that ignores a filter has
        the status 400.
        """
        if self.form.errors:
            if not self.template:
                raise BadRequest(
                    " ".join(f"{name}: {text}" if name else text for name, text in self.form.errors.items())
                )
            return self.render(self.context(call), status=422)
        answer = super().call_handler(declared, call)
        if self.filters.errors and answer.status_code == HTTPStatus.OK:
            answer.status_code = HTTPStatus.BAD_REQUEST
        return answer

    def answer_error(self, error: Exception) -> HttpResponse:
        """Return the error page. A session that has ended or needs a confirmation leads to another page instead."""
        match error:
            case Answered():
                return error.response
            case Refused():
                return self._error_page(status=error.status, message=str(error))
            case InvalidAccessToken():
                return self._ask_to_sign_in(self.request, now=read_clock())
            case ReauthenticationRequired():
                page = navigation.page_of(self.request)
                return self.redirect(navigation.with_next("authsvc-console-confirm", page=page))
        failure = as_service_error(error)
        headers = failure.headers()
        response = self._error_page(status=failure.status, message=str(failure), retry_after=headers.get("Retry-After"))
        for name, value in headers.items():
            response.headers[name] = value
        return response

    @property
    def is_part(self) -> bool:
        """Whether the answer replaces a part of the page that is open."""
        return self._is_htmx and not self.request.headers.get("HX-Boosted")

    @property
    def _is_htmx(self) -> bool:
        return self.request.headers.get("HX-Request") == "true"

    def _frame(self, nonce: str) -> Mapping[str, object]:
        """Return the values that every template gets as `console`. They need no query."""
        return {
            "operator_email": self.session.email if self.session else "",
            "csrf_token": self.session.csrf_token if self.session else "",
            "nonce": nonce,
            "section": self.section,
            "nav": navigation.navigation() if self.session else [],
            "prefix": navigation.prefix(),
            "api_prefix": navigation.api_prefix(),
            "product_name": current_brand().name,
            "environment": browser_settings().environment_label,
            "notice": self.session.notice if self.session else "",
            "filters": self.filters,
            "language": self.language,
            "english": "" if self.language == ENGLISH else mark_safe(' lang="en"'),
            "languages": languages.offers(self.language),
            "page": navigation.page_of(self.request),
            "zone": timezone.get_current_timezone_name(),
            "zone_url": navigation.with_next("authsvc-console-zone", page=navigation.page_of(self.request)),
            "rights": self.session.rights if self.session else frozenset(),
            "now": read_clock(),
        }

    def _error_page(self, *, status: int, message: str, retry_after: str | None = None) -> HttpResponse:
        is_query_wrong = (
            status == HTTPStatus.BAD_REQUEST and self.request.method in SAFE_METHODS and bool(self.request.GET)
        )
        with translation.override(self.language):
            title = title_of(status=status)
            # The message of an error class is a text of the catalogue.
            text = text_of(status=status, message=gettext(message), retry_after=retry_after)
        context = {
            "status": status,
            "unfiltered_url": self.request.path if is_query_wrong else "",
            "title": title,
            "message": text,
            "retry_url": self.request.get_full_path() if retry_after and self.request.method in SAFE_METHODS else "",
            "request_id": request_id_of_context.get(),
            "logs_url": self._logs_url() if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "",
            "layout": f"authsvc_console/{'base' if self.session else 'plain'}.html",
        }
        return self.render(context, template="authsvc_console/error.html", status=status)

    def _logs_url(self) -> str:
        """Return the path of the log of this request for an operator, or ""."""
        path = find_path("authsvc-console-logs") if self.session else None
        return f"{path}?{urlencode({'request_id': request_id_of_context.get()})}" if path else ""

    def _ask_to_sign_in(self, request: HttpRequest, *, now: datetime) -> HttpResponse:
        """Return a redirect to the sign-in, which states why the session ended, and which later leads to this page."""
        page = navigation.page_of(request)
        if _is_from_elsewhere(request):
            return self.render({"url": page}, template="authsvc_console/reload.html")
        ended = find_end(request=request, now=now)
        lost = ended and request.method not in SAFE_METHODS
        stated = {"ended": ended, **({"lost": "form"} if lost else {})} if ended else {}
        return self.redirect(navigation.with_next("authsvc-console-sign-in", page=page, **stated))

    def _check_right(self) -> None:
        needed = getattr(self, "writes_need", None)
        if needed is not None and self.session is not None and needed not in self.session.rights:
            raise Refused(status=403, message=refusal_of(needed))

    def _check_csrf(self, request: HttpRequest, data: QueryDict) -> None:
        """Check that the page that sent the form belongs to the session. There is no token before the sign-in."""
        if self.session is None or self.auth is Auth.PUBLIC:
            return
        given = request.headers.get("X-CSRF-Token") or str(data.get("csrf_token", ""))
        if not hmac.compare_digest(given.encode(), self.session.csrf_token.encode()):
            raise Refused(
                status=403, message=gettext("The form is of an earlier session. Open the page and send the form again.")
            )


class UnknownPage(ConsolePage):
    """Answers every other path below the console with 404. Without a session it leads to the sign-in."""

    is_catch_all = True

    def operation_of(self, request: HttpRequest) -> Operation:
        """Raise NotFound for every method."""
        raise NotFound(gettext("There is no page at this address. The navigation lists all pages."))


def _is_from_elsewhere(request: HttpRequest) -> bool:
    """Return whether a link of another site opened the page. The browser then sends no cookie with SameSite=Strict.

    A page that reloads itself gets the cookie, and the header then names the own site.
    """
    headers = request.headers
    return (
        request.method == "GET"
        and headers.get("Sec-Fetch-Site") in ("cross-site", "same-site")
        and headers.get("Sec-Fetch-Mode") == "navigate"
    )
