"""`manage.py serve`: the production server of the standalone project."""

import fcntl
import logging
import os
import socket
import sys
import time
from argparse import ArgumentTypeError
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from http.client import HTTPConnection, HTTPException
from importlib import import_module
from threading import Thread
from typing import Any, NoReturn
from urllib.parse import urlsplit

from django.core.checks import Tags, run_checks
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import CommandParser
from django.core.servers.basehttp import get_internal_wsgi_application
from django.db import DatabaseError, connection
from django.template import engines
from django.urls import get_resolver
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import Server

from accounts.management.commands.worker import run_worker
from accounts.passwords import argon2id, breaches, hashing
from core import clock
from core.commands import ServiceCommand
from core.conf import core_settings
from core.db.outage import describe
from core.db.tables import await_tables
from core.http import bodies
from core.jobs import jobs
from core.keys import ring
from core.ratelimit.conf import settings as limit_settings
from core.threads import HASH_THREADS, THREADS, set_limits
from events.conf import shipping_settings

from ... import metrics, processes, traces
from ...checks import LOOPBACK, check_pooler, find_missing_proxies
from ...conf import settings
from ...direct import has_pooler, use_direct_database
from ...supervision import supervise

logger = logging.getLogger("authsvc.serve")

CONNECTIONS = 512
"""Connections that a web process accepts, most of them idle. A process can usually open at most 1,024 files."""

SPARE_CONNECTIONS = 5
IDLE_SECONDS = 75
"""Seconds that a connection may be silent.

Proxies keep an idle connection for 60 s. With this longer limit, the service does not close a connection just when a
proxy uses it.
"""

HEAD_MAX_BYTES = 32 * 1024
KILL_SECONDS = 25
LOOPBACK_EXEMPTIONS = frozenset({"authsvc.W002", "authsvc.W004"})
"""Checks of BASE_URL and EMAIL_URL. A developer's machine needs neither https nor mails."""

MIGRATION_LOCK = 0x67617465_686F7573


class Command(ServiceCommand):
    """Runs web processes and a background worker under a parent that starts, supervises and stops them."""

    help = "Migrates, then serves the API with its background worker until SIGTERM or SIGINT."
    # The server needs the routes and the templates anyway, so it checks them too.
    requires_system_checks = (*ServiceCommand.requires_system_checks, Tags.urls, Tags.templates)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default %(default)s)")
        parser.add_argument("--port", default=8000, type=int, help="port to listen on (default %(default)s)")
        parser.add_argument(
            "--workers",
            default=os.cpu_count() or 1,
            type=_count,
            help=f"web processes of {THREADS} threads each (default: processor count, here %(default)s)",
        )
        parser.add_argument("--no-migrate", dest="migrate", action="store_false", help="leave the database as it is")
        parser.add_argument("--no-worker", dest="worker", action="store_false", help="start no background worker")

    def handle(self, *, host: str, port: int, workers: int, migrate: bool, worker: bool, **options: Any) -> None:
        # The order matters: after become_parent(), the same code takes 2 MB more in each process.
        _preload()
        processes.become_parent()
        reserved = [_reserve(host=host, port=port)]
        address, port = reserved[0].getsockname()[:2]
        if settings().metrics:
            reserved.append(_reserve(host=host, port=settings().metrics_port))
        try:
            application = get_internal_wsgi_application()
            _preload_keys()
        except ImproperlyConfigured as error:
            _refuse(str(error))
        if not _run(
            partial(_prepare, migrate=migrate, workers=workers, worker=worker, address=address),
            meanwhile=partial(argon2id.choose_fastest, costs=hashing.costs_of_new_hashes()),
        ):
            return
        others: dict[str, Callable[[], None]] = {"background worker": run_worker} if worker else {}
        if settings().metrics:
            others["metrics server"] = partial(metrics.serve_metrics, address=address, service_port=port)
        with metrics.counting() if settings().metrics else nullcontext():
            supervise(
                web=partial(_serve_web, application, address=address, port=port, workers=workers),
                others=others,
                is_ready=partial(_is_answering, address=address, port=port),
                announce=partial(self._announce, address=address, port=port),
                drain_seconds=settings().drain_seconds,
            )

    def _announce(self, *, address: str, port: int) -> None:
        base = core_settings().base_url
        kind = "full, on PostgreSQL" if connection.vendor == "postgresql" else "embedded, without the console"
        self.stdout.write(f"Gatehouse answers on {base}/v1 and listens on {address}, port {port}.")
        self.stdout.write(f"Its documentation: {base}/v1/docs")
        if connection.vendor == "postgresql":
            self.stdout.write(f"Its console, for operators: {base}/console/")
        self.stdout.write(f"This deployment: {kind}.")
        if settings().metrics:
            self.stdout.write(f"Its metrics are at /metrics on {address}, port {settings().metrics_port}.")
        self.stdout.flush()


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError("must be a whole number of at least 1")
    return int(text)


def _refuse(reason: str) -> NoReturn:
    sys.exit(f"Not started: {reason}")


def _reserve(*, host: str, port: int) -> socket.socket:
    """Return a socket that reserves the port for the web processes of this service.

    A second service cannot bind the port. The program exits when this service cannot bind it.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        reserved = socket.socket(family, socket.SOCK_STREAM)
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserved.bind(address)
    except (OSError, OverflowError) as error:
        _refuse(f"cannot listen on {host}, port {port}: {getattr(error, 'strerror', None) or error}.")
    # SO_REUSEPORT is set only after bind(). Otherwise two services could share the port unnoticed. Each web process
    # listens on its own socket, and the system distributes the connections among these sockets.
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    return reserved


def _preload() -> None:
    """Load the code and the data that the web processes share. Each would otherwise load a copy when it needs them."""
    # The URL conf imports all views, and the engines all template tags.
    _ = get_resolver().url_patterns
    engines.all()
    import_module("sessions_app.detection.user_agents")
    import_module("core.outgoing.exchange")
    import_module(f"core.ratelimit.{'redis' if limit_settings().cache_url else connection.vendor}_store")
    breaches.load_offline_list()


def _preload_keys() -> None:
    """Ensure that the signing keys exist, and load what the first signature loads. Raises ImproperlyConfigured."""
    now = clock.now()
    ring.ensure_ring(now=now)
    # cryptography and OpenSSL load parts at the first signature, some 2 MiB in each process that signs.
    ring.current_ring(now=now).active_key(now=now).sign(b"")


def _run(step: Callable[[], None], *, meanwhile: Callable[[], None]) -> bool:
    """Run the step in a child and return True, or False when a stop signal interrupts the step.

    `meanwhile` runs in this process beside the step. The program exits when the step fails.
    """
    child = processes.start(step)
    meanwhile()
    while child.is_alive():
        if processes.next_signal() in processes.STOP_SIGNALS:
            processes.stop([child])
            return False
    if child.exitcode:
        sys.exit(1)
    return True


def _prepare(*, migrate: bool, workers: int, worker: bool, address: str) -> None:
    """Prepare the database. Log a warning for each weak setting and for each sealed value that no key opens."""
    _prepare_database(migrate=migrate, workers=workers, worker=worker)
    is_public = not {address, urlsplit(core_settings().base_url).hostname} <= LOOPBACK
    found = run_checks(tags=[Tags.security], include_deployment_checks=True)
    found += run_checks(tags=[Tags.database], databases=["default"]) + find_missing_proxies(address=address)
    for finding in found:
        if not finding.is_silenced() and (is_public or finding.id not in LOOPBACK_EXEMPTIONS):
            extra = {"check": finding.id, "reason": finding.msg, "hint": finding.hint}
            logger.warning("a check has a finding", extra=extra)


def _prepare_database(*, migrate: bool, workers: int, worker: bool) -> None:
    """Check that the database is reachable, and migrate it when `migrate` is true. Otherwise wait until it has tables.

    PostgreSQL must also allow enough connections. The program exits when a check fails. Only one process migrates a
    database at a time.
    """
    turn = _await_turn_on_sqlite() if connection.vendor == "sqlite" else None
    _connect(name="the database")
    for finding in check_pooler(databases=["default"]):
        _refuse(f"{finding.msg} {finding.hint}")
    if has_pooler():
        use_direct_database()
        _connect(name="the database of DATABASE_DIRECT_URL")
    if connection.vendor == "postgresql":
        _check_max_connections(workers=workers, worker=worker)
    if migrate:
        if connection.vendor == "postgresql":
            _await_turn_on_postgresql()
        call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
    else:
        if turn is not None:
            # The service that migrates needs the turn.
            os.close(turn)
        await_tables()


def _connect(*, name: str) -> None:
    try:
        connection.ensure_connection()
    except DatabaseError as error:
        _refuse(f"{name} does not answer. {describe(error)}")


def _check_max_connections(*, workers: int, worker: bool) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW max_connections")
        available = int(cursor.fetchone()[0])
    if has_pooler():
        # The threads of a process share what the pooler gives them. Below one connection each, processes would wait.
        per_web = per_worker = 1
    else:
        # With log shipping, each process needs one more connection, for the thread that stores the copy of its log.
        per_web, per_worker = (threads + int(shipping_settings().is_on) for threads in (THREADS, len(jobs)))
    others = per_worker * int(worker) + SPARE_CONNECTIONS
    needed = workers * per_web + others
    if needed > available:
        possible = (available - others) // per_web
        advice = f"start fewer web processes (--workers {possible})" if possible > 0 else "use another server"
        _refuse(
            f"{workers} web processes with {_connections(per_web)} each{f', a background worker with {per_worker}' if worker else ''} "
            f"and a reserve of {SPARE_CONNECTIONS} need {needed}, but PostgreSQL's max_connections is {available}. "
            f"Raise it to {needed} or {advice}."
        )


def _connections(number: int) -> str:
    return "1 connection" if number == 1 else f"{number} connections"


def _await_turn_on_sqlite() -> int:
    """Wait for the exclusive right to prepare this database.

    Returns the descriptor that holds the right. This process otherwise keeps the right until it ends.
    """
    # The lock is on a separate file, because SQLite manages the locks on the database file.
    path = f"{connection.settings_dict['NAME']}.lock"
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        _refuse(f"DATABASE_URL: {path} cannot be written: {error.strerror}.")
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    return descriptor


def _await_turn_on_postgresql() -> None:
    """Wait for the only right to migrate this database, among all machines. This process keeps it until it ends."""
    with connection.cursor() as cursor:
        while True:
            # Polling avoids a deadlock: CREATE INDEX CONCURRENTLY would wait for a statement that waits for this lock.
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [MIGRATION_LOCK])
            if cursor.fetchone()[0]:
                return
            time.sleep(0.2)


def _serve_web(application: Callable[..., Any], *, address: str, port: int, workers: int) -> None:
    """Serve the application with `workers` processes until SIGTERM. A process that dies is replaced."""
    processes.hand_over_stop(drain_seconds=settings().drain_seconds)
    hashing.share_slots(threads=HASH_THREADS)
    server = Server(
        target="",
        address=address,
        port=port,
        interface=Interfaces.WSGI,
        workers=workers,
        blocking_threads=THREADS,
        # A thread that ends closes its database connection, so idle threads stay for ten minutes.
        blocking_threads_idle_timeout=600,
        # Granian counts connections here, not requests. A limit of THREADS would let a few idle browsers block all
        # other clients.
        backpressure=CONNECTIONS,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=IDLE_SECONDS * 1000, max_buffer_size=HEAD_MAX_BYTES),
        websockets=False,
        log_level=LogLevels.error,
        # Logging is configured already. This dictionary changes only the level.
        log_dictconfig={"incremental": True, "formatters": {}, "handlers": {}, "loggers": {}},
        respawn_failed_workers=True,
        workers_kill_timeout=KILL_SECONDS,
    )
    # Only errors are logged until the startup, because granian warns of every number of threads but its own choice.
    server.on_startup(lambda: logging.getLogger("_granian").setLevel(logging.WARNING))
    server.serve(target_loader=partial(_prepare_web_process, application), wrap_loader=False)


def _prepare_web_process(application: Callable[..., Any]) -> Callable[..., Any]:
    """Start the threads of a web process, and return the application. The process must have no other thread before."""
    processes.hand_over_stop(drain_seconds=settings().drain_seconds)
    set_limits()
    traces.export_spans()
    Thread(target=bodies.cut_overdue, daemon=True).start()
    Thread(target=processes.give_memory_back, args=(argon2id.give_memory_back,), daemon=True).start()
    return application


def _is_answering(*, address: str, port: int) -> bool:
    session = HTTPConnection(address, port, timeout=5)
    try:
        session.request("HEAD", "/v1/health")
        session.getresponse()
    except (OSError, HTTPException):
        return False
    else:
        return True
    finally:
        session.close()
