"""The export of the spans of a web process."""

import os
from multiprocessing.util import Finalize

from core.conf import core_settings


def export_spans() -> None:
    """With TRACES, send the spans of this process to the collector that OTEL_EXPORTER_OTLP_* names.

    Call it in a process that forks no other process, because the export has a thread.
    """
    if not core_settings().traces:
        return
    from opentelemetry import trace  # noqa: PLC0415 - the package is an extra
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - see above
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 - see above
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 - see above

    os.environ.setdefault("OTEL_SERVICE_NAME", "gatehouse")
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    # A process that multiprocessing forked runs no exit handlers. Without this, its last spans would be lost.
    Finalize(None, provider.shutdown, exitpriority=0)
