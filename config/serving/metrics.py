"""The metrics of a service for Prometheus: where its processes count, and the process that shows the counts."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import HTTPServer
from pathlib import Path
from socket import AF_INET, AF_INET6, SHUT_RD
from tempfile import TemporaryDirectory
from threading import Timer
from urllib.parse import urlsplit

from core import meter
from core.threads import database_slots

from . import processes
from .conf import settings

PATH = "/metrics"
CLIENT_SECONDS = 5
"""The longest time that a client may take to send its request, and to receive the answer.

The server answers one client at a time.
"""

DATABASE_SECONDS = 2.0
"""The longest time that a scrape waits for the answer to one statement. A scrape runs four statements."""


@contextmanager
def counting() -> Iterator[None]:
    """Let this process, and all processes that it forks during the block, count their work.

    The counts are in a temporary directory, which is deleted after the block.
    """
    with TemporaryDirectory(prefix="gatehouse-metrics-") as directory:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = directory
        from .prometheus import PrometheusMeter  # noqa: PLC0415 - a service without metrics never imports the library

        meter.install(PrometheusMeter())
        yield


def serve_metrics(*, address: str, service_port: int) -> None:
    """Answer `GET /metrics` at the address, on METRICS_PORT, until the drain after SIGTERM ends.

    `service_port` is the port of the API. Call the function in a process without other tasks.
    """
    from prometheus_client import CollectorRegistry, MetricsHandler  # noqa: PLC0415 - see above
    from prometheus_client.multiprocess import MultiProcessCollector  # noqa: PLC0415 - see above

    from .state import State  # noqa: PLC0415 - see above

    processes.hand_over_stop(drain_seconds=settings().drain_seconds)
    database_slots.limit(slots=1, seconds=DATABASE_SECONDS)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # the library leaves it untyped
    registry.register(State(port=service_port))

    class Handler(MetricsHandler):
        """Answers at one path only, and leaves out the gauges of processes that have ended."""

        timeout = CLIENT_SECONDS

        def handle(self) -> None:
            # `timeout` begins again with each byte of a request.
            overdue = Timer(CLIENT_SECONDS, self.connection.shutdown, (SHUT_RD,))
            overdue.start()
            try:
                super().handle()
            finally:
                overdue.cancel()

        def do_GET(self) -> None:  # noqa: N802 - the name that http.server calls
            if urlsplit(self.path).path != PATH:
                self.send_error(404)
                return
            forget_ended_processes()
            super().do_GET()

    Handler.registry = registry

    class Server(HTTPServer):
        """A server beside the socket with which the parent reserves the port."""

        address_family = AF_INET6 if ":" in address else AF_INET
        allow_reuse_port = True

    server = Server((address, settings().metrics_port), Handler)
    signal.signal(signal.SIGTERM, lambda _number, _frame: os._exit(0))
    server.serve_forever()


def forget_ended_processes() -> None:
    """Delete the gauges of processes that have ended. Their counters stay, because a counter never decreases."""
    from prometheus_client.multiprocess import mark_process_dead  # noqa: PLC0415 - see above

    for file in Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]).glob("gauge_live*.db"):
        pid = int(file.stem.rpartition("_")[2])
        if not processes.is_running(pid):
            mark_process_dead(pid)  # type: ignore[no-untyped-call]  # the library leaves it untyped
