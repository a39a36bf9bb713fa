"""The stop of a service by SIGTERM, sent to the parent or to all processes."""

import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import settings

from tests.load.drill.stops import stop_under_load

from .conftest import Run
from .running import Running, call, children, get, until

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
    pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="how processes end does not depend on the site"),
]


def threads_that_take_sigterm(pid: int) -> list[int]:
    """Return the threads of the process that do not block SIGTERM."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        [blocked] = [line for line in (task / "status").read_text().splitlines() if line.startswith("SigBlk:")]
        if not int(blocked.split()[1], 16) >> (signal.SIGTERM - 1) & 1:
            found.append(int(task.name))
    return found


def test_only_one_thread_of_a_process_receives_sigterm_and_that_thread_has_no_other_task(serve: Run) -> None:
    server = serve("--workers", "2")
    port = server.await_ready()
    [worker] = until(server.worker_pids, what="the worker")
    with ThreadPoolExecutor(16) as callers:
        assert {*callers.map(lambda _: get(port, "/v1/health"), range(64))} == {200}

    [web_server] = set(children(server.pid)) - {worker}
    taking = {pid: threads_that_take_sigterm(pid) for pid in (web_server, worker, *children(web_server))}

    assert len(taking) == 4
    assert [len(threads) for threads in taking.values()] == [1, 1, 1, 1]
    # Python runs a signal handler only in the main thread, which can be waiting for a lock.
    assert not any(pid in threads for pid, threads in taking.items())
    # The parent has one thread, which waits in sigwait.
    assert len(list(Path(f"/proc/{server.pid}/task").iterdir())) == 1


@pytest.mark.parametrize("send", [Running.signal, Running.signal_group], ids=["to the parent", "to all processes"])
def test_a_stop_under_load_loses_no_request_and_ends_at_once(
    serve: Run, send: Callable[[Running, signal.Signals], None]
) -> None:
    stop = stop_under_load(serve("--workers", "2"), send=send, load_seconds=0.3, clients=4)

    assert stop.lost == []
    assert stop.answered > 0
    assert not stop.is_late, stop


@pytest.mark.once
@pytest.mark.parametrize("send", [Running.signal, Running.signal_group], ids=["to the parent", "to all processes"])
def test_a_stopping_service_is_not_ready_but_answers_until_its_drain_ends(
    serve: Run, send: Callable[[Running, signal.Signals], None]
) -> None:
    server = serve("--workers", "2", DRAIN_SECONDS="2")
    port = server.await_ready()
    assert get(port, "/readyz") == 200

    sent_at = time.monotonic()
    send(server, signal.SIGTERM)

    until(lambda: get(port, "/readyz") == 503, what="the end of readiness")
    # The signal is repeated, as an impatient operator does.
    send(server, signal.SIGTERM)
    refused = call(port, "GET", "/readyz")
    assert refused.body["error"]["message"] == "This instance stops. Send requests to another instance."
    assert {get(port, path) for path in ("/livez", "/v1/health", "/.well-known/jwks.json")} == {200}
    assert server.exit_code() == 0
    assert time.monotonic() - sent_at > 2
    with pytest.raises(ConnectionRefusedError):
        get(port, "/livez")
