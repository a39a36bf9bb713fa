"""The base class of the console's pages. It adds the demands on an operator to the base class of all pages."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from http import HTTPStatus
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from accounts.errors import ReauthenticationRequired
from core.errors import NotFound
from core.http.access_log import request_id_of_context
from core.http.call import Call
from core.http.client import client_of
from core.http.mounting import find_path
from core.http.view import Auth, Operation
from core.keys import jwt
from pages.frame.forms import Form
from pages.frame.navigation import with_next
from pages.frame.page import SAFE_METHODS, Answered, Page, Refused

from ..conf import browser_settings
from ..roles import Right, refusal_of
from . import entry, navigation
from .filters import find_faults

BACKGROUND_HEADER = "X-Console-Background"
"""The header of a request that a page sends by itself. Such a request does not count as a use of the session."""


class ConsolePage(Page):
    """A page of the console. It requires the session of an operator, which the console admits."""

    auth = Auth.ADMIN
    error_template = "authsvc_console/error.html"
    frame_name = "console"
    section: ClassVar[str] = ""
    """The key of the section in `navigation.SECTIONS`, which the navigation marks."""
    writes_need: ClassVar[Right]
    """The right that a request that writes needs. Every operator may send the other forms, such as an export."""

    rights: frozenset[Right] | None = None
    """The rights of the operator. None until the console admits the session."""
    filters: Form = Form()
    """The typed filters of a list, and the messages about those that are not valid. The list ignores these."""

    def require_recent_factor(self, call: Call) -> None:
        """Check that the operator signed in or confirmed within CONSOLE_REAUTH_SECONDS.

        Raises ReauthenticationRequired otherwise. The operator then confirms, and returns to the page of the form.
        """
        if self.session is None or self.session.authenticated_at < call.now - browser_settings().reauth:
            raise ReauthenticationRequired

    def find_caller(self, request: HttpRequest, *, now: datetime) -> jwt.Caller | None:
        """Return the operator of the session and extend the session, or return None without a session.

        Raises Answered with a page or a redirect when the console does not admit the session. Raises
        ReauthenticationRequired when the login is too old for the first entry. Raises Refused when a request writes, and
        the operator's role does not permit it.
        """
        caller = super().find_caller(request, now=now)
        if caller is None or self.session is None:
            return None
        try:
            rights = entry.admit(session=self.session)
        except entry.NotAdmitted as refused:
            context = {
                "email": self.session.email,
                "again_url": with_next("authsvc-sign-in", page=self.address(), again="1"),
            }
            raise Answered(self.render(context, template=refused.template, status=403)) from None
        except entry.FactorMissing:
            page = with_next("authsvc-account-two-step", page=self.address())
            notice = gettext("The console needs a second factor. Set one up here. You then continue to the console.")
            raise Answered(self.redirect(page, notice=notice)) from None
        if not self.session.is_limited:
            entry.enter(session=self.session, client=client_of(request), now=now)
        self.rights = rights
        if request.method not in SAFE_METHODS:
            self._check_right(rights)
        return replace(caller, is_operator=True)

    def counts_as_use(self, request: HttpRequest) -> bool:
        """Return False for a page that refreshes a part of itself. It must not keep the session alive."""
        return BACKGROUND_HEADER not in request.headers

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

    def call_handler(self, declared: Operation, call: Call) -> Any:
        """Return the answer as all pages do. A list that ignores a filter has the status 400."""
        answer = super().call_handler(declared, call)
        if self.filters.errors and answer.status_code == HTTPStatus.OK:
            answer.status_code = HTTPStatus.BAD_REQUEST
        return answer

    def redirect(self, url: str, *, notice: str = "") -> HttpResponse:
        """Return a redirect to the path. The next page shows the notice once."""
        answer = super().redirect(url, notice=notice)
        if self.is_part:
            # Without this header, htmx would put the page into the element that sent the request.
            return HttpResponse(status=204, headers={"HX-Redirect": url})
        return answer

    def address(self) -> str:
        """Return the path of the page of the console to show again after a detour."""
        return navigation.page_of(self.request)

    def site_base(self) -> str:
        """Return "", because the console has its own look also in a host site."""
        return ""

    @property
    def is_part(self) -> bool:
        """Whether the answer replaces a part of the page that is open."""
        return self.request.headers.get("HX-Request") == "true"

    def frame(self, nonce: str) -> Mapping[str, object]:
        """Return the values that every template gets as `console`. They need no query."""
        return {
            **super().frame(nonce),
            "section": self.section,
            "nav": navigation.navigation() if self.rights is not None else [],
            "prefix": navigation.prefix(),
            "api_prefix": navigation.api_prefix(),
            "environment": browser_settings().environment_label,
            "filters": self.filters,
            "zone_url": with_next("authsvc-console-zone", page=self.address()),
            "rights": self.rights or frozenset(),
        }

    def error_context(self, *, status: int) -> Mapping[str, object]:
        """Return the way out of a wrong query, the log of a failure, and the layout of the page."""
        is_query_wrong = (
            status == HTTPStatus.BAD_REQUEST and self.request.method in SAFE_METHODS and bool(self.request.GET)
        )
        return {
            "unfiltered_url": self.request.path if is_query_wrong else "",
            "logs_url": self._logs_url() if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "",
            "layout": f"authsvc_console/{'plain' if self.rights is None else 'base'}.html",
        }

    def _logs_url(self) -> str:
        """Return the path of the log of this request for an operator, or ""."""
        path = find_path("authsvc-console-logs") if self.rights is not None else None
        return f"{path}?{urlencode({'request_id': request_id_of_context.get()})}" if path else ""

    def _check_right(self, rights: frozenset[Right]) -> None:
        needed = getattr(self, "writes_need", None)
        if needed is not None and needed not in rights:
            raise Refused(status=403, message=refusal_of(needed))


class UnknownPage(ConsolePage):
    """Answers every other path below the console with 404. Without a session it leads to the sign-in."""

    is_catch_all = True

    def operation_of(self, request: HttpRequest) -> Operation:
        """Raise NotFound for every method."""
        raise NotFound(gettext("There is no page at this address. The navigation lists all pages."))
