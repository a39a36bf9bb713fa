"""The processes of a peer, and a client that calls them."""

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import requests

from tests.load.service import PATIENCE, Process
from tests.processes.running import ROOT, until


@contextmanager
def running(
    command: Sequence[str], *, name: str, port: int, variables: Mapping[str, str], log: Path, cwd: Path = ROOT
) -> Iterator[Process]:
    """Run the server of a peer. Every failure during the block prints the end of its log."""
    with (
        log.open("wb") as output,
        subprocess.Popen(
            command, cwd=cwd, env=variables, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        ) as process,
    ):
        try:
            until(lambda: _answers(port, of=process), what=f"an answer of {name}")
            yield Process(pid=process.pid, port=port)
        except Exception:
            sys.stderr.write(log.read_text()[-2000:])
            raise
        finally:
            process.terminate()


def post(port: int, path: str, body: str) -> requests.Response:
    """Return the answer, which is a success."""
    answer = _session().post(
        f"http://127.0.0.1:{port}{path}",
        data=body,
        headers={"Content-Type": "application/json", "User-Agent": "Gatehouse load"},
        timeout=PATIENCE,
    )
    answer.raise_for_status()
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
