"""The trace of a request, by the header `traceparent` of W3C Trace Context.

The log lines of a request have the trace's id. The outgoing calls of a request pass the header on. With TRACES, requests
and outgoing calls are spans of OpenTelemetry too.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.core.exceptions import ImproperlyConfigured

_LENGTH = 55
_TRACEPARENT = re.compile(
    r"(?!ff)(?P<version>[0-9a-f]{2})-(?!0{32})(?P<trace>[0-9a-f]{32})-(?!0{16})(?P<parent>[0-9a-f]{16})"
    r"-[0-9a-f](?P<flag>[0-9a-f])(?:-.*)?",
    re.ASCII,
)
_SAMPLED = 1
_SERVER_ERROR = 500

_traceparent: ContextVar[str] = ContextVar("authsvc_traceparent", default="")
_tracer: Any = None


def use_opentelemetry(provider: Any = None) -> None:
    """Make spans from now on, with this provider or that of the process.

    Without an SDK in the process, the spans do nothing. Raises ImproperlyConfigured when OpenTelemetry is not installed.
    """
    global _tracer  # noqa: PLW0603 - the one place that turns the spans on
    try:
        from opentelemetry import trace  # noqa: PLC0415 - the package is an extra
    except ImportError:
        raise ImproperlyConfigured("TRACES needs OpenTelemetry. Install the extra otel.") from None
    _tracer = trace.get_tracer("gatehouse", tracer_provider=provider)


def begin_request(header: str) -> Any:
    """Make the trace of this header the trace of this thread until the next call. Any other header means no trace.

    Returns the span of the request for `end_request`, or None without TRACES.
    """
    traceparent = read_traceparent(header) if header else ""
    span = None
    if _tracer is not None:
        span = _start_span("request", traceparent, kind="SERVER")
        traceparent = _header_of(span) or traceparent
    _traceparent.set(traceparent)
    return span


def end_request(span: Any, *, method: str, route: str, status: int) -> None:
    """End the span. `route` is the template of the route, or "" for an unknown path."""
    span.update_name(f"{method} {route}".rstrip())
    span.set_attributes({"http.request.method": method, "http.route": route, "http.response.status_code": status})
    _end(span, is_error=status >= _SERVER_ERROR)


@contextmanager
def outgoing_call(*, method: str, host: str) -> Iterator[dict[str, str]]:
    """Yield the headers that pass the trace of this thread on. With TRACES, the block is a span.

    The span names the host only, because a path or a query may contain a secret.
    """
    traceparent = _traceparent.get()
    if _tracer is None:
        yield {"traceparent": traceparent} if traceparent else {}
        return
    span = _start_span(method, traceparent, kind="CLIENT")
    span.set_attributes({"http.request.method": method, "server.address": host})
    try:
        yield {"traceparent": header} if (header := _header_of(span) or traceparent) else {}
    except BaseException:
        _end(span, is_error=True)
        raise
    _end(span, is_error=False)


def current_trace_id() -> str:
    """Return the id of this thread's trace as 32 hex digits, or "" without a trace."""
    return trace_id_of(_traceparent.get())


def trace_id_of(traceparent: str) -> str:
    """Return the id of the trace in the result of `read_traceparent`."""
    return traceparent[3:35]


def read_traceparent(header: str) -> str:
    """Return the header in the form of version 00, or "" when the header is not valid.

    A later version may have more members, which are left out (section 4.3 of the specification). Of the flags, only
    `sampled` is kept.
    """
    match = _TRACEPARENT.fullmatch(header)
    if match is None or (match["version"] == "00" and len(header) != _LENGTH):
        return ""
    return f"00-{match['trace']}-{match['parent']}-0{int(match['flag'], 16) & _SAMPLED}"


def _start_span(name: str, parent: str, *, kind: str) -> Any:
    from opentelemetry.trace import SpanKind  # noqa: PLC0415 - the package is an extra
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator  # noqa: PLC0415 - see above

    # Without a parent, the context of this thread counts, such as that of an instrumented host project.
    context = TraceContextTextMapPropagator().extract({"traceparent": parent}) if parent else None
    return _tracer.start_span(name, context=context, kind=SpanKind[kind])


def _header_of(span: Any) -> str:
    """Return the header that makes the span the parent of other spans; "" for a span without a valid context."""
    context = span.get_span_context()
    if not context.is_valid:
        return ""
    return f"00-{context.trace_id:032x}-{context.span_id:016x}-{context.trace_flags & _SAMPLED:02x}"


def _end(span: Any, *, is_error: bool) -> None:
    from opentelemetry.trace import StatusCode  # noqa: PLC0415 - the package is an extra

    if is_error:
        span.set_status(StatusCode.ERROR)
    span.end()
