"""The database stops, hangs or rejects writes under a running server, and recovers."""

import json
import os
import re
import resource
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Self

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.utils.datastructures import CaseInsensitiveMapping

from tests.client import PASSWORD, Answer
from tests.patience import is_soon
from tools.local_postgres import LocalPostgres

from .conftest import Run
from .running import call, children, until

if TYPE_CHECKING:
    from tools.local_postgres import StopMode

EMAIL = "alice@example.com"
RIGHT = {"email": EMAIL, "password": PASSWORD}
# The log of a host project is not JSON.
WORD_OF_WORKER = re.compile(r'database unreachable("|$)', re.MULTILINE)
WRONG = {"email": EMAIL, "password": "not the password"}


class Line:
    """One persistent connection. It breaks when the process at the other end is replaced."""

    def __init__(self, port: int) -> None:
        self._session = HTTPConnection("localhost", port, timeout=5)

    def __enter__(self) -> Self:
        self._session.connect()
        self._session.auto_open = 0
        return self

    def __exit__(self, *_: object) -> None:
        self._session.close()

    def get(self, path: str, *, token: str | None = None) -> Answer:
        """GET the path."""
        return self._call("GET", path, None, token=token)

    def post(self, path: str, body: dict[str, str]) -> Answer:
        """POST the body."""
        return self._call("POST", path, json.dumps(body), token=None)

    def _call(self, method: str, path: str, body: str | None, *, token: str | None) -> Answer:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._session.request(method, path, body, headers)
        response = self._session.getresponse()
        response_headers = CaseInsensitiveMapping(response.headers.items())
        return Answer(status=response.status, body=json.loads(response.read()), headers=response_headers)


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[LocalPostgres]:
    """A PostgreSQL server for this test alone."""
    with LocalPostgres(venv=Path(sys.prefix), data=tmp_path / "data", fsync=False) as server:
        yield server


@pytest.fixture
def database_url(postgres: LocalPostgres) -> str:
    """An empty database on that server."""
    return postgres.url()


on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="about a database server")
own_engine = pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="a site chooses its own engine")


@contextmanager
def frozen(data: Path) -> Iterator[None]:
    """Stop every process of the server on this data, as a hanging storage does."""
    server = int((data / "postmaster.pid").read_text().split()[0])
    stopped = [server, *children(server)]
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)


def list_sessions(port: int, *, token: str, times: int) -> Counter[int]:
    """List the sessions that many times in parallel. Return how often each status occurred."""
    with ThreadPoolExecutor(times) as callers:
        return Counter(callers.map(lambda _: call(port, "GET", "/v1/sessions", token=token).status, range(times)))


def sign_in(port: int) -> str:
    """Return an access token of a new account."""
    assert call(port, "POST", "/v1/signup", RIGHT).status == 201
    return str(call(port, "POST", "/v1/login", RIGHT).data["access_token"])


@on_postgresql
@own_engine
def test_a_database_that_hangs_blocks_no_request_that_needs_none_and_no_caller_gets_an_error_of_an_idle_connection(
    serve: Run, postgres: LocalPostgres, tmp_path: Path
) -> None:
    port = serve(RATE_LIMITS="login=60000/m,login_ip=60000/m,edge=60000/m").await_ready()
    token = sign_in(port)
    list_sessions(port, token=token, times=40)

    ended = threading.Event()

    def call_again_and_again(number: int) -> Counter[str | None]:
        answers: Counter[str | None] = Counter()
        while not ended.wait(0.2):
            asks = {"body": RIGHT} if number % 2 else {"token": token}
            path = ("POST", "/v1/login") if number % 2 else ("GET", "/v1/sessions")
            answers[call(port, *path, **asks).code] += 1
        return answers

    with frozen(tmp_path / "data"), ThreadPoolExecutor(80) as callers:
        began = time.monotonic()
        counts = [callers.submit(call_again_and_again, number) for number in range(80)]
        try:
            # Open connections wait for an answer for this long. New connections then wait twice.
            while time.monotonic() - began < 11:
                asked_at = time.monotonic()
                assert call(port, "GET", "/v1/health").code == "db_unreachable"
                assert call(port, "GET", "/readyz").code == "db_unreachable"
                assert is_soon(time.monotonic() - asked_at, limit=3)
                asked_at = time.monotonic()
                assert call(port, "GET", "/livez").status == 200
                assert call(port, "GET", "/v1/verify", token=token).status == 200
                assert call(port, "GET", "/.well-known/jwks.json").status == 200
                assert call(port, "GET", "/v1/sessions", token="forged").code == "invalid_access_token"
                assert call(port, "GET", "/v1/unknown").code == "not_found"
                assert is_soon(time.monotonic() - asked_at, limit=2)
        finally:
            ended.set()
        assert set(sum((count.result() for count in counts), Counter())) == {"db_unreachable"}

    until(lambda: call(port, "GET", "/v1/health").status == 200, what="health")
    assert list_sessions(port, token=token, times=40) == {200: 40}

    # All connections break while they are idle.
    postgres.stop()
    postgres.start()

    until(lambda: call(port, "GET", "/v1/health").status == 200, what="health")
    assert list_sessions(port, token=token, times=60) == {200: 60}


@on_postgresql
def test_health_reports_a_read_only_database(serve: Run, postgres: LocalPostgres) -> None:
    server = serve()
    port = server.await_ready()
    sign_in(port)

    _set_read_only(postgres.url(), "on")

    until(lambda: call(port, "POST", "/v1/login", RIGHT).status == 503, what="a refused write")
    _check_refusal(call(port, "GET", "/v1/health"))
    assert "the database cannot be written" in server.err.read_text()

    _set_read_only(postgres.url(), "off")

    until(lambda: call(port, "GET", "/v1/health").status == 200, what="health")
    assert call(port, "POST", "/v1/login", RIGHT).status == 200


@pytest.mark.skipif(connection.vendor != "sqlite", reason="about the disk under SQLite")
@pytest.mark.skipif(sys.platform != "linux", reason="limits the files of another process")
def test_health_reports_a_full_disk(serve: Run, tmp_path: Path) -> None:
    server = serve("--workers", "2", DATABASE_URL=f"sqlite:///{tmp_path}/auth.sqlite3")
    port = server.await_ready()
    sign_in(port)
    wal = tmp_path / "auth.sqlite3-wal"
    # The server starts on a migrated database, so only its own writes fill the log.
    until(
        lambda: call(port, "POST", "/v1/login", RIGHT).status == 200 and wal.stat().st_size > 2 * SMALL,
        what="a log that is longer than the limit of a file",
    )

    _limit_files(server.pid, SMALL)

    until(lambda: call(port, "POST", "/v1/login", RIGHT).status == 503, what="a refused write")
    # Each connection may reach any of the web processes. All of them must report the state.
    for _ in range(8):
        _check_refusal(call(port, "GET", "/v1/health"))
        _check_refusal(call(port, "GET", "/readyz"))
        assert call(port, "GET", "/livez").status == 200
    [line, *_] = server.logged("the database cannot be written")
    assert line["reason"].startswith("SQLITE_")
    assert line["detail"]

    _limit_files(server.pid, resource.RLIM_INFINITY)

    until(lambda: call(port, "GET", "/v1/health").status == 200, what="health")
    assert call(port, "POST", "/v1/login", RIGHT).status == 200


SMALL = 64 * 1024
"""The size limit of a file on a full disk in bytes. The log still fits."""


def _check_refusal(answer: Answer) -> None:
    assert (answer.status, answer.code, answer.headers["Retry-After"]) == (503, "db_unreachable", "5")
    assert answer.body["error"]["message"] == "The service cannot write to its database. Try again in a few seconds."


def _set_read_only(url: str, value: str) -> None:
    with psycopg.connect(url, autocommit=True) as session:
        session.execute("SET default_transaction_read_only = off")
        session.execute(f"ALTER SYSTEM SET default_transaction_read_only = {value}")
        session.execute("SELECT pg_reload_conf()")


def _limit_files(pid: int, size: int) -> None:
    for found in (pid, *children(pid)):
        _, hard = resource.prlimit(found, resource.RLIMIT_FSIZE)
        resource.prlimit(found, resource.RLIMIT_FSIZE, (size, hard))
        if found != pid:
            _limit_files(found, size)


@on_postgresql
@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_an_outage_is_reported_stops_no_process_and_ends_without_a_restart(
    serve: Run, postgres: LocalPostgres, mode: "StopMode"
) -> None:
    server = serve(RATE_LIMITS="on")
    with Line(server.await_ready()) as line:
        assert line.post("/v1/signup", RIGHT).status == 201
        tokens = line.post("/v1/login", RIGHT).data
        refresh = {"refresh_token": tokens["refresh_token"]}
        assert [line.post("/v1/login", WRONG).code for _ in range(4)] == ["invalid_credentials"] * 4

        postgres.stop(mode=mode)

        asked_at = time.monotonic()
        refusals = [line.get("/v1/health")]
        assert is_soon(time.monotonic() - asked_at, limit=3)
        refusals += [line.post("/v1/login", WRONG) for _ in range(2)]
        refusals += [line.post("/v1/login", RIGHT), line.post("/v1/refresh", refresh)]
        refusals += [line.get("/v1/sessions", token=tokens["access_token"])]
        for answer in refusals:
            assert (answer.status, answer.code, answer.headers["Retry-After"]) == (503, "db_unreachable", "5")
        assert line.get("/v1/verify", token=tokens["access_token"]).status == 200
        assert line.get("/v1/verify").code == "missing_auth_header"
        assert line.get("/v1/sessions", token="forged").code == "invalid_access_token"
        assert line.get("/v1/unknown").code == "not_found"
        until(lambda: WORD_OF_WORKER.search(server.err.read_text()), what="word of the background worker")

        postgres.start()
        back_at = time.monotonic()

        until(lambda: line.get("/v1/health").status == 200, what="health")
        until(lambda: line.post("/v1/refresh", refresh).status == 200, what="a refresh")
        assert line.post("/v1/login", RIGHT).status == 200
        assert is_soon(time.monotonic() - back_at, limit=10)
        assert "a process ended" not in server.err.read_text()
