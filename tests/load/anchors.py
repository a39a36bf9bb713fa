"""The capacity of the machine without the service. The benchmarks compare the paths with these figures."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPException

from accounts.passwords import hashing
from tests.processes.running import ROOT, until
from tools.local_postgres import free_port

from . import rotation_replay
from .driver import Driver, Load
from .service import PASSWORD, Caller, Process

CORES = os.cpu_count() or 1


@contextmanager
def bare_server() -> Iterator[Process]:
    """Run an empty application on the service's server program, with as many processes and threads."""
    port = free_port()
    command = [sys.executable, "-m", "tests.load.bare", str(port), str(CORES)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL) as process:
        try:
            until(lambda: _answers(port), what="an answer of the bare server")
            yield Process(pid=process.pid, port=port)
        finally:
            process.terminate()


def hash_rate(seconds: float) -> float:
    """Return the password hashes per second of all cores together.

    The code of the service computes them, so the library and the costs are those of a login.
    """
    until_moment = time.monotonic() + seconds

    def hash_on(_: int) -> int:
        done = 0
        while time.monotonic() < until_moment:
            hashing.verify_nothing(PASSWORD)
            done += 1
        return done

    started = time.monotonic()
    with ThreadPoolExecutor(CORES) as pool:
        done = sum(pool.map(hash_on, range(CORES)))
    return done / (time.monotonic() - started)


def record_rotation(*, refresh_token: str, runs: int, variables: Mapping[str, str]) -> rotation_replay.Recording:
    """Return the statements of a refresh, after creating the families for that many runs.

    The call uses up the token.
    """
    call = f"from tests.load.rotation_record import record; record(refresh_token={refresh_token!r}, runs={runs})"
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", call],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **variables},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return rotation_replay.load(done.stdout)


def drive_bare(driver: Driver, server: Process, *, connections: int, seconds: float) -> float:
    """Return the answers per second of the bare server."""
    load = Load.get("/v1/verify", tokens=["x" * 400], connections=connections)
    driven = driver.drive(load, port=server.port, seconds=seconds)
    return driven.successes / driven.seconds


def _answers(port: int) -> bool:
    try:
        return Caller(port).call("GET", "/").status == 200
    except (OSError, HTTPException):
        return False
