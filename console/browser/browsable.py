"""The browsable API: the routes of operators as pages, for an operator who is signed in to the console.

A request takes the same steps as any other request to the route. Three steps differ. The cookie authenticates, the body
is a form, and the last step renders the answer as a page.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import Any, ClassVar
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import URLPattern
from django.utils.cache import patch_vary_headers
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_noop
from rest_framework.renderers import BrowsableAPIRenderer

from accounts.errors import ReauthenticationRequired
from core.errors import MethodNotAllowed, MissingAuthHeader, NotFound
from core.http.accept import prefers_html
from core.http.access_log import request_id_of_context
from core.http.call import Call
from core.http.mounting import find_path
from core.http.responses import as_service_error, envelope
from core.http.schema import JSON, texts_of
from core.http.view import Operation, set_headers, success
from core.keys import jwt
from mail.languages import ENGLISH
from pages.frame import sessions
from pages.frame.page import SAFE_METHODS, Answered, Refused

from ..views.base import AdminView
from . import navigation
from .api_forms import RAW, FormField, form_fields, has_secret, raw_body, read_values
from .page import ConsolePage

METHOD = "_method"
"""The name of the field with the method of a form. A browser itself sends a form only by GET and POST."""

INDEX_TITLE = gettext_noop("Routes of operators")
_ERROR = 400
# A parameter in a path of Django: `<str:user_id>` or `(?P<key>…)`.
_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>.*?\)")
# A member with an id as its value, in escaped JSON.
_ID = re.compile(r"&quot;(id|user_id|reviewer_id)&quot;: &quot;([\w-]+)&quot;")
# Characters that change the direction or the visibility of the text around them.
_INVISIBLE = re.compile("[\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A route of the operators' API. `path` is relative to the API, such as `users/{user_id}`."""

    path: str
    methods: Sequence[str]
    title: str

    def url_of(self, parameters: Mapping[str, str]) -> str:
        """Return the path of the route with these parameters, or "" when one is missing."""
        try:
            own = self.path.format_map({name: quote(value, safe="") for name, value in parameters.items()})
        except KeyError:
            return ""
        return f"{navigation.api_prefix()}{own}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteForm:
    """The two forms of a method that writes: a field for each member, and the whole JSON body."""

    method: str
    summary: str
    description: str
    fields: list[FormField]
    raw: str | None


class ApiRenderer(BrowsableAPIRenderer):
    """DRF's browsable renderer with the template of the console. It needs no static files and no inline code."""

    template = "authsvc_console/api.html"

    def get_context(
        self, data: Any, accepted_media_type: str | None, renderer_context: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """Return the values of the template. `data` is the body of the answer as JSON."""
        context = dict(renderer_context or {})
        view: BrowsablePage = context["view"]
        response: HttpResponse = context["response"]
        answer = json.loads(data)
        return {
            **context["values"],
            "route": view.route,
            "sent_method": view.request.method,
            "path": view.request.path,
            "sent_path": view.request.get_full_path(),
            "is_error": response.status_code >= _ERROR,
            "response_headers": sorted(response.items()),
            "content": self.get_content(None, answer, accepted_media_type, context),
            **view.texts(),
            "query_fields": view.query_fields(answer),
            "next_page": view.next_page(answer),
            "write_forms": view.write_forms(answer),
            "links": [(route, route.url_of(view.kwargs)) for route in view.routes],
            "docs_url": find_path("authsvc-docs"),
        }

    def get_content(self, renderer: Any, data: Any, accepted_media_type: Any, renderer_context: Any) -> SafeString:
        """Return the JSON with indents. Ids of users, and ids that lead to a route of their own, are links."""
        text = json.dumps(data, indent=2, ensure_ascii=False)
        visible = _INVISIBLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
        view: BrowsablePage = renderer_context["view"]

        def anchor(found: re.Match[str]) -> str:
            url = view.url_of(found[1], found[2])
            if not url:
                return found[0]
            return f'&quot;{found[1]}&quot;: &quot;<a href="{escape(url)}">{found[2]}</a>&quot;'

        return mark_safe(_ID.sub(anchor, escape(visible)))  # noqa: S308 - the text is escaped, and `anchor` adds only links


class BrowsablePage(ConsolePage, AdminView):
    """The base class of the pages. The page of a route is also a subclass of the route's view."""

    section = "api"
    route: ClassVar[Route]
    routes: ClassVar[Sequence[Route]] = ()
    sent: QueryDict | None = None

    def authenticate(self, request: HttpRequest, *, now: datetime) -> jwt.Caller | None:
        """Return the operator of the session, and read the form, which states the method of the request.

        Raises MissingAuthHeader without a live session. Raises Refused when the form comes from another site or page.
        """
        caller = self.find_caller(request, now=now)
        if caller is None:
            raise MissingAuthHeader
        if request.method not in SAFE_METHODS:
            self.check_origin(request)
            self.sent = self.read_form(request)
            if self.sent.get(METHOD) in ("PUT", "DELETE"):
                request.method = str(self.sent[METHOD])
        return caller

    def read_body(self, request: HttpRequest, declared: Operation) -> Mapping[str, Any]:
        """Return the validated body that the form means. Raises the operation's `input_error` when it is not valid."""
        if self.sent is None or declared.input is None:
            return {}
        return declared.read("input", read_values(declared.input, self.sent), declared.input_error)

    def handling_language(self) -> str:
        """Return English, because the page shows an answer of the API."""
        return ENGLISH

    def call_handler(self, declared: Operation, call: Call) -> HttpResponse:
        """Return the page with the answer of the handler."""
        return self.show(success(super().call_handler(declared, call), declared))

    def require_recent_proof(self, call: Call) -> None:
        """Raise ReauthenticationRequired unless the operator confirmed within CONSOLE_REAUTH_SECONDS."""
        self.require_recent_factor(call)

    def answer_error(self, error: Exception) -> HttpResponse:
        """Return the page with the envelope of the error. Without a live session, return the envelope as JSON."""
        if isinstance(error, Answered | Refused | ReauthenticationRequired):
            return super().answer_error(error)
        if self.session is not None and self._is_without_answer(error):
            return self.show(HttpResponse(b'{"data":null}', content_type=JSON), is_answer=False)
        response = envelope(as_service_error(error))
        return response if self.session is None else self.show(response)

    def show(self, response: HttpResponse, *, is_answer: bool = True) -> HttpResponse:
        """Return the page that shows the response, with the status and the headers of the response."""
        set_headers(response, request_id=request_id_of_context.get())
        page = self.render({"response": response, "is_answer": is_answer}, status=response.status_code)
        for name, value in response.items():
            page.headers.setdefault(name, value)
        patch_vary_headers(page, ("Accept", "Cookie"))
        return page

    def to_html(self, template: str, values: Mapping[str, object]) -> str:
        """Return the HTML of the answer, or of an error that is not an answer of the API."""
        if template:
            return super().to_html(template, values)
        response: Any = values["response"]
        # Without the request, the template gets nothing from the context processors of a host project.
        context = {"view": self, "request": None, "response": response, "values": values}
        return str(ApiRenderer().render(response.content, "text/html", context))

    def texts(self) -> Mapping[str, str]:
        """Return the summary and the description of the operation. A route without an operation for the method has its title."""
        if self._is_index():
            return {"summary": gettext(INDEX_TITLE), "description": ""}
        method = "GET" if self.request.method == "HEAD" else str(self.request.method)
        if method in self.operations:
            return texts_of(self, method)
        return {"summary": self.route.title, "description": ""}

    def query_fields(self, answer: Any) -> list[FormField]:
        """Return the fields of the form for the parameters of GET."""
        declared = self.operations.get("GET")
        if declared is None or declared.query is None:
            return []
        return form_fields(declared.query, values={}, typed=self.request.GET, message=_message_of(answer))

    def next_page(self, answer: Any) -> str:
        """Return the URL of the next page of a list, or "" at its end."""
        data = answer.get("data")
        if not isinstance(data, dict):
            return ""
        if cursor := data.get("next_cursor"):
            return self.url_with(cursor=cursor)
        following = data.get("offset", 0) + data.get("limit", 0)
        return self.url_with(offset=following) if following < data.get("total", 0) and "offset" in data else ""

    def write_forms(self, answer: Any) -> list[WriteForm]:
        """Return the forms of the methods that write. A refused form keeps what the operator typed, except secrets."""
        return [
            self._write_form(method, declared, answer)
            for method, declared in self.operations.items()
            if method not in SAFE_METHODS
        ]

    def url_of(self, member: str, value: str) -> str:
        """Return the path that an id in the answer leads to, or ""."""
        parent = "users" if member in ("user_id", "reviewer_id") else self.route.path
        child = re.compile(re.escape(parent) + r"/\{\w+\}")
        if not any(child.fullmatch(route.path) for route in self.routes):
            return ""
        return f"{navigation.api_prefix()}{parent}/{quote(value, safe='')}"

    def _is_without_answer(self, error: Exception) -> bool:
        """Return whether the page has forms or a list of routes, but no answer: no GET was declared for its address."""
        if self.request.method not in ("GET", "HEAD"):
            return False
        return self._is_index() if isinstance(error, NotFound) else isinstance(error, MethodNotAllowed)

    def _is_index(self) -> bool:
        return self.is_catch_all and not self.kwargs.get("rest")

    def _write_form(self, method: str, declared: Operation, answer: Any) -> WriteForm:
        texts = texts_of(self, method)
        if declared.input is None:
            return WriteForm(method=method, **texts, fields=[], raw=None)
        is_refused = self.sent is not None and self.request.method == method and "error" in answer
        typed = self.sent if is_refused else None
        values = answer.get("data") if isinstance(answer.get("data"), dict) else {}
        fields = form_fields(
            declared.input,
            values=values,
            typed=None if typed is None or RAW in typed else typed,
            message=_message_of(answer) if is_refused else "",
        )
        raw = raw_body(declared.input, values)
        if typed is not None and RAW in typed and not has_secret(declared.input):
            raw = str(typed[RAW])
        return WriteForm(method=method, **texts, fields=fields, raw=raw)


def browsable(patterns: Iterable[URLPattern]) -> list[URLPattern]:
    """Return the patterns of the operators' API with views that also answer with pages."""
    patterns = list(patterns)
    routes = tuple(_route_of(pattern) for pattern in patterns if not _view_of(pattern).is_catch_all)
    return [_browsable(pattern, routes) for pattern in patterns]


def _browsable(pattern: URLPattern, routes: Sequence[Route]) -> URLPattern:
    view = _view_of(pattern)
    own = {"__doc__": view.__doc__, "route": _route_of(pattern), "routes": routes}
    page = type(view.__name__, (BrowsablePage, view), own).as_view()  # type: ignore[attr-defined]  # it is a view
    json_view: Callable[..., HttpResponse] = pattern.callback

    @wraps(json_view)
    def answer(request: HttpRequest, **parameters: str) -> HttpResponse:
        return (page if _is_for_page(request) else json_view)(request, **parameters)

    return URLPattern(pattern.pattern, answer, pattern.default_args, pattern.name)


def _is_for_page(request: HttpRequest) -> bool:
    """Return whether a browser sent the request. A link or a form of a page sends no other method."""
    return (
        "HTTP_AUTHORIZATION" not in request.META
        and request.method in ("GET", "HEAD", "POST")
        and sessions.cookie_name() in request.COOKIES
        and prefers_html(request)
        # A host project that includes the routes in a namespace has no paths for the links.
        and navigation.api_prefix() is not None
    )


def _view_of(pattern: URLPattern) -> type[AdminView]:
    view: Any = pattern.callback
    return view.cls  # type: ignore[no-any-return]  # every pattern of the API leads to a view class


def _route_of(pattern: URLPattern) -> Route:
    view = _view_of(pattern)
    text = str(pattern.pattern).removeprefix("^").removesuffix(r"\Z").removeprefix("admin/")
    path = _PARAMETER.sub(lambda found: f"{{{found[1] or found[2]}}}", text)
    title = (view.__doc__ or "").partition("\n")[0].removesuffix(".")
    return Route(path="" if view.is_catch_all else path, methods=tuple(view.operations), title=title)


def _message_of(answer: Any) -> str:
    return str(answer.get("error", {}).get("message", ""))
