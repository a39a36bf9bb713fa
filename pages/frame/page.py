"""The base class of all pages in a browser: those of this app, and those of the console.

A page takes the same steps as a route of the API. Three steps differ. The cookie authenticates, the body is a form, and
an answer is HTML.
"""

import hmac
import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

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
from core.errors import BadRequest, InvalidAccessToken
from core.http import bodies
from core.http.access_log import request_id_of_context
from core.http.base_url import redirect_to_base_url
from core.http.call import Call
from core.http.compression import compress_page
from core.http.error_texts import text_of, title_of
from core.http.responses import as_service_error
from core.http.view import Auth, Operation, ServiceView, check_body_headers
from core.keys import jwt
from mail.branding import current_brand, with_logo
from mail.languages import ENGLISH

from ..conf import settings
from . import assets, languages, navigation, sessions, site_base, zones
from .forms import Form, messages_of
from .origins import is_own_origin

FORM = "application/x-www-form-urlencoded"
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


class Page(ServiceView):
    """A page in a browser. It requires the session of a browser unless the class sets `auth` to PUBLIC.

    A handler returns `render(…)` or `redirect(…)`. When the form of a request is not valid, the handler does not run.
    The page then answers with `context(call)` and the messages.
    """

    auth = Auth.USER
    schema = None
    template: ClassVar[str] = ""
    error_template: ClassVar[str] = "authsvc_pages/error.html"
    frame_name: ClassVar[str] = "page"
    """The name by which templates get the values of `frame()`."""
    kept_fields: ClassVar[tuple[str, ...]] = ()
    """The fields whose typed values come again after a confirmation of the login. A secret field is never one of them."""

    language: str = ENGLISH
    session: sessions.LiveSession | None = None
    form: Form = Form()

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer the request in the zone and the language of the reader. Rows and sentences have both."""
        self.language = languages.find_language(request) or ENGLISH
        with timezone.override(self.find_zone(request)), translation.override(self.handling_language()):
            response = super().dispatch(request, *args, **kwargs)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        compress_page(response, request)
        return response

    def find_zone(self, request: HttpRequest) -> ZoneInfo:
        """Return the zone of the page's times: the chosen one, or else UTC."""
        return zones.find_zone(request)

    def handling_language(self) -> str:
        """Return the language in which the handler runs. The page itself always has the language of the reader."""
        return self.language

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the values that the page's template needs. By default there are none."""
        return {}

    def render(
        self, context: Mapping[str, object], *, template: str = "", status: int = 200, form: Form | None = None
    ) -> HttpResponse:
        """Return the page. Its template also gets the frame and `form`. A waiting notice is shown once."""
        # The page about a failure must not need the template of a site, which may need what has failed.
        base = self.site_base() if status < 500 else ""  # noqa: PLR2004 - see above
        nonce = str(getattr(self.request, "csp_nonce", "") if base else "") or secrets.token_urlsafe(16)
        cut = site_base.make_cut()
        with translation.override(self.language):
            frame = {**self.frame(nonce), **({"document": site_base.PARTS, "cut": cut} if base else {})}
            html = self.to_html(
                template or self.template, {**context, self.frame_name: frame, "form": form or self.form}
            )
            if base:
                html = site_base.put_into(base, html, cut=cut, frame=frame, request=self.request)
        # An error page must not need the database.
        if self.session is not None and not self.is_part and status < 400:  # noqa: PLR2004 - see above
            self._clear_shown(self.session)
        policy = {"Content-Security-Policy": with_logo(self.policy().format(nonce=nonce))}
        headers = {
            "Content-Language": self.language,
            # Only the site knows the scripts and the styles of its template.
            **({"X-Frame-Options": "DENY"} if base else policy),
            "Cross-Origin-Opener-Policy": "same-origin",
            "Permissions-Policy": _PERMISSIONS,
            # With the policy `no-referrer`, a browser would state no origin when it sends a form.
            "Referrer-Policy": "same-origin",
        }
        return HttpResponse(html, status=status, headers=headers)

    def policy(self) -> str:
        """Return the Content-Security-Policy of the page, with `{nonce}` in the place of the nonce."""
        return _POLICY

    def site_base(self) -> str:
        """Return the template of the site in which the page appears, or ""."""
        return settings().base_template

    def to_html(self, template: str, values: Mapping[str, object]) -> str:
        """Return the HTML of the template."""
        return render_to_string(template, values)

    def frame(self, nonce: str) -> Mapping[str, object]:
        """Return the values that every template gets under `frame_name`. They need no query."""
        return {
            "email": self.session.email if self.session else "",
            "csrf_token": self.session.csrf_token if self.session else "",
            "nonce": nonce,
            "brand": current_brand(),
            "stylesheet": assets.asset_url(assets.OF_SITE) if settings().stylesheet else "",
            "notice": self.session.notice if self.session else "",
            "language": self.language,
            "english": "" if self.language == ENGLISH else mark_safe(' lang="en"'),
            "languages": languages.offers(self.language),
            "address": self.address(),
            "zone": timezone.get_current_timezone_name(),
            "now": read_clock(),
        }

    def address(self) -> str:
        """Return the path of the page to show again after a detour, such as the sign-in."""
        return navigation.page_of(self.request)

    def redirect(self, url: str, *, notice: str = "") -> HttpResponse:
        """Return a redirect to the path. The next page shows the notice once."""
        if notice and self.session is not None:
            sessions.leave_notice(session=self.session, text=notice)
        return HttpResponse(status=303, headers={"Location": url})

    @property
    def is_part(self) -> bool:
        """Whether the answer replaces a part of the page that is open."""
        return False

    def refuse_input(self, call: Call, *, status: int = 422, **errors: str) -> HttpResponse:
        """Return the page with the typed values and with these messages beside the fields.

        The keyword `form` is the name of a message about the whole form.
        """
        named = {"" if name == "form" else name: message for name, message in errors.items()}
        form = Form(values=self.form.values, errors=named)
        return self.render(self.context(call), status=status, form=form)

    def authenticate(self, request: HttpRequest, *, now: datetime) -> jwt.Caller | None:
        """Return the person of the session, or None on a public page without a session. Extend the session.

        Raises Refused when another site sent a form. Raises Answered with a redirect when there is no session. Raises
        it also when the browser uses another host name than that of BASE_URL.
        """
        if elsewhere := redirect_to_base_url(request):
            raise Answered(elsewhere)
        self.check_origin(request)
        caller = self.find_caller(request, now=now)
        if caller is None and self.auth is not Auth.PUBLIC:
            raise Answered(self.ask_to_sign_in(request, now=now))
        return caller

    def check_origin(self, request: HttpRequest) -> None:
        """Raise Refused when a page of another site sent the form."""
        if request.method not in SAFE_METHODS and not is_own_origin(request):
            raise Refused(
                status=403, message=gettext("The form came from another site. Open the page and send the form again.")
            )

    def find_caller(self, request: HttpRequest, *, now: datetime) -> jwt.Caller | None:
        """Return the person of the session and extend the session, or return None without a session."""
        self.session = sessions.find_session(request=request, now=now)
        if self.session is None:
            return None
        if languages.find_language(request) is None:
            self.language = languages.language_of(self.session.locale)
            translation.activate(self.handling_language())
        if self.counts_as_use(request):
            sessions.extend(session=self.session, now=now)
        if self._shows_draft(self.session):
            self.form = Form(values=self.session.draft.values)
        return self.session.caller

    def counts_as_use(self, request: HttpRequest) -> bool:
        """Return whether the request extends the session."""
        return True

    def ask_to_sign_in(self, request: HttpRequest, *, now: datetime) -> HttpResponse:
        """Return the redirect to the sign-in, which later leads to the page of the request.

        The sign-in states when a form of an ended session was lost.
        """
        is_lost = request.method not in SAFE_METHODS and sessions.cookie_name() in request.COOKIES
        lost = {"lost": "1"} if is_lost else {}
        return self.redirect(navigation.with_next("authsvc-sign-in", page=self.address(), **lost))

    def ask_to_confirm(self, request: HttpRequest) -> HttpResponse:
        """Return the redirect to the confirmation of a recent login, which later leads to the page of the request.

        The page then shows the values of `kept_fields` again.
        """
        page = self.address()
        typed = {name: self.form.values[name] for name in self.kept_fields if self.form.values.get(name)}
        if self.session is not None and typed:
            sessions.keep_draft(session=self.session, page=page, values=typed)
        return self.redirect(navigation.with_next("authsvc-confirm", page=page))

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
            return declared.reader("input", language=self.handling_language()).run_validation(data)  # type: ignore[no-any-return]  # the stubs return Any
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

        Raises BadRequest with all messages when the class has no template of its own.
        """
        if not self.form.errors:
            return super().call_handler(declared, call)
        if not self.template:
            raise BadRequest(" ".join(f"{name}: {text}" if name else text for name, text in self.form.errors.items()))
        return self.render(self.context(call), status=422)

    def answer_error(self, error: Exception) -> HttpResponse:
        """Return the error page. A session that has ended or needs a confirmation leads to another page instead."""
        match error:
            case Answered():
                return error.response
            case Refused():
                return self.error_page(status=error.status, message=str(error), retry_url=self._page_of_form())
            case InvalidAccessToken():
                return self.ask_to_sign_in(self.request, now=read_clock())
            case ReauthenticationRequired():
                return self.ask_to_confirm(self.request)
        failure = as_service_error(error)
        headers = failure.headers()
        response = self.error_page(status=failure.status, message=str(failure), retry_after=headers.get("Retry-After"))
        for name, value in headers.items():
            response.headers[name] = value
        return response

    def error_page(
        self, *, status: int, message: str, retry_after: str | None = None, retry_url: str = ""
    ) -> HttpResponse:
        """Return the error page. `message` is a text of the catalogue. The page leads to `retry_url` if it is not ""."""
        with translation.override(self.language):
            title = title_of(status=status)
            text = text_of(status=status, message=gettext(message), retry_after=retry_after)
        context = {
            "status": status,
            "title": title,
            "message": text,
            "retry_url": self.request.get_full_path() if retry_after and self._is_reading() else retry_url,
            "request_id": request_id_of_context.get(),
            **self.error_context(status=status),
        }
        return self.render(context, template=self.error_template, status=status)

    def error_context(self, *, status: int) -> Mapping[str, object]:
        """Return the values that only the error page of this kind of pages needs. They need no query."""
        return {}

    def _is_reading(self) -> bool:
        return self.request.method in SAFE_METHODS

    def _page_of_form(self) -> str:
        """Return the path of the own page that sent the form, or ""."""
        return "" if self._is_reading() or not is_own_origin(self.request) else self.address()

    def _shows_draft(self, session: sessions.LiveSession) -> bool:
        return self.request.method in SAFE_METHODS and session.draft.page == self.request.get_full_path()

    def _clear_shown(self, session: sessions.LiveSession) -> None:
        """Remove the notice and the typed values that this page shows."""
        if session.notice:
            sessions.clear_notice(session=session)
        if self._shows_draft(session):
            sessions.clear_draft(session=session)

    def _check_csrf(self, request: HttpRequest, data: QueryDict) -> None:
        """Check that the page that sent the form belongs to the session. There is no token before the sign-in."""
        if self.session is None or self.auth is Auth.PUBLIC:
            return
        given = request.headers.get("X-CSRF-Token") or str(data.get("csrf_token", ""))
        if not hmac.compare_digest(given.encode(), self.session.csrf_token.encode()):
            raise Refused(
                status=403, message=gettext("The form is of an earlier session. Open the page and send the form again.")
            )
