"""The metrics for Prometheus, from a running service."""

import os
import re
import signal
import socket
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from prometheus_client.parser import text_string_to_metric_families

from tests.client import PASSWORD
from tests.tooling.test_monitoring import documented
from tools.local_postgres import free_port

from .conftest import Run
from .running import call, children, get, until

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
    pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="a host project has a server of its own"),
]

ALICE = {"email": "alice@example.com", "password": PASSWORD}

Samples = Mapping[tuple[str, frozenset[tuple[str, str]]], float]


class Metrics:
    """The metrics port of a service."""

    def __init__(self) -> None:
        self.port = free_port()

    @property
    def variables(self) -> dict[str, str]:
        """The variables that turn the metrics on."""
        return {"METRICS": "on", "METRICS_PORT": str(self.port)}

    def read(self, path: str = "/metrics") -> tuple[int, str]:
        """Return the status and the body."""
        session = HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            session.request("GET", path)
            answer = session.getresponse()
            return answer.status, answer.read().decode()
        finally:
            session.close()

    def scrape(self) -> Samples:
        """Return the value of each sample by its name and labels."""
        status, text = self.read()
        assert status == 200
        families = text_string_to_metric_families(text)
        return {(s.name, frozenset(s.labels.items())): s.value for family in families for s in family.samples}


def find(samples: Samples, name: str, **labels: str) -> float | None:
    return samples.get((name, frozenset(labels.items())))


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """The directory for temporary files of the service."""
    directory = tmp_path / "scratch"
    directory.mkdir()
    return directory


def test_the_metrics_describe_the_work_of_all_processes_and_name_no_person(serve: Run, scratch: Path) -> None:
    metrics = Metrics()
    # No mail server answers at this port, so each mail waits.
    server = serve(
        "--workers", "2", **metrics.variables, TMPDIR=str(scratch), EMAIL_URL="smtp://127.0.0.1:9", LOG_LEVEL="error"
    )
    port = server.await_ready()
    assert call(port, "POST", "/v1/signup", ALICE).status == 201
    tokens = call(port, "POST", "/v1/login", ALICE).data
    refresh = {"refresh_token": tokens["refresh_token"]}
    assert call(port, "POST", "/v1/refresh", refresh).status == 200
    assert call(port, "POST", "/v1/refresh", refresh).code == "token_reused"
    wrong = {**ALICE, "password": "wrong battery"}
    assert [call(port, "POST", "/v1/login", wrong).status for _ in range(5)] == [401] * 5
    for path in (f"/v1/sessions/{tokens['refresh_token']}", f"/unknown/{tokens['refresh_token']}?q=alice@example.com"):
        get(port, path)
    for method in ("TRACE", "BREW"):
        call(port, method, "/v1/login")

    samples = until(lambda: _scrape_with_heartbeat(metrics), what="a heartbeat")

    requests = "gatehouse_http_requests_total"
    assert find(samples, requests, method="POST", route="v1/signup", status="201") == 1
    assert find(samples, requests, method="POST", route="v1/refresh", status="401") == 1
    assert find(samples, requests, method="GET", route="none", status="404") == 1
    assert find(samples, requests, method="other", route="v1/login", status="405") == 2
    assert find(samples, "gatehouse_http_request_duration_seconds_count", method="POST", route="v1/refresh") == 2
    events = "gatehouse_events_total"
    found = {type_: find(samples, events, type=type_) for type_ in ("token_rotated", "token_reuse_detected")}
    assert found == {"token_rotated": 1, "token_reuse_detected": 1}
    assert find(samples, events, type="account_locked") == 1
    assert find(samples, events, type="passkey_removed") == 0
    assert find(samples, "gatehouse_password_hashes", state="running") == 0
    assert find(samples, "gatehouse_password_hashes", state="waiting") == 0
    assert find(samples, "gatehouse_password_hashes_refused_total") == 0
    assert find(samples, "gatehouse_database_up") == 1
    # The mails about the lock and the reused token.
    assert find(samples, "gatehouse_mails_waiting") == 2
    assert find(samples, "gatehouse_webhook_deliveries_waiting") == 0
    assert find(samples, "gatehouse_worker_last_seen_timestamp_seconds") is not None
    assert find(samples, "gatehouse_signing_key_age_seconds") is not None
    assert find(samples, "gatehouse_http_connections") is not None
    on_postgresql = connection.vendor == "postgresql"
    assert (find(samples, "gatehouse_database_connections_max") == 200) == on_postgresql
    postgresql_only = {"gatehouse_database_connections", "gatehouse_database_connections_max"}
    scraped = {re.sub(r"_(bucket|count|sum)$", "", name) for name, _ in samples}
    assert scraped == documented() - (set() if on_postgresql else postgresql_only)
    text = metrics.read()[1]
    assert not [word for word in ("alice", "127.0.0.1", tokens["refresh_token"], "BREW", "TRACE") if word in text]
    assert metrics.read("/")[0] == 404
    # Only the metrics are on that port.
    assert get(port, "/metrics") == 404

    assert server.stop() == 0
    assert list(scratch.iterdir()) == []


@pytest.mark.once
def test_a_client_that_sends_bytes_for_ever_blocks_no_scrape_and_the_metrics_survive_each_process(serve: Run) -> None:
    metrics = Metrics()
    server = serve("--no-worker", **metrics.variables)
    port = server.await_ready()
    until(lambda: _scrape_if_up(metrics), what="metrics")

    with socket.create_connection(("127.0.0.1", metrics.port)) as slow, ThreadPoolExecutor() as pool:
        slow.sendall(b"GET /")
        scrape = pool.submit(metrics.scrape)
        while not scrape.done():
            with suppress(OSError):
                slow.sendall(b"x")
            wait([scrape], timeout=0.5)

        assert scrape.result()

    get(port, "/v1/verify")
    [web_server, metrics_server] = children(server.pid)
    [web] = children(web_server)

    os.kill(web, signal.SIGKILL)
    until(lambda: set(children(web_server)) - {web}, what="another web process")
    until(lambda: _answers(port), what="an answer")
    os.kill(metrics_server, signal.SIGKILL)
    until(lambda: set(children(server.pid)) - {web_server, metrics_server}, what="another metrics server")
    get(port, "/v1/verify")
    samples = until(lambda: _scrape_if_up(metrics), what="metrics")

    assert find(samples, "gatehouse_http_requests_total", method="GET", route="v1/verify", status="401") == 2
    assert server.stop() == 0


@pytest.mark.once
def test_a_metrics_port_in_use_is_reported_in_one_line(serve: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as occupant:
        taken = str(occupant.getsockname()[1])

        refused = serve(METRICS="on", METRICS_PORT=taken)

        assert refused.exit_code() == 1
    line = f"Not started: cannot listen on 127.0.0.1, port {taken}: Address already in use.\n"
    assert refused.err.read_text() == line


def _scrape_with_heartbeat(metrics: Metrics) -> Samples | None:
    samples = metrics.scrape()
    return samples if ("gatehouse_worker_last_seen_timestamp_seconds", frozenset()) in samples else None


def _answers(port: int) -> bool:
    try:
        return get(port, "/livez") == 200
    except OSError:
        return False


def _scrape_if_up(metrics: Metrics) -> Samples | None:
    try:
        return metrics.scrape()
    except OSError:
        return None
