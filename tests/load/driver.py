"""Clients that send the next request after each answer. wrk is used where it is installed, else a small Python client."""

import os
import re
import select
import shutil
import socket
import subprocess
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import cycle
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, Self

SCRIPT = Path(__file__).with_name("wrk.lua")
PROCESSES = os.cpu_count() or 1
STARTUP_SECONDS = 0.2
SILENCE_SECONDS = 30
OVERLOADED = 503
GOOD = frozenset({200, 204, 303})
"""The statuses of a success. 303 follows a form."""
OPENED = "{opened}"
"""The place in a request for the id that the opening request returned."""

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_CHUNKS = re.compile(rb"\r\ntransfer-encoding: *chunked", re.IGNORECASE)
_LAST_CHUNK = b"0\r\n\r\n"
_OPENED = re.compile(rb'"id": ?"([^"]+)"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """The requests of a load: `before`, a value, and `after`. All values have one length.

    The connections take the `values` in turn. With `next_value`, each connection starts with its own value. Its next
    value is the string that the answer has under that name.

    With `opening`, a connection first sends this whole request. The `id` of its answer replaces OPENED in `before`. Both
    requests count as one. Only the driver in Python knows such a load.

    `port` is the port of the requests, if it is not that of the measured server.
    """

    before: str
    after: str
    values: Sequence[str]
    connections: int
    next_value: str | None = None
    opening: str | None = None
    port: int | None = None

    @classmethod
    def get(
        cls, path: str, *, tokens: Sequence[str], connections: int, credential: str = "Authorization: Bearer "
    ) -> "Load":
        """GET the path with a token. `credential` is the header up to the token."""
        before = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: Gatehouse load\r\n{credential}"
        return cls(before=before, after="\r\n\r\n", values=tokens, connections=connections)

    @classmethod
    def post(
        cls,
        path: str,
        *,
        body: tuple[str, str],
        values: Sequence[str],
        connections: int,
        next_value: str | None = None,
        media_type: str = "application/json",
        headers: str = "",
    ) -> "Load":
        """POST a body that consists of the two parts and a value between them.

        Each line of `headers` ends with CRLF.
        """
        before, after = body
        length = len(before + values[0] + after)
        head = (
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: Gatehouse load\r\n{headers}"
            f"Content-Type: {media_type}\r\nContent-Length: {length}\r\n\r\n"
        )
        return cls(before=head + before, after=after, values=values, connections=connections, next_value=next_value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Driven:
    """The number of answers by status, the seconds of the run, and two percentiles of the response times."""

    answers: Counter[int]
    seconds: float
    p50: float
    """In milliseconds, like `p99`."""
    p99: float

    @property
    def successes(self) -> int:
        """The number of answers. Raise RuntimeError unless every answer is a success."""
        if self.failures or not self.answers:
            raise RuntimeError(f"not all were answered with a success: {dict(self.answers)}")
        return self.answers.total()

    @property
    def failures(self) -> int:
        """The number of answers that are no success, with the missing ones."""
        return sum(count for status, count in self.answers.items() if status not in GOOD)


class Driver(Protocol):
    """Apply a load for a number of seconds."""

    name: str

    def drive(self, load: Load, *, port: int, seconds: float) -> Driven:
        """Call the port on 127.0.0.1 and return the answers."""


class Wrk:
    """wrk, which uses little CPU time."""

    name = "wrk"

    def drive(self, load: Load, *, port: int, seconds: float) -> Driven:
        """Run wrk. A status above 399 counts as 400, and a missing answer as 0. Raise ValueError for an opening."""
        if load.opening:
            raise ValueError("wrk sends no opening")
        # Each connection needs its own thread, because wrk keeps state per thread.
        threads = load.connections if load.next_value else min(PROCESSES, load.connections)
        with TemporaryDirectory() as name:
            files = [Path(name) / part for part in ("before", "after", "values")]
            for file, text in zip(files, (load.before, load.after, "\n".join(load.values)), strict=True):
                file.write_bytes(text.encode())
            options = ["-t", str(threads), "-c", str(load.connections), "-d", f"{max(1, round(seconds))}s"]
            options += ["--timeout", f"{SILENCE_SECONDS}s"]
            arguments = [*map(str, files), str(threads), *([load.next_value] if load.next_value else [])]
            done = subprocess.run(
                ["wrk", *options, "-s", str(SCRIPT), f"http://127.0.0.1:{port}/", "--", *arguments],
                capture_output=True,
                text=True,
                check=False,
            )
        found = re.search(r"^RESULT (\d+) (\d+) (\d+) ([\d.]+) (\d+) (\d+)$", done.stdout, flags=re.MULTILINE)
        if done.returncode != 0 or found is None:
            raise RuntimeError(f"wrk failed:\n{done.stdout}{done.stderr}")
        total, refused, unanswered = (int(number) for number in found.groups()[:3])
        return Driven(
            answers=+Counter({200: total - refused, 400: refused, 0: unanswered}),
            seconds=float(found[4]),
            p50=int(found[5]) / 1000,
            p99=int(found[6]) / 1000,
        )


class PythonDriver:
    """One process per processor, each with its share of the connections."""

    name = "Python"

    def __init__(self) -> None:
        # The processes are not forked, because the caller may run threads.
        self._pool = ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()

    def drive(self, load: Load, *, port: int, seconds: float, pause: float = 0) -> Driven:
        """Run the processes. A client waits for `pause` seconds after a 503."""
        shares = [range(number, load.connections, PROCESSES) for number in range(PROCESSES)]
        # The first use starts the processes.
        list(self._pool.map(time.sleep, [STARTUP_SECONDS] * PROCESSES))
        start_at = time.monotonic() + STARTUP_SECONDS
        parts = [
            self._pool.submit(_drive_share, load, share, port=port, start_at=start_at, seconds=seconds, pause=pause)
            for share in shares
            if share
        ]
        results = [part.result() for part in parts]
        durations = sorted(duration for result in results for duration in result.durations)
        return Driven(
            answers=sum((result.answers for result in results), Counter[int]()),
            seconds=max(result.seconds for result in results),
            p50=_percentile(durations, 50) * 1000,
            p99=_percentile(durations, 99) * 1000,
        )


def driver_of_this_machine() -> Driver:
    """Return the best available driver."""
    return Wrk() if shutil.which("wrk") else PythonDriver()


def _percentile(ordered: Sequence[float], percent: int) -> float:
    return ordered[len(ordered) * percent // 100] if ordered else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Share:
    """The answers of one process's clients by status, the seconds of its run, and the seconds of each answer."""

    answers: Counter[int]
    seconds: float
    durations: Sequence[float]


class _Connection:
    """A client with the value of its next request."""

    def __init__(self, load: Load, *, port: int, values: Iterator[str]) -> None:
        self._before, self._after = load.before.encode(), load.after.encode()
        self._values = values
        self._next_value = load.next_value and re.compile(rf'"{load.next_value}": ?"([^"]+)"'.encode())
        self._value = next(values)
        self._opening = load.opening.encode() if load.opening else None
        self._opened: bytes | None = None
        self._received = b""
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=SILENCE_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self) -> None:
        if self._opening and self._opened is None:
            self.socket.sendall(self._opening)
            return
        before = self._before.replace(OPENED.encode(), self._opened) if self._opened else self._before
        self.socket.sendall(before + self._value.encode() + self._after)

    def receive(self) -> int | None:
        """Read the available bytes. Return the status of a complete answer and prepare the next value.

        The answer to an opening sends the request that follows it.
        """
        some = self.socket.recv(65_536)
        if not some:
            raise ConnectionError("the server hung up")
        self._received += some
        head, separator, body = self._received.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        is_whole = len(body) >= int(length[1]) if length else body.endswith(_LAST_CHUNK) or not _CHUNKS.search(head)
        if not separator or not is_whole:
            return None
        self._received = b""
        status = int(head[9:12])
        if self._opening and self._opened is None:
            if (opened := _OPENED.search(body)) is None:
                return status if status not in GOOD else 0
            self._opened = opened[1]
            self.send()
            return None
        self._opened = None
        if self._next_value:
            found = self._next_value.search(body)
            self._value = found[1].decode() if found else self._value
        else:
            self._value = next(self._values)
        return status


class _Crowd:
    """The clients of one process. Each client sends its next request after its answer or after a pause."""

    def __init__(self, clients: Sequence[_Connection], *, pause: float) -> None:
        self._clients = {client.socket.fileno(): client for client in clients}
        self._pause = pause
        self._poll = select.epoll()
        for descriptor in self._clients:
            self._poll.register(descriptor, select.EPOLLIN)
        self._asking = 0
        self._resting = deque[tuple[float, _Connection]]()
        self._answers = Counter[int]()
        self._asked_at: dict[_Connection, float] = {}
        self._durations: list[float] = []

    def run(self, *, seconds: float) -> _Share:
        """Run the clients. Requests that were sent in time are awaited and counted."""
        started = now = time.monotonic()
        for client in self._clients.values():
            self._ask(client)
        while self._asking or self._resting:
            events = self._poll.poll(self._resting[0][0] - now if self._resting else SILENCE_SECONDS)
            if not events and not self._resting:
                raise TimeoutError(f"no answer within {SILENCE_SECONDS} s")
            now = time.monotonic()
            is_over = now - started >= seconds
            for descriptor, _ in events:
                self._take(self._clients[descriptor], now=now, is_over=is_over)
            if is_over:
                self._resting.clear()
            while self._resting and self._resting[0][0] <= now:
                self._ask(self._resting.popleft()[1])
        for client in self._clients.values():
            client.socket.close()
        return _Share(answers=self._answers, seconds=now - started, durations=self._durations)

    def _ask(self, client: _Connection) -> None:
        self._asked_at[client] = time.monotonic()
        client.send()
        self._asking += 1

    def _take(self, client: _Connection, *, now: float, is_over: bool) -> None:
        status = client.receive()
        if status is None:
            return
        self._answers[status] += 1
        self._durations.append(now - self._asked_at[client])
        self._asking -= 1
        if self._pause and status == OVERLOADED:
            self._resting.append((now + self._pause, client))
        elif not is_over:
            self._ask(client)


def _drive_share(
    load: Load, share: Sequence[int], *, port: int, start_at: float, seconds: float, pause: float
) -> _Share:
    """Run one process's share of the clients."""
    walked = cycle(load.values[share[0] :: PROCESSES] or load.values)
    clients = [
        _Connection(load, port=port, values=iter([load.values[number]]) if load.next_value else walked)
        for number in share
    ]
    crowd = _Crowd(clients, pause=pause)
    time.sleep(max(0, start_at - time.monotonic()))
    return crowd.run(seconds=seconds)
