"""A proxy between a client and the service. It can lose requests and answers."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Literal, TypeAlias

from tests.processes.running import PATIENCE

Fate: TypeAlias = Literal["pass", "lose request", "lose answer"]

HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A request that reached the proxy."""

    path: str
    idempotency_key: str | None


@dataclass(slots=True)
class Proxy:
    """A running proxy. `fate` decides what happens to the call of a path. `seen` lists these calls in their order.

    The proxy itself answers the paths in `pages`, with the type and the text of each page.
    """

    port: int
    pages: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    fate: Callable[[str], Fate] = lambda _path: "pass"
    seen: list[Seen] = field(default_factory=list)

    @property
    def url(self) -> str:
        """The origin of the proxy."""
        return f"http://localhost:{self.port}"

    def lose_answers(self, number: int, *, path: str) -> None:
        """Lose the next answers to requests for this path. The service gets these requests."""
        fates: Iterator[Fate] = iter(["lose answer"] * number)
        self.fate = lambda called: next(fates, "pass") if called == path else "pass"

    def keys(self, *, path: str) -> list[str | None]:
        """Return the Idempotency-Key of each request for this path."""
        return [one.idempotency_key for one in self.seen if one.path == path]


class _Server(ThreadingHTTPServer):
    request_queue_size = 128

    def __init__(self, *, upstream: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.upstream = upstream
        self.proxy = Proxy(self.server_port)

    def handle_error(self, *_: object) -> None:
        """Print nothing, because clients may close connections."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def forward(self) -> None:
        proxy = self.server.proxy
        if self.path in proxy.pages:
            self._show(*proxy.pages[self.path])
            return
        proxy.seen.append(Seen(path=self.path, idempotency_key=self.headers["Idempotency-Key"]))
        fate = proxy.fate(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        answered = None if fate == "lose request" else self._ask(body)
        if fate == "pass" and answered is not None:
            self._answer(*answered)
        else:
            self.close_connection = True

    do_GET = do_POST = do_PUT = do_DELETE = do_OPTIONS = forward  # noqa: N815 - http.server calls these names

    def _ask(self, body: bytes) -> tuple[HTTPResponse, bytes] | None:
        port = self.server.upstream
        upstream = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
        try:
            upstream.request(self.command, self.path, body or None, {**headers, "Host": f"localhost:{port}"})
            response = upstream.getresponse()
            return response, response.read()
        except (OSError, HTTPException):
            return None
        finally:
            upstream.close()

    def _answer(self, response: HTTPResponse, body: bytes) -> None:
        self.send_response_only(response.status)
        for name, value in response.getheaders():
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _show(self, media_type: str, text: str) -> None:
        body = text.encode()
        self.send_response_only(200)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextmanager
def proxying(port: int) -> Iterator[Proxy]:
    """Forward all requests to the port of the service."""
    with _Server(upstream=port) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.proxy
        finally:
            server.shutdown()
            thread.join()
