"""What becomes of the processes of a service after its start."""

import logging
import sys
import time
from collections import deque
from collections.abc import Callable
from multiprocessing import Process

from . import processes

logger = logging.getLogger("authsvc.serve")

ENDS = 3
ENDS_SECONDS = 60
"""A background worker that ended that often within that time would not do better the next time."""

READY_POLL_SECONDS = 0.02


def supervise(
    *,
    web: Callable[[], None],
    worker: Callable[[], None] | None,
    is_ready: Callable[[], bool],
    announce: Callable[[], None],
) -> None:
    """Run `web` and `worker`, a child each, until SIGTERM or SIGINT, and return when both have ended.

    `announce` is called once, when `is_ready()` is true for the first time. The worker is started again when it ends.
    SystemExit when it ended too often, and when `web` ended.
    """
    web_process = processes.start(web)
    kept = _Kept(worker) if worker else None
    ready = False
    try:
        while True:
            if not web_process.is_alive():
                logger.critical("web server ended, stopping", extra={"exit_code": web_process.exitcode})
                sys.exit(1)
            pause = kept.look_after() if kept else None
            if not ready and is_ready():
                ready = True
                announce()
            if processes.next_signal(within=pause if ready else READY_POLL_SECONDS) in processes.STOP_SIGNALS:
                return
    finally:
        if not ready:
            # It has answered nobody yet, and granian's processes may miss a SIGTERM that comes just as they start.
            web_process.kill()
        processes.stop([web_process, kept.process] if kept else [web_process])


class _Kept:
    """A process that is started again when it ends, after a second the first time and later the next."""

    def __init__(self, target: Callable[[], None]) -> None:
        self._target = target
        self._ended_at: deque[float] = deque(maxlen=ENDS)
        self._restart_at: float | None = None
        self.process: Process = processes.start(target)

    def look_after(self) -> float | None:
        """Return the seconds until this must be called again, None when SIGCHLD will tell. SystemExit: see `supervise`."""
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
        known = {"exit_code": self.process.exitcode}
        if recently == ENDS:
            logger.critical("background worker ended %d times within %d s, stopping", ENDS, ENDS_SECONDS, extra=known)
            sys.exit(1)
        delay = 2.0 ** (recently - 1)
        logger.error("background worker ended, starting it again", extra={**known, "delay_seconds": delay})
        return delay
