"""Work over a network connection within a deadline, even when the peer or a name server never answers."""

import os
import socket
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from threading import Lock, Thread
from time import monotonic
from typing import TypeVar

T = TypeVar("T")


class Line:
    """The connection of one piece of work. One thread opens and uses it. Another thread may cut it at any moment."""

    def __init__(self, *, deadline: float) -> None:
        self._deadline = deadline
        self._lock = Lock()
        self._is_cut = False
        self._handle: socket.socket | None = None

    def shares(self, addresses: Sequence[str]) -> Iterator[tuple[str, float]]:
        """Yield each address with its share of the remaining time in seconds, until the time is over.

        Without shares, one address that drops packets would use up all of the time.
        """
        for tried, address in enumerate(addresses):
            remaining = self._deadline - monotonic()
            if remaining <= 0:
                return
            yield address, remaining / (len(addresses) - tried)

    def hold(self, descriptor: int) -> bool:
        """Keep the connection with this file descriptor, so that `cut` can end it.

        Returns False when the line was cut before. The caller then closes the connection.
        """
        with self._lock:
            if not self._is_cut:
                # The owner of a connection may close or replace its descriptor. The duplicate still refers to the
                # connection.
                self._handle = socket.socket(fileno=os.dup(descriptor))
            return not self._is_cut

    def cut(self) -> None:
        """End the connection at once, which wakes a thread that waits for it. A later connection is refused."""
        with self._lock:
            self._is_cut = True
            if self._handle is not None:
                with suppress(OSError):  # the peer may have ended the connection already
                    self._handle.shutdown(socket.SHUT_RDWR)
                self._handle.close()


def run_within(seconds: float, work: Callable[[Line], T], *, name: str) -> T:
    """Run the work in a thread of this name, and return its result. The line is cut at the end.

    Raises TimeoutError when the work takes longer than `seconds`, and every error of the work.
    """
    line = Line(deadline=monotonic() + seconds)
    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(work(line))
        except Exception as error:  # noqa: BLE001 - the waiting thread raises the error again
            result.set_exception(error)

    # A separate thread is needed, because no socket timeout limits the total time. A name server can be slow, and a
    # peer can send one byte now and then. Only another thread can stop waiting at the deadline.
    Thread(target=run, name=name, daemon=True).start()
    try:
        return result.result(seconds)
    finally:
        line.cut()
