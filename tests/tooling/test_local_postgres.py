"""The PostgreSQL server of the tests, the benchmarks and `./dev run --full`."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import psycopg
import pytest

from tools import local_postgres
from tools.local_postgres import LocalPostgres, PostgresError, find_running_url

if TYPE_CHECKING:
    from tools.local_postgres import StopMode

pytestmark = pytest.mark.once

VENV = Path(sys.prefix)
ROOT = Path(__file__).parents[2]

START = f"""
import os, sys
from pathlib import Path
from tools.local_postgres import LocalPostgres
server = LocalPostgres(venv=Path({str(VENV)!r}), data=Path(sys.argv[1]), fsync=False)
server.start()
print(server.url(), flush=True)
"""
WAIT = "sys.stdin.read()"
BECOME_ANOTHER_PROGRAM = "server.hand_over(); os.execv('/bin/cat', ['cat'])"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("path with blanks") / "data"


@pytest.fixture
def server(data: Path) -> LocalPostgres:
    return LocalPostgres(venv=VENV, data=data, fsync=False)


def port_of(url: str) -> int:
    port = urlsplit(url).port
    assert port is not None
    return port


def query(url: str, statement: str) -> object:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement.encode())
        row = cursor.fetchone() if cursor.description else None
        return row[0] if row else None


def await_end(url: str) -> None:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            query(url, "SELECT 1")
        except psycopg.OperationalError:
            return
    pytest.fail("the server is still there")


def launch(data: Path, afterwards: str) -> tuple[subprocess.Popen[str], str]:
    launcher = subprocess.Popen(
        [sys.executable, "-c", START + afterwards, data],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert launcher.stdout is not None
    return launcher, launcher.stdout.readline().strip()


def test_a_started_server_has_the_given_settings(data: Path) -> None:
    settings = {"max_connections": "33", "application_name": "with blanks"}

    with LocalPostgres(venv=VENV, data=data, settings=settings) as server:
        assert query(server.url(), "SHOW max_connections") == "33"
        assert query(server.url(), "SHOW application_name") == "with blanks"
        assert query(server.url(), "SHOW fsync") == "on"
        assert query(server.url(), "SHOW listen_addresses") == "127.0.0.1"


def test_a_connection_derives_its_key_from_the_long_password_in_one_round(server: LocalPostgres) -> None:
    with server:
        stored = query(server.url(), "SELECT rolpassword FROM pg_authid WHERE rolname = current_user")

    assert str(stored).startswith("SCRAM-SHA-256$1:")


@pytest.mark.parametrize("credentials", ["postgres", "postgres:guess", "nobody"])
def test_a_caller_without_the_password_is_refused(server: LocalPostgres, credentials: str) -> None:
    with server:
        port = port_of(server.url())
        with pytest.raises(psycopg.OperationalError, match=r"no password supplied|authentication failed"):
            query(f"postgresql://{credentials}@127.0.0.1:{port}/postgres", "SELECT 1")


def test_only_the_owner_can_read_the_files_of_a_server(server: LocalPostgres, data: Path) -> None:
    with server:
        pass

    assert data.stat().st_mode & 0o777 == 0o700
    for path in (data / "superuser-password", data.with_name("data.log"), data.with_name("data.lock")):
        assert path.stat().st_mode & 0o777 == 0o600


def test_without_fsync_no_write_waits_for_the_disk(server: LocalPostgres) -> None:
    with server:
        assert query(server.url(), "SHOW fsync") == "off"
        assert query(server.url(), "SHOW max_connections") == "200"


@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_a_restart_keeps_port_and_data(server: LocalPostgres, mode: "StopMode") -> None:
    server.start()
    url = server.url()
    query(url, "DROP TABLE IF EXISTS kept")
    query(url, "CREATE TABLE kept AS SELECT 42 AS answer")

    server.stop(mode=mode)
    with pytest.raises(psycopg.OperationalError):
        query(url, "SELECT 1")
    server.start()

    try:
        assert server.url() == url
        assert query(url, "SELECT answer FROM kept") == 42
    finally:
        server.stop()


def test_a_restarted_server_keeps_its_port_unless_the_port_is_taken(data: Path) -> None:
    def start_once() -> str:
        with LocalPostgres(venv=VENV, data=data, fsync=False) as server:
            assert query(server.url(), "SELECT 1") == 1
            return server.url()

    first = start_once()
    assert start_once() == first

    with socket.create_server(("127.0.0.1", port_of(first))):
        second = start_once()

    assert second != first
    assert start_once() == second


def test_a_fast_stop_does_not_wait_for_clients(server: LocalPostgres) -> None:
    server.start()
    with psycopg.connect(server.url()) as connection:
        server.stop()

        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")


def test_a_database_is_created_once(server: LocalPostgres) -> None:
    with server:
        server.create_database(name='odd "name')
        server.create_database(name='odd "name')

        assert query(server.url(), "SELECT count(*) FROM pg_database WHERE datname LIKE 'odd%'") == 1


def test_a_second_server_on_the_same_data_is_refused(
    server: LocalPostgres, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_postgres, "IN_USE_SECONDS", 0)

    with server:
        with pytest.raises(PostgresError, match=r"Another PostgreSQL server is running on .*data"):
            LocalPostgres(venv=VENV, data=data).start()
        with pytest.raises(PostgresError, match="is running already"):
            server.start()

        assert query(server.url(), "SELECT 1") == 1


def test_the_process_id_file_of_a_killed_server_does_not_prevent_a_start(server: LocalPostgres, data: Path) -> None:
    with server:
        pass
    # Another process has this id by now.
    (data / "postmaster.pid").write_text(f"{os.getpid()}\n{data}\n0\n1\n\n127.0.0.1\n0 0\nready\n")
    assert find_running_url(data=data, database="postgres") is None

    with server:
        assert query(server.url(), "SELECT 1") == 1


def test_an_incomplete_cluster_is_created_again(tmp_path: Path) -> None:
    interrupted = tmp_path / "data.new"
    interrupted.mkdir()
    (interrupted / "PG_VERSION").write_text("18\n")

    with LocalPostgres(venv=VENV, data=tmp_path / "data", fsync=False) as server:
        assert query(server.url(), "SELECT 1") == 1
    assert not interrupted.exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_server_ends_with_its_launcher(server: LocalPostgres, data: Path, number: signal.Signals) -> None:
    launcher, url = launch(data, WAIT)
    with launcher:
        assert query(url, "SELECT 1") == 1

        launcher.send_signal(number)

    await_end(url)
    with server:
        assert query(server.url(), "SELECT 1") == 1


def test_a_server_handed_over_to_another_program_ends_with_that_program(data: Path) -> None:
    launcher, url = launch(data, BECOME_ANOTHER_PROGRAM)
    with launcher:
        assert launcher.stdin is not None
        assert launcher.stdout is not None
        launcher.stdin.write("hello\n")
        launcher.stdin.flush()
        assert launcher.stdout.readline() == "hello\n"
        assert query(url, "SELECT 1") == 1

    await_end(url)


def test_a_failing_start_shows_the_log_of_the_server(data: Path) -> None:
    server = LocalPostgres(venv=VENV, data=data, settings={"work_mem": "a lot"})

    with pytest.raises(PostgresError, match=r'did not start\.\n(.*\n)*.*invalid value for parameter "work_mem"'):
        server.start()

    assert find_running_url(data=data, database="postgres") is None


def test_a_running_server_is_found_by_its_data(server: LocalPostgres, data: Path, tmp_path: Path) -> None:
    with server:
        assert find_running_url(data=data, database="other") == server.url(database="other")
    assert find_running_url(data=data, database="other") is None
    assert find_running_url(data=tmp_path / "nowhere" / "data", database="other") is None


def test_an_environment_without_the_postgresql_programs_is_named(tmp_path: Path) -> None:
    with pytest.raises(PostgresError, match=rf"not installed in {tmp_path}\.$"):
        LocalPostgres(venv=tmp_path, data=tmp_path / "data")


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("setpriv") is None, reason="only root has rights to drop")
def test_root_gets_a_server_that_runs_as_another_user(tmp_path: Path) -> None:
    data = tmp_path / "a directory of root" / "data"
    data.parent.mkdir(mode=0o700)

    for _ in range(2):
        with LocalPostgres(venv=VENV, data=data, fsync=False) as server:
            assert query(server.url(), "SELECT 1") == 1
            assert data.stat().st_uid != 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has rights to drop")
def test_root_without_setpriv_gets_an_explanation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(PostgresError, match="setpriv is missing: use another user"):
        LocalPostgres(venv=VENV, data=tmp_path / "data").start()
