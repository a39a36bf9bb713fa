"""Commands of the standalone project, run as real processes on their own port and database."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from django.utils.datastructures import CaseInsensitiveMapping

from tests.answer import Answer
from tests.patience import is_soon, patient

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 30


def until(condition: Callable[[], Any], *, what: str) -> Any:
    """Return the first true result of the condition. Raise AssertionError when no result is true in time."""
    started = time.monotonic()
    while is_soon(time.monotonic() - started, limit=PATIENCE):
        if answer := condition():
            return answer
        time.sleep(0.02)
    raise AssertionError(f"still waiting for {what} after {time.monotonic() - started:.0f} s")


class Running:
    """A running `manage.py` command and its output so far. `root` is the checkout whose code and environment it uses."""

    program: Sequence[str] = (sys.executable, "manage.py")

    def __init__(self, *arguments: str, variables: Mapping[str, str], directory: Path, root: Path = ROOT) -> None:
        program = self.program if root == ROOT else (str(root / ".venv" / "bin" / "python"), "manage.py")
        self.out = directory / f"{time.monotonic_ns()}.out"
        self.err = self.out.with_suffix(".err")
        # The environment contains none of our variables, except those that coverage needs.
        inherited = {name: value for name, value in os.environ.items() if name.startswith("COV") or name == "PATH"}
        with self.out.open("wb") as out, self.err.open("wb") as err:
            self.process = subprocess.Popen(
                [*program, *arguments],
                cwd=root,
                process_group=0,
                env={**inherited, **variables},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
            )

    @property
    def pid(self) -> int:
        """The id of the started process, which is the parent of all others."""
        return self.process.pid

    def signal_group(self, number: signal.Signals) -> None:
        """Send the signal to every process of the command at once, as a terminal and systemd do."""
        os.killpg(self.pid, number)

    def signal(self, number: signal.Signals) -> None:
        """Send the signal to the parent alone."""
        self.process.send_signal(number)

    def exit_code(self) -> int:
        """Return the exit code once the command has ended."""
        try:
            return self.process.wait(patient(PATIENCE))
        except subprocess.TimeoutExpired as late:
            raise AssertionError(f"still running after {late.timeout:.0f} s: {self.err.read_text()}") from None

    def stop(self) -> int:
        """Stop the command with SIGTERM. Return the exit code."""
        self.signal(signal.SIGTERM)
        return self.exit_code()

    def kill(self) -> None:
        """Kill the command if it still runs."""
        self.process.kill()
        self.process.wait()

    def await_ready(self) -> int:
        """Return the port once the server has announced itself."""
        announced = until(self._is_announced, what="an announcement")
        assert announced is not True, self.err.read_text()
        return int(announced[1])

    def _is_announced(self) -> re.Match[str] | bool | None:
        return re.search(r"port (\d+)\.\n.*\n.*\n", self.out.read_text()) or self.process.poll() is not None

    def await_end(self) -> float:
        """Return the seconds until the command has ended."""
        started = time.monotonic()
        self.exit_code()
        return time.monotonic() - started

    def logged(self, event: str) -> list[dict[str, Any]]:
        """Return the log lines of that event so far."""
        lines = [json.loads(line) for line in self.err.read_text().splitlines() if line.startswith("{")]
        return [line for line in lines if line["event"] == event]

    def worker_pids(self) -> list[int]:
        """Return the process ids of the background workers that were started so far."""
        return [line["pid"] for line in self.logged("background worker started")]


def get(port: int, path: str) -> int:
    """GET the path on loopback; return the status."""
    return call(port, "GET", path).status


def call(
    port: int,
    method: str,
    path: str,
    body: Any = None,
    *,
    token: str | None = None,
    origin: str | None = None,
    source: str = "",
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """Send a request on a new connection. The connection may reach any of the web processes.

    `source` is the loopback address of the caller.
    """
    headers = {**(headers or {}), **({"Content-Type": "application/json"} if body is not None else {})}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    if origin is not None:
        headers["Origin"] = origin
    session = HTTPConnection(
        "localhost", port, timeout=patient(PATIENCE), source_address=(source, 0) if source else None
    )
    try:
        session.request(method, path, None if body is None else json.dumps(body), headers)
        response = session.getresponse()
        answered = response.read()
    finally:
        session.close()
    response_headers = CaseInsensitiveMapping(response.headers.items())
    return Answer(status=response.status, body=json.loads(answered) if answered else None, headers=response_headers)


def children(pid: int) -> list[int]:
    """Return the running child processes of this process."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(word) for word in (task / "children").read_text().split()]
    return [child for child in found if is_alive(child)]


def is_alive(pid: int) -> bool:
    """Return whether the process exists and is not a zombie."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] != "Z"
