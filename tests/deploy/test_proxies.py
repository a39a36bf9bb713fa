"""The configurations of HAProxy, nginx and Caddy: checked by their own programs, and run before two instances."""

import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.client import HTTPException, HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.processes.running import ROOT, until
from tools.local_postgres import free_port

pytestmark = pytest.mark.once

DEPLOY = ROOT / "deploy"
HOST = "auth.example.com"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/bin"
FIRST, SECOND = "10.0.0.11:8000", "10.0.0.12:8000"


class Instance:
    """An instance of the service that records its requests as they begin. A POST to /lost gets no answer."""

    def __init__(self) -> None:
        self.is_ready = True
        self._has_ended = False
        self.requests: list[tuple[str, Mapping[str, str]]] = []
        self._connections: list[socket.socket] = []
        self._reserved = socket.socket()
        self._reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.address = f"127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def end(self) -> None:
        """End all connections. Later ones fail, because the port stays taken without a listener.

        A server of another test could get a free port, and would answer in place of this instance.
        """
        self._has_ended = True
        self._server.shutdown()
        self._server.server_close()
        self._reserved.bind(("127.0.0.1", self._server.server_port))
        for connection in self._connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End, and free the port."""
        if not self._has_ended:
            self.end()
        self._reserved.close()

    def note(self, method: str, handler: BaseHTTPRequestHandler) -> None:
        """Record the head of a request. The names of the headers are in lower case."""
        headers = {name.lower(): value for name, value in handler.headers.items()}
        self.requests.append((f"{method} {handler.path}", headers))

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        instance = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                super().setup()
                instance._connections.append(self.connection)

            def do_GET(self) -> None:
                if self.path != "/readyz":
                    instance.note("GET", self)
                self._answer(200 if self.path != "/readyz" or instance.is_ready else 503)

            def do_POST(self) -> None:
                instance.note("POST", self)
                self.rfile.read(int(self.headers["Content-Length"]))
                if self.path == "/lost":
                    self.close_connection = True
                    self.connection.shutdown(socket.SHUT_RDWR)
                else:
                    self._answer(200)

            def _answer(self, status: int) -> None:
                self.send_response(status)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_: Any) -> None:
                """Print nothing."""

        return Handler


@dataclass(frozen=True, kw_only=True)
class Proxy:
    """A proxy. `replaced` maps a text of its file to the text of a test. `around` has {} in place of the file."""

    program: str
    file: str
    check: Callable[[Path], Sequence[str]]
    run: Callable[[Path], Sequence[str]]
    replaced: Callable[["Stage"], Mapping[str, str]]
    around: str = "{}"

    def write(self, stage: "Stage") -> Path:
        """Write the configuration for the stage and return its path."""
        text = (DEPLOY / self.file).read_text()
        for old, new in self.replaced(stage).items():
            assert old in text, old
            text = text.replace(old, new)
        path = stage.directory / Path(self.file).name
        path.write_text(self.around.replace("DIRECTORY", str(stage.directory)).replace("{}", text, 1))
        return path


@dataclass(frozen=True, kw_only=True)
class Stage:
    """The directory, the ports and the instances of a test."""

    directory: Path
    certificate: Path
    http: int = field(default_factory=free_port)
    https: int = field(default_factory=free_port)
    instances: Sequence[Instance] = field(default_factory=lambda: (Instance(), Instance()))

    def addresses(self) -> dict[str, str]:
        return dict(zip((FIRST, SECOND), (instance.address for instance in self.instances), strict=True))

    def requests(self) -> list[tuple[str, Mapping[str, str]]]:
        """Return the requests of both instances."""
        return [request for instance in self.instances for request in instance.requests]

    @contextmanager
    def connection(self) -> Iterator[HTTPSConnection]:
        """Yield a connection to the proxy."""
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with closing(HTTPSConnection(HOST, timeout=10)) as session:
            plain = socket.create_connection(("127.0.0.1", self.https), timeout=10)
            session.sock = context.wrap_socket(plain, server_hostname=HOST)
            yield session

    def call(self, method: str, path: str, headers: Mapping[str, str] | None = None) -> int:
        """Send a request through the proxy. Return the status, or 0 when the proxy gives none."""
        try:
            with self.connection() as session:
                session.request(method, path, b"{}" if method == "POST" else None, dict(headers or {}))
                return session.getresponse().status
        except (OSError, HTTPException):
            return 0


NGINX = Proxy(
    program="nginx",
    file="nginx/gatehouse.conf",
    check=lambda path: ["nginx", "-t", "-c", str(path)],
    run=lambda path: ["nginx", "-c", str(path)],
    replaced=lambda stage: {
        **stage.addresses(),
        "listen 80": f"listen 127.0.0.1:{stage.http}",
        "listen 443": f"listen 127.0.0.1:{stage.https}",
        "    listen [::]:80;\n": "",
        "    listen [::]:443 ssl http2;\n": "",
        "/etc/nginx/tls/auth.example.com.pem": str(stage.certificate),
        "/etc/nginx/tls/auth.example.com.key": str(stage.certificate),
    },
    around="""
        daemon off;
        worker_processes 1;
        pid DIRECTORY/nginx.pid;
        error_log DIRECTORY/error.log;
        events { }
        http {
            access_log off;
            client_body_temp_path DIRECTORY/body;
            proxy_temp_path DIRECTORY/proxy;
            fastcgi_temp_path DIRECTORY/fastcgi;
            uwsgi_temp_path DIRECTORY/uwsgi;
            scgi_temp_path DIRECTORY/scgi;
            {}
        }
    """,
)
HAPROXY = Proxy(
    program="haproxy",
    file="haproxy/haproxy.cfg",
    check=lambda path: ["haproxy", "-c", "-f", str(path)],
    run=lambda path: ["haproxy", "-db", "-f", str(path)],
    replaced=lambda stage: {
        "inter 2s": "inter 100ms",
        "bind :80": f"bind 127.0.0.1:{stage.http}",
        "bind :443": f"bind 127.0.0.1:{stage.https}",
        '"${TLS_CERTIFICATE}"': str(stage.certificate),
        'server-template web 4 "${GATEHOUSE_INSTANCES}"': "\n    ".join(
            f"server web{number} {instance.address}" for number, instance in enumerate(stage.instances)
        ),
    },
)
CADDY = Proxy(
    program="caddy",
    file="caddy/Caddyfile",
    check=lambda path: ["caddy", "validate", "--config", str(path), "--adapter", "caddyfile"],
    run=lambda path: ["caddy", "run", "--config", str(path), "--adapter", "caddyfile"],
    replaced=lambda stage: {
        **stage.addresses(),
        "health_interval 2s": "health_interval 100ms",
        "{\n\tservers {": (
            "{\n\tadmin off\n\tauto_https off\n"
            f"\thttp_port {stage.http}\n\thttps_port {stage.https}\n\tdefault_bind 127.0.0.1\n\tservers {{"
        ),
        f"{HOST} {{": f"{HOST} {{\n\ttls {stage.certificate} {stage.certificate}",
    },
)
PROXIES = [HAPROXY, NGINX, CADDY]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A PEM file with a key and its own certificate."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    start = datetime(2026, 1, 1, tzinfo=UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, start, start + timedelta(days=3650))
    builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    )
    return path


@contextmanager
def stage_of(directory: Path, certificate: Path) -> Iterator[Stage]:
    """Yield a stage. Its instances end with the block."""
    stage = Stage(directory=directory, certificate=certificate)
    try:
        yield stage
    finally:
        for instance in stage.instances:
            instance.close()


@contextmanager
def running(proxy: Proxy, stage: Stage) -> Iterator[None]:
    """Run the proxy. Skip the test when the program is missing."""
    skip_without(proxy)
    path = proxy.write(stage)
    variables = {"PATH": PATH, "HOME": str(stage.directory)}
    with (stage.directory / "output").open("wb") as output:
        process = subprocess.Popen(
            proxy.run(path), cwd=stage.directory, env=variables, stdout=output, stderr=output, stdin=subprocess.DEVNULL
        )
    try:
        until(lambda: process.poll() is not None or stage.call("GET", "/started") == 200, what=proxy.program)
        assert process.poll() is None, (stage.directory / "output").read_text()
        yield
    finally:
        process.terminate()
        process.wait()


def skip_without(proxy: Proxy) -> None:
    if shutil.which(proxy.program, path=PATH) is None:
        pytest.skip(f"{proxy.program} is not installed")


@pytest.fixture(scope="module", params=PROXIES, ids=lambda proxy: proxy.program)
def shared(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, certificate: Path
) -> Iterator[Stage]:
    """A stage with a running proxy. All tests of a proxy share it, because a start takes half a second."""
    directory = tmp_path_factory.mktemp(request.param.program)
    with stage_of(directory, certificate) as stage, running(request.param, stage):
        yield stage


@pytest.fixture
def stage(shared: Stage) -> Stage:
    """The shared stage, without the requests of earlier tests."""
    for instance in shared.instances:
        instance.requests.clear()
    return shared


@pytest.mark.parametrize("proxy", PROXIES, ids=lambda proxy: proxy.program)
def test_the_own_program_accepts_the_file(proxy: Proxy, tmp_path: Path, certificate: Path) -> None:
    skip_without(proxy)
    with stage_of(tmp_path, certificate) as stage:
        path = proxy.write(stage)

    done = subprocess.run(proxy.check(path), cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    assert not [line for line in (done.stdout + done.stderr).splitlines() if "[warn" in line.lower()]


def test_haproxy_finds_the_instances_by_one_name(certificate: Path) -> None:
    skip_without(HAPROXY)
    variables = {"PATH": PATH, "GATEHOUSE_INSTANCES": "web:8000", "TLS_CERTIFICATE": str(certificate)}
    command = ["haproxy", "-c", "-f", str(DEPLOY / HAPROXY.file)]

    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr


def test_a_caller_cannot_choose_its_address(stage: Stage) -> None:
    forged = {
        "X-Forwarded-For": "192.0.2.1",
        "X_Forwarded_For": "192.0.2.1",
        "x_forwarded-for": "192.0.2.1",
        "Forwarded": "for=192.0.2.1",
        "Host": HOST,
    }

    assert stage.call("GET", "/v1/health", forged) == 200

    [(_, headers)] = stage.requests()
    assert headers["host"] == HOST
    assert headers["x-forwarded-for"] == "127.0.0.1"
    assert "192.0.2.1" not in headers.values()
    assert "for=192.0.2.1" not in headers.values()


def test_an_instance_gets_a_request_when_its_whole_body_has_arrived(stage: Stage) -> None:
    body = b"x" * 60 * 1024
    with stage.connection() as session:
        session.putrequest("POST", "/v1/login")
        session.putheader("Content-Length", str(len(body)))
        session.endheaders(body[:-1])
        # Without buffering, an instance would get the head before the proxy answers a later request.
        assert stage.call("GET", "/v1/health") == 200
        assert [request for request, _ in stage.requests()] == ["GET /v1/health"]

        session.send(body[-1:])

        assert session.getresponse().status == 200
    assert "POST /v1/login" in [request for request, _ in stage.requests()]


def test_the_probes_are_for_the_proxy_alone(stage: Stage) -> None:
    assert [stage.call("GET", path) for path in ("/livez", "/readyz")] == [404, 404]


def test_a_post_that_was_sent_is_never_repeated(stage: Stage) -> None:
    assert stage.call("POST", "/lost") in {0, 502}

    assert [request for request, _ in stage.requests()] == ["POST /lost"]


@pytest.mark.parametrize("proxy", PROXIES, ids=lambda proxy: proxy.program)
def test_a_request_goes_to_the_other_instance_when_one_has_ended(
    proxy: Proxy, tmp_path: Path, certificate: Path
) -> None:
    with stage_of(tmp_path, certificate) as stage, running(proxy, stage):
        stage.instances[0].end()
        stage.instances[1].requests.clear()

        assert {stage.call("POST", "/v1/login") for _ in range(4)} == {200}

        assert len(stage.instances[1].requests) == 4


@pytest.mark.parametrize("proxy", [HAPROXY, CADDY], ids=lambda proxy: proxy.program)
def test_an_instance_that_is_not_ready_gets_no_requests(proxy: Proxy, tmp_path: Path, certificate: Path) -> None:
    with stage_of(tmp_path, certificate) as stage, running(proxy, stage):
        stage.instances[0].is_ready = False

        def others() -> bool:
            stage.instances[0].requests.clear()
            for _ in range(4):
                stage.call("GET", "/v1/health")
            return not stage.instances[0].requests

        until(others, what="an instance without requests")

        assert stage.call("GET", "/v1/health") == 200
