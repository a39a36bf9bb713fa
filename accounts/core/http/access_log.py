"""One structured line a request: id, route, path, client, status, user, duration.

Never a body, a query string or a header, and no credential that a caller wrote into the path.
"""

import logging
import re
import string
from contextvars import ContextVar
from time import perf_counter

from django.http import HttpRequest, HttpResponse

logger = logging.getLogger("authsvc.access")

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"})

PATH_MAX = 256
READ_MAX = 4 * PATH_MAX
"""Characters of a path that are looked at, since a caller may send 32 KiB."""

_CREDENTIAL_MIN = 40
"""Each of our credentials holds 43 characters of base64url or more. An id has 36."""

_BASE64URL = string.ascii_letters + string.digits + "_-"
_CREDENTIAL = re.compile(f"[{_BASE64URL}]{{{_CREDENTIAL_MIN},}}")

request_id_of_context: ContextVar[str] = ContextVar("authsvc_request_id", default="")


def bind(*, request_id: str) -> None:
    """Let every log line of this thread, until the next request, carry the request's id."""
    request_id_of_context.set(request_id)


def write(
    *, request: HttpRequest, response: HttpResponse, route: str, ip: str, user_id: str | None, started: float
) -> None:
    """Log the answered request. `route` is "" where it has none, `started` the `perf_counter()` of its arrival."""
    if not logger.isEnabledFor(logging.INFO):
        return
    logger.info(
        "request",
        extra={
            # A client may write anything in its place, of any length.
            "method": request.method if request.method in METHODS else "other",
            "route": route,
            "path": printable(request.path),
            "ip": ip,
            "status": response.status_code,
            "user_id": user_id,
            "duration_ms": round((perf_counter() - started) * 1000, 2),
        },
    )


def printable(path: str) -> str:
    """Return the path for the log: without credentials, other characters escaped, and at most PATH_MAX characters."""
    if len(path) < _CREDENTIAL_MIN and path.isprintable():
        return path
    if len(path) > READ_MAX:
        # A credential that the cut shortens would not be recognized.
        path = path[:READ_MAX].rstrip(_BASE64URL) + "…"
    masked = _CREDENTIAL.sub("[redacted]", path)
    shown = masked if masked.isprintable() else masked.encode("unicode_escape").decode()
    return shown if len(shown) <= PATH_MAX else f"{shown[: PATH_MAX - 1]}…"
