"""The spans of a running service, at a collector."""

import pytest

from tests.loopback import answering, response, serving

from .conftest import Run
from .running import get

pytestmark = pytest.mark.once


def test_a_stopping_service_sends_its_spans_to_the_collector(serve: Run) -> None:
    with serving(answering(response(b""))) as collector:
        server = serve("--no-worker", TRACES="on", OTEL_EXPORTER_OTLP_ENDPOINT=collector.url(""))
        get(server.await_ready(), "/v1/verify")
        assert server.stop() == 0

    received = [one for one in collector.received if one.line == "POST /v1/traces HTTP/1.1"]
    spans = b"".join(one.body for one in received)
    assert b"GET v1/verify" in spans
    assert b"gatehouse" in spans
