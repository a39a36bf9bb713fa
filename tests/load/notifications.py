"""`./dev bench --notifications`: the cost of a login with a webhook for every event and a copy of the log."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from threading import Thread
from time import perf_counter

import psycopg
from psycopg import sql

from events.vocabulary import EventType

from . import report
from .service import PASSWORD, Caller, Service

ROUNDS = 15
LOGINS = 20
SHARE_MAX = 0.15
PERSON = {"email": "notified@example.com", "password": PASSWORD}


class _Receiver(BaseHTTPRequestHandler):
    """Accept every webhook."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that the library gave it
        """Log nothing."""


def measure_notifications(*, variables: Mapping[str, str], directory: Path) -> str:
    """Return the table of logins at two services in turn. Only one service has a webhook and copies its log."""
    with ExitStack() as stack:
        receiver = stack.enter_context(_receiver())
        notifying = {
            **variables,
            "DATABASE_URL": _second_database(variables["DATABASE_URL"], directory=directory),
            "WEBHOOK_URL": receiver,
            "WEBHOOK_SECRET": "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
            "WEBHOOK_ALLOW_PRIVATE": "on",
            "WEBHOOK_EVENTS": ",".join(EventType),
            "LOG_SHIPPING": "record",
        }
        services = {
            "no webhook": stack.enter_context(Service(variables=variables, directory=directory)),
            "webhook and log copy": stack.enter_context(Service(variables=notifying, directory=directory)),
        }
        callers = {name: Caller(service.port) for name, service in services.items()}
        for caller in callers.values():
            caller.get_data("POST", "/v1/signup", PERSON)
        times: dict[str, list[float]] = {name: [] for name in services}
        cpu: dict[str, list[float]] = {name: [] for name in services}
        for number in range(ROUNDS):
            for name, service in services.items():
                before, started = service.cpu_seconds(), perf_counter()
                for _ in range(LOGINS):
                    callers[name].get_data("POST", "/v1/login", PERSON)
                times[name].append((perf_counter() - started) / LOGINS * 1000)
                cpu[name].append((service.cpu_seconds() - before) / LOGINS * 1000)
            sys.stderr.write(f"round {number + 1}\n")
    share = median(notified / plain for plain, notified in zip(*times.values(), strict=True)) - 1
    rows = [[name, f"{median(times[name]):.2f} ms", f"{median(cpu[name]):.2f} ms"] for name in services]
    verdict = "holds" if share <= SHARE_MAX else "does not hold"
    return (
        report.table(["a login", "time", "CPU of the web processes"], rows)
        + f"\n\nThe webhook and the log copy change the time of a login by {share:+.1%} (limit {SHARE_MAX:+.0%}: {verdict}). "
        f"This is the median of {ROUNDS} rounds."
    )


@contextmanager
def _receiver() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Receiver)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def _second_database(url: str, *, directory: Path) -> str:
    """Return the URL of another database beside the first."""
    if url.startswith("sqlite:"):
        return f"sqlite:///{directory}/notifying.sqlite3"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier("notifying")))
    address, _, _ = url.rpartition("/")
    return f"{address}/notifying"
