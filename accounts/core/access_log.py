"""One structured line a request: id, route, status, user, duration. Never a body, a query string or a header."""

import logging
from contextvars import ContextVar
from time import perf_counter

from django.http import HttpRequest, HttpResponse

logger = logging.getLogger("authsvc.access")

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"})

request_id_of_context: ContextVar[str] = ContextVar("authsvc_request_id", default="")


def bind(*, request_id: str) -> None:
    """Let every log line of this thread, until the next request, carry the request's id."""
    request_id_of_context.set(request_id)


def write(*, request: HttpRequest, response: HttpResponse, user_id: str | None, started: float) -> None:
    """Log the answered request. `started` is the `perf_counter()` of its arrival."""
    if not logger.isEnabledFor(logging.INFO):
        return
    match = request.resolver_match
    logger.info(
        "request",
        extra={
            # A client may write anything in its place, of any length.
            "method": request.method if request.method in METHODS else "other",
            # The route, not the path: a path may hold an id or whatever somebody typed.
            "route": match.route if match else "",
            "status": response.status_code,
            "user_id": user_id,
            "duration_ms": round((perf_counter() - started) * 1000, 2),
        },
    )
