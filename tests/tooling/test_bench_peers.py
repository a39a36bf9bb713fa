"""`./dev bench --peers` without the peers: what it says when one is missing, the form of its tables, and its driver."""

import os
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psycopg
import pytest

from tests.load import bench, report
from tests.load.contest import Sample
from tests.load.driver import OPENED, Load, PythonDriver, Wrk
from tests.load.peers import better_auth, building, keycloak, kratos, readme, supabase_auth, tables
from tests.load.peers.conditions import Conditions, Costs, Missing
from tests.load.peers.postgres import PostgresProcess
from tests.processes.running import until

pytestmark = pytest.mark.once

MODULE = supabase_auth.MODULE
CONDITIONS = Conditions(
    emails=["alice@example.com", "bob@example.com"],
    costs=Costs(memory_kib=19_456, time=2, parallelism=1),
    database_url="postgresql://root@127.0.0.1:1/none",
    directory=Path("/nonexistent"),
)
SAMPLE = Sample(rate=1000, cpu=500, database_cpu=20, p50=1.5, p99=20, failures=0)
GO_SERVER = "Go, v1"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only directory of programs. It is empty."""
    directory = tmp_path / "programs"
    directory.mkdir()
    monkeypatch.setenv("PATH", str(directory))
    monkeypatch.setattr(building, "PLACE", tmp_path / "peers")
    return directory


def put(program: Path, *, script: str) -> None:
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


def test_a_peer_whose_language_is_not_installed_is_missing_with_what_to_install(programs: Path) -> None:
    for contender, program, advice in (
        (kratos.contender, "go", "Install Go"),
        (supabase_auth.contender, "go", "Install Go"),
        (keycloak.contender, "java", "Install Java 17"),
        (better_auth.contender, "node", "Install Node.js"),
    ):
        with pytest.raises(Missing) as missing, contender(CONDITIONS):
            pass

        assert f"`{program}` is not installed" in str(missing.value)
        assert advice in str(missing.value)

    put(programs / "java", script="exit 0")
    with pytest.raises(Missing, match="`mvn` is not installed"), keycloak.contender(CONDITIONS):
        pass


def test_a_peer_that_a_registry_does_not_serve_is_missing_and_names_the_option_for_its_sources(
    programs: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    put(programs / "go", script="""echo '{"Error": "403 from registry.example.com"}'; exit 1""")
    put(programs / "java", script="exit 0")
    put(programs / "mvn", script="echo no such artifact >&2; exit 1")

    with pytest.raises(Missing) as go:
        MODULE.build(sources=None)
    with pytest.raises(Missing, match=r"Maven could not fetch org.keycloak:keycloak-quarkus-dist:[\d.]+:zip"):
        building.fetch_distribution(
            key="keycloak", group="org.keycloak", artifact="keycloak-quarkus-dist", version=keycloak.VERSION
        )

    assert "`--peer-source supabase-auth=PATH`" in str(go.value)
    # The reason of the registry is for the terminal. It does not get into the page.
    assert "registry.example.com" not in str(go.value)
    assert "403 from registry.example.com" in capfd.readouterr().err


def test_sources_of_another_module_and_a_failed_build_are_refused(programs: Path, tmp_path: Path) -> None:
    put(programs / "go", script="exit 1")
    put(programs / "env", script='while [ "${1#*=}" != "$1" ]; do shift; done; exec "$@"')
    (tmp_path / "go.mod").write_text(f"module {MODULE.path}/client\n")
    with pytest.raises(Missing, match=f"no go.mod of the module {MODULE.path}"):
        MODULE.build(sources=tmp_path)

    (tmp_path / "go.mod").write_text(f"module {MODULE.path}\n")
    with pytest.raises(Missing, match="`go build` failed"):
        MODULE.build(sources=tmp_path)


def test_the_command_refuses_unknown_peers_and_sources_that_it_cannot_build(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments, reason in (
        (["--peers", "okta"], "okta"),
        (["--peers", "--peer-source", f"keycloak={tmp_path}"], "must be PEER=PATH with one of supabase-auth, kratos"),
        (["--peers", "--peer-source", f"kratos={tmp_path}/none"], "is no directory"),
        (["--peer-source", f"kratos={tmp_path}"], "--peer-source needs --peers"),
    ):
        with pytest.raises(SystemExit) as refused:
            bench.main(arguments)

        assert refused.value.code == 2
        assert reason in capsys.readouterr().err


def test_the_summary_has_our_cost_beside_that_of_each_measured_server_and_marks_errors() -> None:
    samples = {
        ("verify", tables.OURS, tables.OUR_SERVER): [replace(SAMPLE, cpu=cpu) for cpu in (300, 500, 400)],
        ("session", tables.OURS, tables.OUR_SERVER): [replace(SAMPLE, cpu=800)] * 3,
        **{(path, tables.OURS, tables.OUR_SERVER): [SAMPLE] * 3 for path in ("refresh", "login", "sessions")},
        ("verify", supabase_auth.NAME, GO_SERVER): [replace(SAMPLE, cpu=1200, database_cpu=450)] * 3,
        ("login", supabase_auth.NAME, GO_SERVER): [replace(SAMPLE, cpu=700)] * 3,
        ("verify", kratos.NAME, GO_SERVER): [replace(SAMPLE, cpu=2000, failures=number) for number in (0, 2, 0)],
        ("extend", kratos.NAME, GO_SERVER): [replace(SAMPLE, cpu=1500)] * 3,
    }
    footprints = {
        (tables.OURS, tables.OUR_SERVER): tables.Footprint(memory=180.4, start=1.74),
        (supabase_auth.NAME, GO_SERVER): tables.Footprint(memory=152, start=0.1),
        (kratos.NAME, GO_SERVER): tables.Footprint(memory=98, start=0.3),
    }

    lines = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in tables.summary(samples, footprints).splitlines()
    ]

    verify, session, refresh, extend, login, ten_sessions, memory, start = lines[2:]
    assert lines[0][1:4] == ["Gatehouse", "Supabase Auth", "Ory Kratos"]
    # The ratio is the median of 4, 2.4 and 3, not the ratio of the medians.
    assert verify[1:] == [
        "400 (20)",
        "1,200 (450)",
        "2,000 (20), 2 ERRORS",
        "3.0 times, Supabase Auth",
    ]
    assert session[1:] == ["800 (20)", "1,200 (450)", "2,000 (20), 2 ERRORS", "1.5 times, Supabase Auth"]
    assert refresh[1:] == ["500 (20)", "none", "none", ""]
    assert extend[1:] == ["500 (20)", "none", "1,500 (20)", "3.0 times, Ory Kratos"]
    assert login[1:] == ["500 (20)", "700 (20)", "none", "1.4 times, Supabase Auth"]
    assert ten_sessions[1:] == ["500 (20)", "none", "none", ""]
    assert memory[1:] == ["180", "152", "98", ""]
    assert start[1:] == ["1.7", "0.1", "0.3", ""]
    details = tables.details(samples)
    assert [line.split("|")[2].strip() for line in details.splitlines()[2:5]] == [
        "Gatehouse",
        "Ory Kratos",
        "Supabase Auth",
    ]
    assert "| 1.5, 20.0 ms | 2      |" in details


def test_the_readme_has_the_summary_of_the_benchmarks() -> None:
    text = readme.README.read_text()

    assert readme.with_summary(text, page=report.PAGE.read_text()) == text


@contextmanager
def flow_server() -> Iterator[tuple[int, Counter[str]]]:
    """Yield the port of a server whose logins need a fresh flow, and the requests that it answered."""
    seen: Counter[str] = Counter()
    flows: set[str] = set()
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            with lock:
                seen["flow"] += 1
                flow = f"flow-{seen['flow']:06}"
                flows.add(flow)
            self.reply(200, f'{{"id":"{flow}","ui":{{"id": "other"}}}}')

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            with lock:
                is_fresh = self.path.rpartition("=")[2] in flows
                flows.discard(self.path.rpartition("=")[2])
                seen[body if is_fresh else "stale"] += 1
            self.reply(200 if is_fresh and body != "eve" else 400, "{}")

        def reply(self, status: int, body: str) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield server.server_port, seen
        finally:
            server.shutdown()


def test_a_load_with_an_opening_opens_each_request_and_counts_both_as_one() -> None:
    opening = "GET /flow HTTP/1.1\r\nHost: localhost\r\n\r\n"
    load = replace(
        Load.post(f"/login?flow={OPENED}", body=("", ""), values=["bob", "eve"], connections=2), opening=opening
    )
    with flow_server() as (port, seen), PythonDriver() as driver:
        driven = driver.drive(load, port=port, seconds=0.2)

    assert seen["stale"] == 0
    assert driven.answers == Counter({200: seen["bob"], 400: seen["eve"]})
    assert driven.failures == seen["eve"] > 0
    assert seen["flow"] == driven.answers.total()
    assert 0 < driven.p50 <= driven.p99
    with pytest.raises(RuntimeError, match="not all were answered with a success"):
        assert driven.successes
    with pytest.raises(ValueError, match="wrk sends no opening"):
        Wrk().drive(load, port=port, seconds=1)


@pytest.mark.skipif("TEST_POSTGRES_URL" not in os.environ, reason="needs the URL of PostgreSQL, which ./dev test sets")
def test_the_cpu_time_of_postgresql_includes_connections_that_have_ended() -> None:
    url = os.environ["TEST_POSTGRES_URL"]
    server = PostgresProcess(url)
    before = server.cpu_seconds()

    with psycopg.connect(url) as connection:
        connection.execute("SELECT count(*) FROM generate_series(1, 2000000)")

    # The server counts the time of a connection once it has collected the process.
    until(lambda: server.cpu_seconds() - before > 0.05, what="the CPU time of the connection")


@pytest.mark.skipif("TEST_POSTGRES_URL" not in os.environ, reason="needs the URL of PostgreSQL, which ./dev test sets")
def test_the_cpu_time_of_postgresql_does_not_fall_while_connections_end() -> None:
    url = os.environ["TEST_POSTGRES_URL"]
    server = PostgresProcess(url)
    stop = threading.Event()

    def connect() -> None:
        while not stop.is_set():
            with psycopg.connect(url) as connection:
                connection.execute("SELECT count(*) FROM generate_series(1, 100000)")

    clients = [threading.Thread(target=connect) for _ in range(4)]
    for client in clients:
        client.start()
    try:
        readings = [server.cpu_seconds() for _ in range(200)]
    finally:
        stop.set()
        for client in clients:
            client.join()

    assert readings == sorted(readings)
