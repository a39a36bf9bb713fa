"""The supervision of a running service. Its processes are restarted when they end, and stopped when it stops."""

import logging
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from multiprocessing import Process

from . import processes

logger = logging.getLogger("authsvc.serve")

ENDS_MAX = 3
ENDS_SECONDS = 60
"""A process that ends ENDS_MAX times within ENDS_SECONDS is not restarted: another start would probably fail too."""

READY_POLL_SECONDS = 0.02


def supervise(
    *,
    web: Callable[[], None],
    others: Mapping[str, Callable[[], None]],
    is_ready: Callable[[], bool],
    announce: Callable[[], None],
    drain_seconds: float,
) -> None:
    """Run `web` and the named `others` in a child each until SIGTERM or SIGINT, and return when all have ended.

    A child that ends is started again. `announce` is called once, when `is_ready()` is true for the first time. After
    the signal, a service that was ready drains for `drain_seconds` before its children end. Raises SystemExit when a
    child ends too often, or when `web` ends before it is ready.
    """
    web_child = _Child("web server", web)
    children = [web_child, *(_Child(name, target) for name, target in others.items())]
    ready = False
    try:
        while True:
            if not ready and not web_child.process.is_alive():
                logger.critical("web server ended, stopping", extra={"exit_code": web_child.process.exitcode})
                sys.exit(1)
            pauses = [pause for child in children if (pause := child.restart_when_due()) is not None]
            if not ready and is_ready():
                ready = True
                announce()
            within = min(pauses, default=None) if ready else READY_POLL_SECONDS
            if processes.next_signal(within=within) in processes.STOP_SIGNALS:
                processes.drain(seconds=drain_seconds if ready else 0)
                return
    finally:
        processes.stop([child.process for child in children])


class _Child:
    """A process that is started again when it ends. The delay is one second, and doubles for each recent end."""

    def __init__(self, name: str, target: Callable[[], None]) -> None:
        self._name = name
        self._target = target
        self._ended_at: deque[float] = deque(maxlen=ENDS_MAX)
        self._restart_at: float | None = None
        self.process: Process = processes.start(target)

    def restart_when_due(self) -> float | None:
        """Restart the process if it has ended and its delay is over. Return the seconds until the next call is due.

        Returns None while the process runs, because SIGCHLD announces its end. Raises SystemExit when it ended too often.
        """
        now = time.monotonic()
        if self._restart_at is None:
            if self.process.is_alive():
                return None
            self._restart_at = now + self._count_end(now)
        if now < self._restart_at:
            return self._restart_at - now
        self.process = processes.start(self._target)
        self._restart_at = None
        return None

    def _count_end(self, now: float) -> float:
        self._ended_at.append(now)
        recently = sum(now - moment < ENDS_SECONDS for moment in self._ended_at)
        extra = {"process_name": self._name, "exit_code": self.process.exitcode}
        if recently == ENDS_MAX:
            logger.critical("a process ended too often, stopping", extra=extra)
            sys.exit(1)
        delay = 2.0 ** (recently - 1)
        logger.error("a process ended, starting it again", extra={**extra, "delay_seconds": delay})
        return delay
