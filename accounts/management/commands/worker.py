"""`manage.py worker`: run the background jobs until SIGTERM or SIGINT."""

import logging
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

from django.db import connections

from core.commands import ServiceCommand
from core.db.tables import await_tables
from core.jobs import work

logger = logging.getLogger("authsvc.worker")

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
GRACE_SECONDS = 25


class Command(ServiceCommand):
    """A background worker. Several workers, also on several machines, share the work."""

    help = "Run the background jobs (mails, webhooks, log shipping, digests, pruning) until SIGTERM or SIGINT."

    def handle(self, **options: Any) -> None:
        run_worker(prepare=_await_tables)


def run_worker(*, prepare: Callable[[threading.Event], None] = lambda _stop: None) -> None:
    """Run the background jobs until SIGTERM or SIGINT, and finish the current jobs. `prepare` runs first.

    The database must then have the tables of this release. `prepare` returns early when its event is set by the signal.
    When a job takes longer than GRACE_SECONDS after the signal, the process exits. The rows that the job had claimed
    become due again at the end of their lease. Call the function in the main thread of a process without other tasks.
    """
    # A signal handler could interrupt the methods of the very event that the handler must set, and then block.
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    stop = threading.Event()
    threading.Thread(target=_await_stop, args=(stop,), daemon=True).start()
    logger.info("background worker started", extra={"pid": os.getpid()})
    try:
        prepare(stop)
        work(stop=stop)
    finally:
        connections.close_all()
    logger.info("background worker stopped")


def _await_tables(stop: threading.Event) -> None:
    await_tables(is_stopping=stop.is_set, pause=stop.wait)


def _await_stop(stop: threading.Event) -> None:
    signal.sigwait(STOP_SIGNALS)
    stop.set()
    time.sleep(GRACE_SECONDS)
    logger.error(
        "a background job did not end in time, the worker exits without it", extra={"grace_seconds": GRACE_SECONDS}
    )
    os._exit(1)
