"""`./dev bench --import`: the speed of an import of users beside a service that answers, and its memory."""

import os
import secrets
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import quantiles
from subprocess import DEVNULL, Popen
from uuid import UUID

import orjson

from tests.processes.running import ROOT

from . import report
from .service import PASSWORD, Caller, Service

ROWS = {"sqlite": 100_000, "postgresql": 1_000_000}
MINUTES_MAX = {"sqlite": 2, "postgresql": 5}
"""The longest times for ROWS."""

_HASH = f"$argon2id$v=19$m=19456,t=2,p=1${'A' * 21}A${'A' * 42}A"
_PERSON = {"email": "present@example.com", "password": PASSWORD}
_PROBE_SECONDS = 0.1


def measure_import(*, database: str, rows: int | None, variables: Mapping[str, str], directory: Path) -> str:
    """Return the table of one import. A client logs in at the service from before its start until its end."""
    count = rows or ROWS[database]
    path = _write_rows(directory / "users.ndjson", count)
    with Service(variables=variables, directory=directory, arguments=("--workers", "1")) as service:
        caller = Caller(service.port)
        caller.get_data("POST", "/v1/signup", _PERSON)
        quiet = _Probe(caller).take(seconds=5)
        probe = _Probe(caller)
        with probe.running():
            seconds, memory = _import(path, variables=variables)
    allowed = MINUTES_MAX[database] * 60 * count / ROWS[database]
    verdict = "holds" if seconds <= allowed else "does not hold"
    table = report.table(
        ("users", "time", "users/s", "memory", "logins meanwhile p50, p99", "without the import p50, p99", "others"),
        [
            (
                f"{count:,}",
                f"{seconds:.0f} s",
                f"{count / seconds:,.0f}",
                f"{memory // 1024} MiB",
                probe.figures(),
                quiet.figures(),
                str(probe.others or "none"),
            )
        ],
    )
    return (
        f"{table}\n\nEach user has an id, an Argon2id hash and metadata. The time includes the start of the command and both "
        f"readings of the file. Limit: {allowed:.0f} s ({verdict}). One client logs in ten times a second meanwhile."
    )


class _Probe:
    """Logins, one after the other, and their times in milliseconds."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._stop = threading.Event()
        self._times: list[float] = []
        self.others = 0

    def take(self, *, seconds: float) -> "_Probe":
        """Log in for this time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._log_in()
        return self

    def running(self) -> "_Running":
        """Return a block during which another thread logs in."""
        return _Running(self)

    def figures(self) -> str:
        """Return the median and the 99th percentile."""
        found = quantiles(self._times, n=100)
        return f"{found[49]:.0f}, {found[98]:.0f} ms"

    def run(self) -> None:
        """Log in until `stop` is called."""
        while not self._stop.is_set():
            self._log_in()

    def stop(self) -> None:
        """End `run`."""
        self._stop.set()

    def _log_in(self) -> None:
        began = time.perf_counter()
        answer = self._caller.call("POST", "/v1/login", _PERSON)
        self._times.append((time.perf_counter() - began) * 1000)
        self.others += answer.status != 200
        time.sleep(_PROBE_SECONDS)


class _Running:
    def __init__(self, probe: _Probe) -> None:
        self._probe = probe
        self._thread = threading.Thread(target=probe.run)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._probe.stop()
        self._thread.join()


def _import(path: Path, *, variables: Mapping[str, str]) -> tuple[float, int]:
    """Return the seconds of the import, and its largest memory in KiB."""
    began = time.monotonic()
    command = (sys.executable, "manage.py", "users", "import", str(path))
    process = Popen(command, cwd=ROOT, env={**os.environ, **variables}, stdout=DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"the import exited with the code {process.returncode}")
    return time.monotonic() - began, usage.ru_maxrss


def _write_rows(path: Path, count: int) -> Path:
    with path.open("wb") as file:
        for number in range(count):
            row = {
                "id": str(UUID(bytes=secrets.token_bytes(16), version=4)),
                "email": f"user{number}@example.com",
                "email_verified": True,
                "password_hash": _HASH,
                "metadata": {"plan": "gold"} if number % 5 == 0 else {},
                "created_at": "2024-02-29T12:30:00Z",
            }
            file.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
    return path
