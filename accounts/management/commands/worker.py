"""`manage.py worker`: do the background jobs until told to stop."""

import logging
import os
import signal
import threading
import time
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connections

from ...core.jobs import work

logger = logging.getLogger("authsvc.worker")

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
GRACE_SECONDS = 25


class Command(BaseCommand):
    """A background worker. Any number of them share the work, on any number of machines."""

    help = "Sends mails and webhooks, prunes and counts, until SIGTERM or SIGINT."

    def handle(self, **options: Any) -> None:
        work_until_told()


def work_until_told() -> None:
    """Do the background jobs until SIGTERM or SIGINT, and finish the one at hand.

    One that takes longer than GRACE_SECONDS is left as it is, and with it the process: what it had claimed comes up
    again. Call it in the main thread of a process that has nothing else to do.
    """
    # A handler would run in the middle of the loop, perhaps inside the very event that it has to set.
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    stop = threading.Event()
    threading.Thread(target=_await_stop, args=(stop,), daemon=True).start()
    logger.info("background worker started", extra={"pid": os.getpid()})
    try:
        work(stop=stop)
    finally:
        connections.close_all()
    logger.info("background worker stopped")


def _await_stop(stop: threading.Event) -> None:
    signal.sigwait(STOP_SIGNALS)
    stop.set()
    time.sleep(GRACE_SECONDS)
    logger.error("the job at hand did not end in time and was left", extra={"grace_seconds": GRACE_SECONDS})
    os._exit(1)
