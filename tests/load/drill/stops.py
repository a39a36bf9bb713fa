"""The service is stopped while clients call it.

A request is lost when the service began to process or to answer it and the answer did not arrive. A request is not
lost when the service closes the connection before it reads the request. The client may then send the request again
(RFC 9112, section 9.3.1).
"""

import signal
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, RemoteDisconnected
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

import orjson

from tests.load.service import PASSWORD, environment
from tests.processes.running import Running, until

from .stage import Outcome, Progress, fresh_database

CLIENTS = 8
LOAD_SECONDS = 0.5
STOP_SECONDS = 2
PATIENCE_SECONDS = 30
WORKERS = (1, 2, 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """The duration and the losses of one stop under load.

    `unread` connections were closed before their request was read.
    """

    seconds: float
    longest_request_seconds: float
    answered: int
    unread: int
    lost: list[str]

    @property
    def is_late(self) -> bool:
        """Return whether the stop took over 2 s longer than the longest request that was running."""
        return self.seconds > STOP_SECONDS + self.longest_request_seconds


class DevRun(Running):
    """The service under `./dev run`."""

    program = ("./dev", "run")


def stops(kind: str, *, stops: int, directory: Path) -> Outcome:
    """Stop the service that many times for each way to start it, on SQLite or PostgreSQL."""
    progress = Progress(f"stops {kind}")
    ways: list[tuple[str, type[Running], tuple[str, ...]]] = [
        *((f"serve, {number} workers", Running, ("serve", "--workers", str(number))) for number in WORKERS),
        ("./dev run", DevRun, ()),
    ]
    made: list[Stop] = []
    lost: list[str] = []
    with fresh_database(kind, directory=directory) as url:
        # `./dev run` does not offer port 0, and derives BASE_URL from the port when BASE_URL is unset.
        variables = {**environment(database_url=url, directory=directory), "BASE_URL": "http://localhost"}
        for name, program, arguments in ways:
            for number in range(stops):
                send = Running.signal_group if number % 2 else Running.signal
                running = program(*arguments, "--port", "0", variables=variables, directory=directory)
                try:
                    stop = stop_under_load(running, send=send, load_seconds=LOAD_SECONDS)
                finally:
                    running.kill()
                made.append(stop)
                where = f"{name}, stop {number + 1} ({send.__name__})"
                lost += [f"{where}: {sentence}" for sentence in stop.lost]
                if stop.is_late:
                    lost.append(f"{where}: {stop.seconds:.1f} s, longest request {stop.longest_request_seconds:.1f} s")
                progress.report(f"{where} of {stops}: {stop.seconds:.2f} s; {len(lost)} losses")
    seconds = [stop.seconds for stop in made]
    return Outcome(
        drill=f"stops {kind}",
        done=f"{stops} stops each with 1, 2 and 4 workers and from ./dev run, under {CLIENTS} clients",
        lost=lost,
        figures=(
            f"{sum(stop.answered for stop in made):,} requests answered; a stop took {median(seconds):.2f} s, at most "
            f"{max(seconds):.2f} s; {sum(stop.unread for stop in made)} connections closed with their request unread"
        ),
    )


def stop_under_load(
    running: Running, *, send: Callable[[Running, signal.Signals], None], load_seconds: float, clients: int = CLIENTS
) -> Stop:
    """Send SIGTERM to the service while clients call it. Return the duration and the losses."""
    port = running.await_ready()
    callers = [_Client(port, number=number, keeps_connection=number % 2 == 0) for number in range(clients)]
    with _at_work(callers):
        time.sleep(load_seconds)
        sent_at = time.monotonic()
        send(running, signal.SIGTERM)
        seconds = running.await_end()
    done = {line["request_id"]: line["status"] for line in running.logged("request")}
    broken = {request: how for caller in callers for request, how in caller.broken.items()}
    lost = [f"{request} was answered {done[request]}, but {how}" for request, how in broken.items() if request in done]
    lost += [f"{request}: {how}" for request, how in broken.items() if request not in done and how != UNREAD]
    lost += [f"failed: {line}" for line in running.err.read_text().splitlines() if '"level":"error"' in line]
    return Stop(
        seconds=seconds,
        longest_request_seconds=max(caller.longest_after(sent_at) for caller in callers),
        answered=sum(caller.answered for caller in callers),
        unread=sum(how == UNREAD for how in broken.values()),
        lost=lost,
    )


UNREAD = "the connection was closed before any answer"


@dataclass(slots=True)
class _Client:
    """A client that refreshes, verifies and lists until the service has stopped."""

    port: int
    number: int
    keeps_connection: bool
    answered: int = 0
    broken: dict[str, str] = field(default_factory=dict)
    _spans: list[tuple[float, float]] = field(default_factory=list)
    _session: HTTPConnection | None = None
    _ids: Iterator[int] = field(default_factory=count)
    _tokens: Any = None

    def longest_after(self, moment: float) -> float:
        """Return the seconds of the longest request that was running at that time."""
        return max((ended - begun for begun, ended in self._spans if begun <= moment <= ended), default=0.0)

    def log_in(self) -> None:
        """Start a session of a new account."""
        credentials = {"email": f"{self.number}-{time.monotonic_ns()}@example.com", "password": PASSWORD}
        self._call("POST", "/v1/signup", credentials)
        self._tokens = self._call("POST", "/v1/login", credentials)

    def live(self) -> None:
        """Call one route after the other until a connection is refused or a request has no answer."""
        try:
            self._use_session()
        finally:
            if self._session is not None:
                self._session.close()

    def _use_session(self) -> None:
        while tokens := self._call("POST", "/v1/refresh", {"refresh_token": self._tokens["refresh_token"]}):
            self._tokens = tokens
            for path in ("/v1/verify", "/v1/sessions"):
                if self._call("GET", path, token=tokens["access_token"]) is None:
                    return

    def _call(self, method: str, path: str, body: Mapping[str, str] | None = None, *, token: str = "") -> Any:
        """Return the payload of the answer. Return None without an answer, which ends this client."""
        if self._session is None:
            session = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
            try:
                session.connect()
            except OSError:
                session.close()
                return None
            self._session = session
        request = f"{self.number}-{next(self._ids)}"
        headers = {"X-Request-ID": request, "Authorization": f"Bearer {token}"}
        begun = time.monotonic()
        try:
            self._session.request(method, path, None if body is None else orjson.dumps(body), headers)
            response = self._session.getresponse()
        except (RemoteDisconnected, ConnectionError):
            self.broken[request] = UNREAD
            return None
        except (OSError, HTTPException) as error:
            self.broken[request] = f"no answer arrived: {error!r}"
            return None
        finally:
            self._spans.append((begun, time.monotonic()))
        try:
            answer = orjson.loads(response.read())
        except (OSError, HTTPException, ValueError) as error:
            self.broken[request] = f"its answer broke off: {error!r}"
            return None
        if response.status not in {200, 201}:
            self.broken[request] = f"it was answered {response.status}: {answer}"
            return None
        self.answered += 1
        if response.will_close or not self.keeps_connection:
            self._session.close()
            self._session = None
        return answer["data"]


@contextmanager
def _at_work(clients: list[_Client]) -> Iterator[None]:
    """Run each client on a thread during the block and until the service has stopped."""
    # The clients log in one after the other, because concurrent hashes wait for each other.
    for client in clients:
        client.log_in()
    with ThreadPoolExecutor(len(clients)) as pool:
        lives = [pool.submit(client.live) for client in clients]
        yield
        until(lambda: all(life.done() for life in lives), what="the end of all clients")
    for life in lives:
        life.result()
