"""Three instances behind HAProxy are restarted one after the other while clients call them.

First each instance is stopped by SIGTERM, and no request may fail. Then each instance is killed. Only requests that were
in flight may fail, and HAProxy may repeat no POST. A repeated refresh would end its session as reused.
"""

import json
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from statistics import median
from threading import Event
from typing import Any

from tests.load.service import PASSWORD, environment
from tests.processes.running import PATIENCE, Running, children, get, is_alive, until
from tools.local_postgres import free_ports

from .stage import Outcome, Progress, fresh_database

INSTANCES = 3
CLIENTS = 6
DRAIN_SECONDS = 3
"""Above the check interval of HAProxy (0.5 s) times its falls (2), and the timeout of a check."""

CALM_SECONDS = 2
SETTLE_SECONDS = 1.5
"""After this time HAProxy sends requests to a restarted instance: 0.5 s times two successful checks, and a margin."""

_PROXY = """
global
    maxconn 500
defaults
    mode http
    timeout connect 1s
    timeout client 30s
    timeout server 30s
    timeout check 2s
    # Without `retry-on`, HAProxy repeats a request only if the connection to the instance was refused.
    retries 3
    option redispatch 1
frontend service
    bind 127.0.0.1:{port}
    default_backend instances
backend instances
    balance roundrobin
    option httpchk
    http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost
    http-check expect status 200
    default-server check inter 500ms fall 2 rise 2
{servers}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A request that failed, with the times at which it began and ended on the monotonic clock."""

    request: str
    path: str
    how: str
    began_at: float
    ended_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Kill:
    """The times on the monotonic clock at which the signal was sent, and at which the last process had ended.

    A process can still accept a request between the two. Such a request is in flight too.
    """

    sent_at: float
    done_at: float


@dataclass(slots=True)
class _Client:
    """A client that refreshes, verifies and lists through the proxy. After a failure it signs in again."""

    port: int
    number: int
    over: Event
    answered: int = 0
    posts: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    _ids: Iterator[int] = field(default_factory=count)
    _session: HTTPConnection | None = None

    def live(self) -> None:
        """Call one route after the other until the drill is over."""
        credentials = {"email": f"{self.number}-{time.monotonic_ns()}@example.com", "password": PASSWORD}
        self._call("POST", "/v1/signup", credentials)
        tokens: Any = None
        while not self.over.is_set():
            if tokens is None:
                tokens = self._call("POST", "/v1/login", credentials)
            else:
                tokens = self._call("POST", "/v1/refresh", {"refresh_token": tokens["refresh_token"]})
            for path in ("/v1/verify", "/v1/sessions"):
                if tokens is not None:
                    self._call("GET", path, token=tokens["access_token"])
        if self._session is not None:
            self._session.close()

    def _call(self, method: str, path: str, body: Mapping[str, str] | None = None, *, token: str = "") -> Any:
        """Return the payload of the answer, or None after a failure."""
        request = f"{self.number}-{next(self._ids)}"
        if method == "POST":
            self.posts.append(request)
        headers = {"X-Request-ID": request, "Authorization": f"Bearer {token}"}
        began_at = time.monotonic()
        try:
            self._session = self._session or HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            self._session.request(method, path, None if body is None else json.dumps(body), headers)
            response = self._session.getresponse()
            answer = response.read()
            if response.status in {200, 201}:
                self.answered += 1
                return json.loads(answer)["data"]
            how = f"it was answered {response.status}: {answer[:200]!r}"
        except (OSError, HTTPException) as error:
            how = f"no answer arrived: {error!r}"
        if self._session is not None:
            self._session.close()
            self._session = None
        self.failures.append(Failure(request=request, path=path, how=how, began_at=began_at, ended_at=time.monotonic()))
        return None


def rolling(*, rounds: int, directory: Path) -> Outcome:
    """Restart each of the instances that many times by SIGTERM, and then as often by kill -9."""
    if shutil.which("haproxy") is None:
        raise RuntimeError("haproxy is missing; Debian has it in the package haproxy")
    progress = Progress("rolling")
    with ExitStack() as stack:
        url = stack.enter_context(fresh_database("postgresql", directory=directory))
        variables = {**environment(database_url=url, directory=directory), "DRAIN_SECONDS": str(DRAIN_SECONDS)}
        proxy_port, *ports = free_ports(1 + INSTANCES)
        fleet = _Fleet(ports=ports, variables=variables, directory=directory)
        stack.callback(fleet.kill)
        fleet.start_all()
        stack.enter_context(_proxy(proxy_port, ports=ports, directory=directory))
        over = Event()
        clients = [_Client(proxy_port, number=number, over=over) for number in range(CLIENTS)]
        pool = stack.enter_context(ThreadPoolExecutor(CLIENTS))
        stack.callback(over.set)
        lives = [pool.submit(client.live) for client in clients]

        def failures() -> list[Failure]:
            return [failure for client in clients for failure in client.failures]

        time.sleep(CALM_SECONDS)
        stops = []
        for number in range(rounds * INSTANCES):
            stops.append(fleet.restart(number % INSTANCES))
            progress.report(f"{number + 1} stops, {len(failures())} failures")
        stopped = failures()
        kills = []
        for number in range(rounds * INSTANCES):
            kills.append(fleet.kill_and_restart(number % INSTANCES))
            progress.report(f"{number + 1} kills, {len(failures()) - len(stopped)} failures")
        over.set()
        for life in lives:
            life.result()
        killed = [one for one in failures() if one not in stopped]
        handled = fleet.handled()
    posts = {request for client in clients for request in client.posts}
    lost = [f"during the stops, {one.request} {one.path}: {one.how}" for one in stopped]
    lost += [
        f"{one.request} {one.path} was not in flight at a kill ({_offset(one, kills)}): {one.how}"
        for one in killed
        if not any(one.began_at <= kill.done_at and kill.sent_at <= one.ended_at for kill in kills)
    ]
    lost += [f"{one.request} {one.path} was repeated: {one.how}" for one in killed if "token_reused" in one.how]
    lost += [
        f"the POST {request} reached {times} instances"
        for request, times in handled.items()
        if times > 1 and request in posts
    ]
    return Outcome(
        drill="rolling",
        done=f"{rounds * INSTANCES} stops and {rounds * INSTANCES} kills of {INSTANCES} instances behind HAProxy, {CLIENTS} clients",
        lost=lost,
        figures=(
            f"{sum(client.answered for client in clients):,} requests answered, {len(posts):,} of them POSTs; a stop took "
            f"{median(stops):.1f} s with a drain of {DRAIN_SECONDS} s and broke {len(stopped)} requests; the kills broke {len(killed)}"
        ),
    )


class _Fleet:
    """The instances of the service, each at its own port."""

    def __init__(self, *, ports: list[int], variables: Mapping[str, str], directory: Path) -> None:
        self._ports = ports
        self._variables = variables
        self._directory = directory
        self._running: list[Running] = []
        self._ended: list[Running] = []

    def start_all(self) -> None:
        self._running = [self._start(port) for port in self._ports]
        for running in self._running:
            running.await_ready()

    def restart(self, index: int) -> float:
        """Stop the instance by SIGTERM and start it again. Return the seconds of the stop."""
        began_at = time.monotonic()
        if self._running[index].stop() != 0:
            raise RuntimeError("the instance did not stop without errors")
        seconds = time.monotonic() - began_at
        self._replace(index)
        return seconds

    def kill_and_restart(self, index: int) -> Kill:
        """Kill all processes of the instance and start it again."""
        parent = self._running[index].pid
        family = [parent, *(pid for child in children(parent) for pid in (child, *children(child)))]
        sent_at = time.monotonic()
        self._running[index].signal_group(signal.SIGKILL)
        self._running[index].exit_code()
        until(lambda: all(map(_has_ended, family)), what="the end of all processes")
        done_at = time.monotonic()
        time.sleep(CALM_SECONDS)
        self._replace(index)
        return Kill(sent_at=sent_at, done_at=done_at)

    def handled(self) -> Counter[str]:
        """Return the number of log lines of each request, of all instances that ever ran."""
        return Counter(line["request_id"] for one in (*self._ended, *self._running) for line in one.logged("request"))

    def kill(self) -> None:
        for running in self._running:
            running.kill()

    def _replace(self, index: int) -> None:
        self._ended.append(self._running[index])
        self._running[index] = self._start(self._ports[index])
        self._running[index].await_ready()
        time.sleep(SETTLE_SECONDS)

    def _start(self, port: int) -> Running:
        arguments = ("serve", "--port", str(port), "--workers", "1", "--no-worker")
        return Running(*arguments, variables=self._variables, directory=self._directory)


def _offset(failure: Failure, kills: Sequence[Kill]) -> str:
    """Return when the request began, relative to the kill before it."""
    before = [kill for kill in kills if kill.sent_at <= failure.began_at]
    if not before:
        return "before all kills"
    return f"{failure.began_at - before[-1].done_at:.3f} s after kill {len(before)} was done"


def _has_ended(pid: int) -> bool:
    """Return whether the process has closed its connections. The other threads can outlive the first one."""
    try:
        threads = len(list(Path(f"/proc/{pid}/task").iterdir()))
    except FileNotFoundError:
        return True
    return threads <= 1 and not is_alive(pid)


@contextmanager
def _proxy(port: int, *, ports: list[int], directory: Path) -> Iterator[None]:
    """Run HAProxy in front of the instances during the block."""
    servers = "\n".join(f"    server instance{number} 127.0.0.1:{one}" for number, one in enumerate(ports))
    configuration = directory / "haproxy.cfg"
    configuration.write_text(_PROXY.format(port=port, servers=servers))
    proxy = subprocess.Popen(["haproxy", "-q", "-db", "-f", configuration], stdin=subprocess.DEVNULL)
    try:
        until(lambda: _is_ready(port), what="the proxy")
        time.sleep(SETTLE_SECONDS)
        yield
    finally:
        proxy.kill()
        proxy.wait()


def _is_ready(port: int) -> bool:
    try:
        return get(port, "/readyz") == 200
    except (OSError, HTTPException):
        return False
