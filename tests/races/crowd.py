"""Concurrent callers."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self

from django.db import connection

ROUNDS = int(os.environ.get("RACE_ROUNDS", "1" if "ONLY_PLACED_TESTS" in os.environ else "2"))
"""The number of rounds of a race of many callers. A run of named paths and `--all` have two.

`./dev test --rounds` changes it.
"""

ROUNDS_OF_FEW = 6 * ROUNDS
"""The number of rounds of a race of few callers, which hits the critical moment in fewer of its rounds."""

ROUNDS_OF_RARE = 12 * ROUNDS
"""The number of rounds of a race that hits the critical moment once in some ten rounds."""


class Crowd:
    """Threads that start together in each round, each on its own database connection.

    As in a server, each thread keeps its connection from round to round. The connections are closed at the end.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._line = threading.Barrier(size)
        self._threads = ThreadPoolExecutor(size)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.at_once(*[disconnect] * self.size)
        self._threads.shutdown()

    def at_once(self, *calls: Callable[[], Any]) -> list[Any]:
        """Run each call on its own thread and start all calls together.

        Return the results, or raise the first error.
        """
        assert len(calls) == self.size, "Each thread waits for all the others."
        running = [self._threads.submit(self._start, call) for call in calls]
        return [future.result() for future in running]

    def _start(self, call: Callable[[], Any]) -> Any:
        self._line.wait()
        return call()


def disconnect() -> None:
    """Close the connection of this thread."""
    connection.close()
