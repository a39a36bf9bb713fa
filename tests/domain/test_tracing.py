"""The header `traceparent` of W3C Trace Context."""

import pytest

from core.tracing import read_traceparent, trace_id_of
from tests.rows import each

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"


@pytest.mark.parametrize("header", [f"00-{TRACE}-{PARENT}-01", f"00-{TRACE}-{PARENT}-00"])
def test_a_valid_header_is_passed_on(header: str) -> None:
    assert read_traceparent(header) == header
    assert trace_id_of(header) == TRACE


@pytest.mark.parametrize(
    ("header", "passed_on"),
    [
        (f"00-{TRACE}-{PARENT}-ff", f"00-{TRACE}-{PARENT}-01"),
        (f"cc-{TRACE}-{PARENT}-01", f"00-{TRACE}-{PARENT}-01"),
        (f"cc-{TRACE}-{PARENT}-02-what-the-future-holds", f"00-{TRACE}-{PARENT}-00"),
    ],
)
def test_a_header_of_a_later_version_is_passed_on_in_the_known_form(header: str, passed_on: str) -> None:
    assert read_traceparent(header) == passed_on


@each(
    "header",
    [
        "",
        "x",
        f"ff-{TRACE}-{PARENT}-01",
        f"00-{'0' * 32}-{PARENT}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE.upper()}-{PARENT}-01",
        f"00-{TRACE}-{PARENT}-01-more",
        f"00-{TRACE}-{PARENT}-01\n",
        f" 00-{TRACE}-{PARENT}-01",
        f"00-{TRACE[1:]}-{PARENT}-01",
        f"00-{TRACE}-{PARENT}",
        f"cc-{TRACE}-{PARENT}-01.more",
        f"00-{'٤' * 32}-{PARENT}-01",
    ],
)
def test_a_malformed_header_means_no_trace(header: str) -> None:
    assert read_traceparent(header) == ""
