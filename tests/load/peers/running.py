"""The processes of a peer, and a client that calls them."""

import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import requests

from tests.load.service import PATIENCE, Process
from tests.processes.running import ROOT, until


class Server(Process):
    """A running peer. `start_seconds` are those from its command to its first answer, on a prepared database."""

    def __init__(self, *, pid: int, port: int, start_seconds: float) -> None:
        super().__init__(pid=pid, port=port)
        self.start_seconds = start_seconds


@contextmanager
def running(
    command: Sequence[str], *, name: str, port: int, variables: Mapping[str, str], log: Path, cwd: Path = ROOT
) -> Iterator[Server]:
    """Run the server of a peer. Every failure during the block prints the end of its log."""
    started = time.monotonic()
    with (
        log.open("wb") as output,
        subprocess.Popen(
            command, cwd=cwd, env=variables, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        ) as process,
    ):
        try:
            until(lambda: _answers(port, of=process), what=f"an answer of {name}")
            yield Server(pid=process.pid, port=port, start_seconds=time.monotonic() - started)
        except Exception:
            sys.stderr.write(log.read_text()[-2000:])
            raise
        finally:
            process.terminate()


def post(port: int, path: str, body: str, **headers: str) -> requests.Response:
    """Return the answer, which is a success. The body is JSON, unless the headers name another type."""
    common = {"Content-Type": "application/json", "User-Agent": "Gatehouse load"}
    answer = _session().post(
        f"http://127.0.0.1:{port}{path}", data=body, headers={**common, **headers}, timeout=PATIENCE
    )
    return _success(answer)


def get(port: int, path: str, **headers: str) -> Any:
    """Return the parsed body of the answer, which is a success."""
    answer = _session().get(f"http://127.0.0.1:{port}{path}", headers=headers, timeout=PATIENCE)
    return _success(answer).json()


def _success(answer: requests.Response) -> requests.Response:
    if not answer.ok:
        raise RuntimeError(f"{answer.request.method} {answer.url} was answered {answer.status_code}: {answer.text}")
    return answer


def _answers(port: int, *, of: subprocess.Popen[bytes]) -> bool:
    if of.poll() is not None:
        raise RuntimeError(f"the peer ended with {of.returncode}")
    try:
        _session().get(f"http://127.0.0.1:{port}/verify", timeout=PATIENCE)
    except requests.ConnectionError:
        return False
    return True


def _session() -> requests.Session:
    session = requests.Session()
    session.trust_env = False
    return session
