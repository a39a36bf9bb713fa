"""The spans of OpenTelemetry, for requests and outgoing calls."""

import sys
from collections.abc import Iterator

import pytest
from django.core.exceptions import ImproperlyConfigured
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from core import tracing
from core.outgoing import NoAnswer, fetch
from tests.client import Api
from tests.loopback import Peer, answering, response, serving

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """The ended spans of this process."""
    # The test puts the old value back.
    monkeypatch.setattr(tracing, "_tracer", None)
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracing.use_opentelemetry(provider)
    yield exporter
    tracing.begin_request("")


def call(url: str) -> None:
    fetch(method="POST", url=url, headers={}, body=b"", timeout_seconds=3, max_bytes=100, allow_private=True)


def test_a_request_is_a_span_of_the_callers_trace(api: Api, spans: InMemorySpanExporter) -> None:
    api.get("/v1/verify?secret=sesame", headers={"traceparent": f"00-{TRACE}-{PARENT}-01"})

    (span,) = spans.get_finished_spans()
    assert (span.name, span.kind) == ("GET v1/verify", SpanKind.SERVER)
    assert span.parent is not None
    assert (f"{span.context.trace_id:032x}", f"{span.parent.span_id:016x}") == (TRACE, PARENT)
    assert dict(span.attributes or {}) == {
        "http.request.method": "GET",
        "http.route": "v1/verify",
        "http.response.status_code": 401,
    }


def test_a_request_without_a_trace_begins_one(api: Api, spans: InMemorySpanExporter) -> None:
    api.call("BREW", "/v1/nothing/at-all")
    api.get("/v1/health")

    unknown, known = spans.get_finished_spans()
    assert (unknown.name, unknown.parent) == ("other", None)
    assert unknown.context.trace_id != known.context.trace_id


def test_an_outgoing_call_is_a_span_of_the_request_and_names_the_host_only(spans: InMemorySpanExporter) -> None:
    request = tracing.begin_request(f"00-{TRACE}-{PARENT}-01")
    with serving(answering(response(b""))) as peer:
        call(peer.url("/secret?token=sesame"))
    tracing.end_request(request, method="POST", route="v1/login", status=500)

    outgoing, incoming = spans.get_finished_spans()
    assert outgoing.parent is not None
    assert outgoing.parent.span_id == incoming.context.span_id
    assert (outgoing.name, outgoing.kind, outgoing.status.status_code) == ("POST", SpanKind.CLIENT, StatusCode.UNSET)
    assert dict(outgoing.attributes or {}) == {"http.request.method": "POST", "server.address": "127.0.0.1"}
    assert incoming.status.status_code is StatusCode.ERROR
    assert header_of(peer) == f"00-{TRACE}-{outgoing.context.span_id:016x}-01"


def test_a_call_without_an_answer_is_a_span_with_an_error(spans: InMemorySpanExporter) -> None:
    with pytest.raises(NoAnswer):
        call("http://127.0.0.1:9/")

    (span,) = spans.get_finished_spans()
    assert (span.status.status_code, span.events) == (StatusCode.ERROR, ())


def test_without_an_sdk_the_callers_header_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "_tracer", None)
    tracing.use_opentelemetry()
    tracing.begin_request(f"00-{TRACE}-{PARENT}-01")
    try:
        with serving(answering(response(b""))) as peer:
            call(peer.url())
    finally:
        tracing.begin_request("")

    assert header_of(peer) == f"00-{TRACE}-{PARENT}-01"


def test_traces_without_the_extra_stop_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)

    with pytest.raises(ImproperlyConfigured, match="Install the extra otel"):
        tracing.use_opentelemetry()


def header_of(peer: Peer) -> str:
    (received,) = peer.received
    return received.headers["traceparent"]
