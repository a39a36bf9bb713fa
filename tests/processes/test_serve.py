import json
import os
import signal
import socket
import sqlite3
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPException
from pathlib import Path
from typing import Self

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from tests.patience import is_soon

from .conftest import Run
from .running import Running, call, children, get, is_alive, until
from .variables import without_findings

standalone = pytest.mark.skipif(
    settings.ROOT_URLCONF != "config.urls", reason="how processes live and die does not depend on the site"
)
on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no max_connections")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

BODY = b'{"email": "alice@example.com", "password": "correct horse battery"}'
BEHIND_A_PROXY = {"TRUSTED_PROXIES": "10.0.0.5/32", "PROXY_IP_HEADER": "X-Forwarded-For"}
PUBLIC = "0.0.0.0"  # noqa: S104 - the address on which a public service listens
NO_TABLES = "the database has no tables yet, waiting for its migration"


class Conversation:
    """A connection that sends a request in parts."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("localhost", port), timeout=30)
        self.answers = self.socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.answers.close()
        self.socket.close()

    def send_head(self, *, path: str, headers: str) -> None:
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{headers}\r\n\r\n"
        self.socket.sendall(head.encode())

    def read_status(self) -> int:
        """Read the head of an answer and return its status."""
        status = int(self.answers.readline().split()[1])
        while self.answers.readline() != b"\r\n":
            pass
        return status


def tables(database_url: str) -> set[str]:
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(database_url.removeprefix("sqlite:///"))) as session:
            return {name for (name,) in session.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    with psycopg.connect(database_url) as session:
        return {name for (name,) in session.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")}


def refusal(running: Running) -> str:
    """Return the single line that explains the refused start."""
    assert running.exit_code() == 1
    assert running.out.read_text() == ""
    lines = running.err.read_text().splitlines()
    assert len(lines) == 1, running.err.read_text()
    return lines[0]


@pytest.mark.usefixtures("without_tables")
def test_the_server_migrates_before_the_first_answer_and_sigterm_stops_every_process(
    serve: Run, database_url: str
) -> None:
    server = serve()

    port = server.await_ready()

    assert get(port, "/v1/health") == 200
    assert "authsvc_accounts_account" in tables(database_url)
    assert "/v1/docs" in server.out.read_text()
    assert connection.vendor == "sqlite" or "full" in server.out.read_text()
    assert server.stop() == 0
    with pytest.raises(ConnectionRefusedError):
        get(port, "/v1/health")


@pytest.mark.once
def test_every_log_line_of_a_server_is_one_json_object(serve: Run) -> None:
    # `./dev run` starts the server with a strong key, but without https and a mail server.
    server = serve(**{**without_findings(), "BASE_URL": "http://localhost:8000", "EMAIL_URL": "console://"})
    get(server.await_ready(), "/v1/health")
    until(lambda: server.logged("background worker started"), what="the worker")
    server.stop()

    lines = [json.loads(line) for line in server.err.read_text().splitlines()]

    assert {line["level"] for line in lines} == {"info"}
    assert {line["event"] for line in lines} == {"background worker started", "request", "background worker stopped"}


@pytest.mark.once
def test_a_start_warns_of_each_weak_setting_and_of_a_public_address_without_trusted_proxies(serve: Run) -> None:
    weak = {"SECRET_KEY": "x", "DEBUG": "on", "RATE_LIMITS": "off", "BASE_URL": "http://auth.example.com"}
    servers = [
        serve("--no-worker", "--host", PUBLIC, **{**without_findings(), **weak}),
        serve("--no-worker", **{**without_findings(), **weak, "BASE_URL": "http://localhost"}),
        serve("--no-worker", "--host", PUBLIC, **without_findings(), **BEHIND_A_PROXY),
    ]
    for server in servers:
        server.await_ready()

    public, own_machine, behind_proxy = (
        {line["check"]: line["level"] for line in one.logged("a check has a finding")} for one in servers
    )

    # The order: Django's key and debug mode, the rate limits, http on an address that others can reach, and the proxies.
    assert own_machine == dict.fromkeys(["security.W009", "security.W018", "authsvc.W008"], "warn")
    assert public == {**own_machine, "authsvc.W002": "warn", "authsvc.W026": "warn"}
    assert behind_proxy == {}


@standalone
def test_a_running_request_is_answered_after_sigterm(serve: Run) -> None:
    server = serve()
    port = server.await_ready()
    until(lambda: server.logged("background worker started"), what="the worker")
    with Conversation(port) as conversation:
        # The server sends 100 when the view reads the body.
        conversation.send_head(path="/v1/signup", headers=f"Content-Length: {len(BODY)}\r\nExpect: 100-continue")
        assert conversation.read_status() == 100

        # The signal is repeated, as an impatient operator does.
        for _ in range(5):
            server.signal_group(signal.SIGTERM)
            time.sleep(0.1)
        until(lambda: server.logged("background worker stopped"), what="the worker's end")
        conversation.socket.sendall(BODY)

        assert conversation.read_status() == 201
    assert server.exit_code() == 0


@standalone
@pytest.mark.parametrize("moment", ["at once", "while it migrates", "while the web processes start"])
@pytest.mark.usefixtures("without_tables")
def test_sigterm_during_the_start_ends_the_start(
    serve: Run, variables: dict[str, str], tmp_path: Path, moment: str
) -> None:
    server = serve()

    match moment:
        case "while it migrates":
            # The service creates the key ring just before this point.
            until(Path(variables["SIGNING_KEYS_FILE"]).exists, what="signing keys")
        case "while the web processes start":
            until(server.worker_pids, what="a worker")

    told_at = time.monotonic()
    assert server.stop() in {0, -signal.SIGTERM}
    # This time is far below the delay after which remaining processes are killed.
    assert is_soon(time.monotonic() - told_at, limit=15)
    assert "Traceback" not in server.err.read_text()


@pytest.mark.once
def test_a_server_shares_its_port_with_no_other_and_refuses_a_chunked_body_and_a_length_of_many_digits(
    serve: Run, manage: Run
) -> None:
    port = serve("--no-worker", "--no-migrate").await_ready()

    line = refusal(manage("serve", "--port", str(port)))

    assert line == f"Not started: cannot listen on 127.0.0.1, port {port}: Address already in use."
    for header, status in (("Transfer-Encoding: chunked", 411), (f"Content-Length: {'0' * 4301}", 413)):
        with Conversation(port) as conversation:
            conversation.send_head(path="/v1/signup", headers=header)

            assert conversation.read_status() == status


@standalone
@pytest.mark.usefixtures("without_tables")
def test_concurrent_starts_on_one_database_migrate_in_turn(serve: Run) -> None:
    servers = [serve("--no-worker"), serve("--no-worker")]

    assert [get(server.await_ready(), "/v1/health") for server in servers] == [200, 200]


@pytest.mark.once
@on_linux
def test_a_web_process_that_dies_is_replaced_and_a_web_server_that_dies_is_started_again(serve: Run) -> None:
    server = serve("--no-worker", "--no-migrate")
    port = server.await_ready()
    [web_server] = children(server.pid)
    [web] = children(web_server)

    os.kill(web, signal.SIGKILL)

    until(lambda: set(children(web_server)) - {web}, what="another web process")
    until(lambda: _answers(port), what="an answer")
    assert children(server.pid) == [web_server]

    os.kill(web_server, signal.SIGKILL)

    until(lambda: set(children(server.pid)) - {web_server}, what="another web server")
    until(lambda: _answers(port), what="an answer")
    assert [line["process_name"] for line in server.logged("a process ended, starting it again")] == ["web server"]
    assert server.stop() == 0


@pytest.mark.once
@on_linux
def test_a_killed_web_process_leaves_no_hash_slot_taken(serve: Run) -> None:
    # A hash takes half a second or more, and the web processes compute one at a time.
    server = serve(
        "--no-worker",
        *("--workers", "2"),
        PASSWORD_HASH_CONCURRENCY="1",
        ARGON2_MEMORY_KIB="19456",
        ARGON2_TIME="100",
    )
    port = server.await_ready()
    [web_server] = children(server.pid)

    with ThreadPoolExecutor(1) as pool:
        unanswered = pool.submit(_log_in, port)
        [holder] = until(lambda: _lock_holders() & set(children(web_server)), what="a process that holds the slot")
        os.kill(holder, signal.SIGKILL)
        with pytest.raises((OSError, HTTPException)):
            unanswered.result()
    until(lambda: _answers(port), what="an answer")

    assert _log_in(port) == "invalid_credentials"
    assert server.stop() == 0


def _log_in(port: int) -> str:
    """Return the error code of a login with an unknown address."""
    code: str = call(port, "POST", "/v1/login", {"email": "bob@example.com", "password": "wrong battery"}).code
    return code


def _lock_holders() -> set[int]:
    """Return the ids of all processes that hold a write lock on the first byte of a file."""
    lines = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    return {
        int(words[4]) for words in lines if words[1:4] == ["POSIX", "ADVISORY", "WRITE"] and words[6:] == ["0", "0"]
    }


def _answers(port: int) -> bool:
    try:
        return get(port, "/v1/health") == 200
    except OSError:
        return False


@pytest.mark.once
def test_a_worker_that_dies_is_replaced_twice_and_its_third_death_ends_the_service(serve: Run) -> None:
    server = serve()
    server.await_ready()

    for deaths in (1, 2, 3):
        *_, worker = until(lambda: len(server.worker_pids()) == deaths and server.worker_pids(), what="a worker")  # noqa: B023 - called at once
        os.kill(worker, signal.SIGKILL)

    assert server.exit_code() == 1
    ends = server.logged("a process ended, starting it again")
    assert [(line["process_name"], line["delay_seconds"]) for line in ends] == [
        ("background worker", 1.0),
        ("background worker", 2.0),
    ]
    (last,) = server.logged("a process ended too often, stopping")
    assert (last["process_name"], last["exit_code"]) == ("background worker", -signal.SIGKILL)


@pytest.mark.once
@on_linux
def test_no_process_survives_a_killed_parent(serve: Run) -> None:
    server = serve()
    server.await_ready()
    [*family] = children(server.pid)
    family += [grandchild for child in family for grandchild in children(child)]
    assert len(family) == 3

    server.kill()

    until(lambda: not any(map(is_alive, family)), what="the end of all processes")


@standalone
@pytest.mark.once
def test_a_start_checks_the_routes(serve: Run) -> None:
    server = serve("--no-worker", "--no-migrate", TOKEN_AUDIENCE="http://localhost:8000/oauth2/userinfo")

    assert server.exit_code() == 1
    assert "authsvc.E070" in server.err.read_text()


@standalone
@on_linux
def test_without_worker_and_migration_only_web_processes_run(serve: Run) -> None:
    server = serve("--no-worker", "--no-migrate")

    assert get(server.await_ready(), "/v1/health") == 200

    assert len(children(server.pid)) == 1
    assert not server.worker_pids()
    # The parent has loaded what few commands need, so that the web processes share it.
    assert "ua_parser" in Path(f"/proc/{server.pid}/maps").read_text()


@standalone
@pytest.mark.usefixtures("without_tables")
def test_without_tables_a_start_that_may_not_migrate_says_so_and_waits_for_them(serve: Run, database_url: str) -> None:
    waiting = serve("--no-worker", "--no-migrate")
    until(lambda: waiting.logged(NO_TABLES), what="the reason to wait")
    assert not tables(database_url)
    assert waiting.out.read_text() == ""

    migrating = serve("--no-worker")

    migrating.await_ready()
    assert call(waiting.await_ready(), "POST", "/v1/signup", json.loads(BODY)).status == 201
    assert [line["level"] for line in waiting.logged(NO_TABLES)] == ["warn"]


@standalone
@pytest.mark.usefixtures("without_tables")
def test_sigterm_ends_a_start_that_waits_for_tables(serve: Run) -> None:
    waiting = serve("--no-worker", "--no-migrate")
    until(lambda: waiting.logged(NO_TABLES), what="the reason to wait")

    assert waiting.stop() == 0


@standalone
@on_postgresql
@pytest.mark.parametrize(
    ("copy", "needs"),
    [
        ("off", "40 web processes with 24 connections each, a background worker with 12 and a reserve of 5 need 977"),
        (
            "record",
            "40 web processes with 25 connections each, a background worker with 13 and a reserve of 5 need 1018",
        ),
    ],
    ids=["as it comes", "with a copy of the log"],
)
def test_more_threads_than_postgresql_connections_are_refused(manage: Run, copy: str, needs: str) -> None:
    line = refusal(manage("serve", "--port", "0", "--workers", "40", LOG_SHIPPING=copy))

    assert line.startswith(f"Not started: {needs}, but PostgreSQL's max_connections is 200. Raise it to ")
    assert "--workers 7" in line


@standalone
def test_an_unreachable_database_is_reported_in_one_line(serve: Run) -> None:
    line = refusal(serve(DATABASE_URL="postgresql://nobody@127.0.0.1:9/nothing"))

    assert line.startswith("Not started: the database does not answer.")


@pytest.mark.once
def test_a_malformed_setting_is_reported_in_one_line(serve: Run) -> None:
    assert refusal(serve(TOKEN_ALGORITHM="none")).startswith("Not started: TOKEN_ALGORITHM must be")
