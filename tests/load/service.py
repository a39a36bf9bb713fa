"""The service under load: started as in production, called over HTTP, and measured through /proc."""

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from core.ratelimit import Limit
from tests.processes.running import ROOT, Running, children, is_alive

PASSWORD = "correct horse battery"
PATIENCE = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The status and the parsed body of an answer."""

    status: int
    body: Any


class Caller:
    """A client with one persistent connection."""

    def __init__(self, port: int) -> None:
        self._session = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)

    def call(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        token: str | None = None,
        user_agent: str = "Gatehouse load",
        idempotency_key: str | None = None,
    ) -> Answer:
        """Send the request and return its answer.

        Raise OSError or HTTPException when no answer arrives. The next call then reconnects.
        """
        headers = {
            "User-Agent": user_agent,
            **({"Authorization": f"Bearer {token}"} if token else {}),
            **({"Idempotency-Key": idempotency_key} if idempotency_key else {}),
        }
        try:
            self._session.request(method, path, None if body is None else json.dumps(body), headers)
            response = self._session.getresponse()
            return Answer(status=response.status, body=json.loads(response.read()))
        except BaseException:
            self._session.close()
            raise

    def disconnect(self) -> None:
        """Close the connection, which the service would close after a while. The next call opens another one."""
        self._session.close()

    def get_data(
        self, method: str, path: str, body: Mapping[str, str] | None = None, *, user_agent: str = "Gatehouse load"
    ) -> Any:
        """Return the payload of an answer, which must be a success."""
        answer = self.call(method, path, body, user_agent=user_agent)
        if answer.status not in {200, 201}:
            raise RuntimeError(f"{method} {path} was answered {answer.status}: {answer.body}")
        return answer.body["data"]


def environment(*, database_url: str, directory: Path) -> dict[str, str]:
    """Return the service's variables: those of production, with keys and mails below `directory`."""
    return {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": database_url,
        "SECRET_KEY": "only-for-benchmarks",
        "ENCRYPTION_KEY": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
        "SETTINGS_ENCRYPTION_KEY": "ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=",
        "SIGNING_KEYS_FILE": f"{directory}/signing-keys.json",
        "EMAIL_URL": f"file://{directory}/mails",
        # The drill of the mails counts only the mails that it requests.
        "EMAIL_VERIFICATION": "off",
        # The limits are so high that no request is refused, but every request is counted. Without `refresh`, the
        # database still searches for earlier rotations, but finds none. It finds none for any client that refreshes
        # every few minutes.
        "RATE_LIMITS": ",".join(f"{name}=999999999/m" for name in Limit if name is not Limit.REFRESH) + ",refresh=off",
    }


def create_database(name: str, *, url: str) -> str:
    """Create an empty database on the PostgreSQL server of `url`, and return the URL of the new database."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return urlsplit(url)._replace(path=f"/{name}").geturl()


class Process:
    """A running server and its descendants."""

    def __init__(self, *, pid: int, port: int) -> None:
        self.pid = pid
        self.port = port

    def pids(self) -> list[int]:
        """Return all running processes of the server."""
        return [self.pid, *_descendants(self.pid)]

    def cpu_seconds(self) -> float:
        """Return the CPU time of the server's processes."""
        return sum(processor_seconds(pid) for pid in self.pids())

    def memory_mebibytes(self) -> float:
        """Return the proportional set size of all processes of the server."""
        return sum(_pss_kibibytes(pid) for pid in self.pids()) / 1024


class Service(Process):
    """`manage.py serve` on a database, with its log in a file. The service stops at the end of the block.

    `root` is the checkout whose code runs, in the environment of that checkout.
    """

    def __init__(
        self, *, variables: Mapping[str, str], directory: Path, arguments: Sequence[str] = (), root: Path = ROOT
    ) -> None:
        started = time.monotonic()
        command = ("serve", "--port", "0", *arguments)
        self._running = Running(*command, variables=variables, directory=directory, root=root)
        try:
            super().__init__(pid=self._running.pid, port=self._running.await_ready())
        except BaseException:
            self._running.kill()
            raise
        self.start_seconds = time.monotonic() - started
        """The seconds from the command to the first answer, on an empty database."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            exit_code = self._running.stop()
        finally:
            self._running.kill()
        # An earlier exception in the block explains more.
        if exit_code != 0 and kind is None:
            raise RuntimeError(f"the service did not stop without errors:\n{self._running.err.read_text()[-2000:]}")

    def web_pids(self) -> list[int]:
        """Return the processes that answer requests."""
        # The first thread of the server starts these processes. Its other threads start and end.
        started = Path(f"/proc/{self._web_server}/task/{self._web_server}/children").read_text().split()
        return [pid for pid in map(int, started) if is_alive(pid)]

    @cached_property
    def _web_server(self) -> int:
        [server] = set(children(self.pid)) - set(self._running.worker_pids())
        return server

    def cpu_seconds(self) -> float:
        """Return the CPU time of the web processes, without the background worker."""
        worker = self._running.worker_pids()
        return sum(processor_seconds(pid) for pid in self.pids() if pid not in worker)

    def faults(self) -> list[str]:
        """Return the log lines at level error and above."""
        lines = (line for line in self._running.err.read_text().splitlines() if '"level":"' in line)
        return [line for line in lines if json.loads(line)["level"] in {"error", "critical"}]


def _descendants(pid: int) -> Iterator[int]:
    for child in children(pid):
        yield child
        yield from _descendants(child)


def processor_seconds(pid: int) -> float:
    """Return the CPU time of the process."""
    return processor_ticks(pid) / os.sysconf("SC_CLK_TCK")


def processor_ticks(pid: int) -> int:
    """Return the CPU time of the process, in ticks of the clock."""
    # The name in parentheses may contain blanks.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    user, system = 11, 12
    return int(fields[user]) + int(fields[system])


def _pss_kibibytes(pid: int) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
