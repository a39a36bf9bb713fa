"""The access log: one structured line per request.

The line contains the request's id, route, path, client address, status, user and duration. The line never contains a
body, a query string or a header. A credential in the path is masked.
"""

import logging
import re
import string
from contextvars import ContextVar
from time import perf_counter

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from .. import meter

logger = logging.getLogger("authsvc.access")

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"})

PATH_MAX = 256
READ_MAX = 4 * PATH_MAX
"""The number of characters of a path that `printable` reads. A caller may send a path of 32 KiB."""

_CREDENTIAL_MIN = 40
"""The length from which a run of base64url characters counts as a credential.

Each credential of the service contains at least 43 characters of base64url. An id has 36 characters.
"""

_BASE64URL = string.ascii_letters + string.digits + "_-"
_CREDENTIAL = re.compile(f"[{_BASE64URL}]{{{_CREDENTIAL_MIN},}}")

request_id_of_context: ContextVar[str] = ContextVar("authsvc_request_id", default="")


def bind(*, request_id: str) -> None:
    """Add the request's id to every log line of this thread until the next request."""
    request_id_of_context.set(request_id)


def method_of(request: HttpRequest) -> str:
    """Return the method, or `other`, because a client may send any text of any length as the method."""
    return request.method if request.method in METHODS else "other"


def write(
    *, request: HttpRequest, response: HttpResponseBase, route: str, ip: str, user_id: str | None, started: float
) -> None:
    """Log the answered request, and report it to the meter.

    `route` is "" when the path matches no route. `started` is the value of `perf_counter()` at the request's arrival.
    """
    seconds = perf_counter() - started
    method = method_of(request)
    meter.current.count_request(method=method, route=route, status=response.status_code, seconds=seconds)
    if not logger.isEnabledFor(logging.INFO):
        return
    logger.info(
        "request",
        extra={
            "method": method,
            "route": route,
            "path": printable(request.path),
            "ip": ip,
            "status": response.status_code,
            "user_id": user_id,
            "duration_ms": round(seconds * 1000, 2),
        },
    )


def printable(path: str) -> str:
    """Return the path for the log, with at most PATH_MAX characters.

    Each credential is replaced by `[redacted]`. Characters that are not printable are escaped.
    """
    if len(path) < _CREDENTIAL_MIN and path.isprintable():
        return path
    if len(path) > READ_MAX:
        # The cut may shorten a credential so that the pattern misses it. Therefore a partial run at the end is removed.
        path = path[:READ_MAX].rstrip(_BASE64URL) + "…"
    masked = _CREDENTIAL.sub("[redacted]", path)
    shown = masked if masked.isprintable() else masked.encode("unicode_escape").decode()
    return shown if len(shown) <= PATH_MAX else f"{shown[: PATH_MAX - 1]}…"
