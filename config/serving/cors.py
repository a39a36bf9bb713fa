"""CORS in the standalone project: the headers of responses of the CORS middleware, and a log line for refused origins."""

import logging
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from core.clock import now
from core.conf import core_settings
from core.http.access_log import printable
from core.http.view import request_id_of, set_headers


def complete_headers(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Return a middleware that adds the service's headers to responses that have none.

    It wraps the CORS middleware, which answers a preflight itself, before any view.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if "X-Request-ID" not in response.headers:
            set_headers(response, request_id=request_id_of(request))
        return response

    return respond


logger = logging.getLogger("authsvc.cors")

REPORT_EVERY = timedelta(minutes=1)
"""The least time between two reports of a process. Otherwise each request of a client could fill the log."""


def report_refused_origins(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Return a middleware that logs the origin of a page whose calls the browser refuses.

    Only the log can name the setting: the browser hides the reason from the page, and the response from everyone.
    """
    reported_at: datetime | None = None

    def respond(request: HttpRequest) -> HttpResponse:
        nonlocal reported_at
        response = get_response(request)
        if "HTTP_ORIGIN" in request.META and _is_refused(request, response):
            moment = now()
            if reported_at is None or moment - reported_at >= REPORT_EVERY:
                reported_at = moment
                logger.warning(
                    "the browser refuses the calls of a page, add its origin to CORS_ALLOWED_ORIGINS",
                    extra={"origin": printable(request.META["HTTP_ORIGIN"])},
                )
        return response

    return respond


def _is_refused(request: HttpRequest, response: HttpResponse) -> bool:
    """Tell whether the request is of a page of another origin that CORS does not allow to call this route."""
    origin = request.META["HTTP_ORIGIN"]
    own = (request.META.get("HTTP_HOST"), urlsplit(core_settings().base_url).netloc)
    return (
        "Access-Control-Allow-Origin" not in response.headers
        and origin.partition("://")[2] not in own
        and re.match(settings.CORS_URLS_REGEX, request.path_info) is not None
    )
