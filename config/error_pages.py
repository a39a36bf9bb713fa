"""The error pages of the standalone project, for a browser that opens an address outside the API and the console."""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import URLPattern, get_script_prefix
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext

from core.errors import InternalError
from core.http.accept import prefers_html
from core.http.docs import PAGE_POLICY
from core.http.error_texts import text_of, title_of
from core.http.responses import as_service_error, envelope
from core.http.view import request_id_of, set_headers
from mail.branding import current_brand, with_logo
from mail.languages import ENGLISH
from pages.frame.languages import find_language

_API = "v1/"
_ERROR = 400


def with_error_pages(patterns: Iterable[URLPattern]) -> list[URLPattern]:
    """Return the patterns with views that show their errors as pages to a browser. Other callers get the same JSON."""
    return [URLPattern(one.pattern, _wrapped(one.callback), one.default_args, one.name) for one in patterns]


def handle_error(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the answer when a request fails outside the views of the service. Django calls it.

    `exception` is None when Django has logged it already.
    """
    response = envelope(as_service_error(exception or InternalError()))
    set_headers(response, request_id=request_id_of(request))
    return response if request.path.startswith(get_script_prefix() + _API) else _shown(request, response)


def _wrapped(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    @wraps(view)
    def answer(request: HttpRequest, **parameters: Any) -> HttpResponse:
        return _shown(request, view(request, **parameters))

    return answer


def _shown(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return the page for an error, if a browser sent the request. The page keeps the status and the headers.

    Rendering the page needs no database.
    """
    if response.status_code < _ERROR or not prefers_html(request):
        return response
    status, error = response.status_code, response.headers
    language = find_language(request) or ENGLISH
    with translation.override(language):
        message = gettext(orjson.loads(response.content)["error"]["message"])
        context = {
            "page": {"brand": current_brand(), "language": language},
            "status": status,
            "title": title_of(status=status),
            "message": text_of(status=status, message=message, retry_after=error.get("Retry-After")),
            "retry_url": request.get_full_path() if "Retry-After" in error and request.method == "GET" else "",
            "request_id": error["X-Request-ID"],
        }
        html = render_to_string("authsvc_pages/error.html", context)
    page = HttpResponse(
        html,
        status=status,
        headers={"Content-Language": language, "Content-Security-Policy": with_logo(PAGE_POLICY)},
    )
    for name, value in response.items():
        page.headers.setdefault(name, value)
    page.headers["Content-Length"] = str(len(page.content))
    patch_vary_headers(page, ("Accept", "Accept-Language", "Cookie"))
    return page
