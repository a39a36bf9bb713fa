"""Work over a network connection within a deadline, even when the peer or a name server never answers."""

import os
import socket
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from threading import Lock, Thread, Timer
from time import monotonic
from typing import TypeVar

T = TypeVar("T")


class Deadline:
    """The deadline of one piece of work, and the connection that ends with it.

    One thread opens and uses the connection. Another thread may end the connection at any moment.
    """

    def __init__(self, *, ends_at: float) -> None:
        self._ends_at = ends_at
        self._lock = Lock()
        self._has_expired = False
        self._handle: socket.socket | None = None

    def shares(self, addresses: Sequence[str]) -> Iterator[tuple[str, float]]:
        """Yield each address with its share of the remaining time in seconds, until the time is over.

        Without shares, one address that drops packets would use up all of the time.
        """
        for tried, address in enumerate(addresses):
            remaining = self._ends_at - monotonic()
            if remaining <= 0:
                return
            yield address, remaining / (len(addresses) - tried)

    def attach(self, descriptor: int) -> bool:
        """Attach the connection with this file descriptor, so that `expire` can end it.

        Returns False when the deadline has already expired. The caller then closes the connection.
        """
        with self._lock:
            if not self._has_expired:
                # The owner of a connection may close or replace its descriptor. The duplicate still refers to the
                # connection.
                self._handle = socket.socket(fileno=os.dup(descriptor))
            return not self._has_expired

    @contextmanager
    def shortened(self, seconds: float) -> Iterator[None]:
        """End the attached connection when the block takes longer than `seconds`, or longer than to the deadline.

        The block must end a little before the deadline, or its result would be lost.
        """
        ending = Timer(min(seconds, (self._ends_at - monotonic()) / 2), self.expire)
        ending.daemon = True
        ending.start()
        try:
            yield
        finally:
            ending.cancel()

    def expire(self) -> None:
        """End the attached connection, which wakes a thread that waits for it. `attach` then refuses a connection."""
        with self._lock:
            self._has_expired = True
            if self._handle is not None:
                with suppress(OSError):  # the peer may have ended the connection already
                    self._handle.shutdown(socket.SHUT_RDWR)
                self._handle.close()


def run_within(seconds: float, work: Callable[[Deadline], T], *, name: str) -> T:
    """Run the work in a thread of this name, and return its result. At the end, the call ends the
    attached connection.

    Raises TimeoutError when the work takes longer than `seconds`, and every error of the work.
    """
    deadline = Deadline(ends_at=monotonic() + seconds)
    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(work(deadline))
        except Exception as error:  # noqa: BLE001 - the waiting thread raises the error again
            result.set_exception(error)

    # A separate thread is needed, because no socket timeout limits the total time. A name server can be slow, and a
    # peer can send one byte now and then. Only another thread can stop waiting at the deadline.
    Thread(target=run, name=name, daemon=True).start()
    try:
        return result.result(seconds)
    finally:
        deadline.expire()
