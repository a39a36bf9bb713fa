"""The trace of a request, by the header `traceparent` of W3C Trace Context.

The log lines of a request have the trace's id. The outgoing calls of a request pass the header on.
"""

import re
from contextvars import ContextVar

_LENGTH = 55
_TRACEPARENT = re.compile(
    r"(?!ff)(?P<version>[0-9a-f]{2})-(?!0{32})(?P<trace>[0-9a-f]{32})-(?!0{16})(?P<parent>[0-9a-f]{16})"
    r"-[0-9a-f](?P<flag>[0-9a-f])(?:-.*)?",
    re.ASCII,
)
_SAMPLED = 1

_traceparent: ContextVar[str] = ContextVar("authsvc_traceparent", default="")


def bind(header: str) -> None:
    """Make the trace of this header the trace of this thread until the next call. Any other header means no trace."""
    _traceparent.set(read_traceparent(header) if header else "")


def current_traceparent() -> str:
    """Return the header for outgoing calls of this thread, or "" without a trace."""
    return _traceparent.get()


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
