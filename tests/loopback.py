"""Real servers on loopback that send exactly the bytes that a test defines."""

import socketserver
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import parse_headers
from threading import Event, Thread
from typing import Any

Talk = Callable[["Peer", Callable[[bytes], object]], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """One request as the peer received it."""

    line: str
    headers: dict[str, str]
    body: bytes


@dataclass(slots=True)
class Peer:
    """A running server. `has_disconnected` is set after a client's connection broke during an answer."""

    port: int
    received: list[Received] = field(default_factory=list)
    has_disconnected: Event = field(default_factory=Event)
    is_over: Event = field(default_factory=Event)

    def url(self, path: str = "/", *, scheme: str = "http", host: str = "127.0.0.1") -> str:
        """Return a URL of the peer."""
        return f"{scheme}://{host}:{self.port}{path}"


def answering(answer: bytes) -> Talk:
    """Return a function that sends the bytes and closes the connection."""
    return lambda _peer, send: send(answer)


def dripping(start: bytes, drop: bytes) -> Talk:
    """Return a function that sends `start`, then `drop` repeatedly until the peer ends or the client disconnects."""

    def talk(peer: Peer, send: Callable[[bytes], object]) -> None:
        send(start)
        while not peer.is_over.wait(0.01):
            send(drop)

    return talk


def response(body: bytes = b"", *, status: str = "200 OK", headers: str = "") -> bytes:
    """Return an HTTP response with a Content-Length. It ends the connection, since a peer answers one request on each."""
    head = f"HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {len(body)}\r\n{headers}\r\n"
    return head.encode() + body


@contextmanager
def serving(talk: Talk, *, tls: ssl.SSLContext | None = None) -> Iterator[Peer]:
    """Run a peer that reads a request on each connection and then sends its answer."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            with suppress(OSError, ValueError):
                if tls is not None:
                    self.request = tls.wrap_socket(self.request, server_side=True)
                    super().setup()
                line = self.rfile.readline().decode().strip()
                if not line:
                    return
                headers = dict(parse_headers(self.rfile))
                body = self.rfile.read(int(headers.get("Content-Length", "0")))
                peer.received.append(Received(line=line, headers=headers, body=body))
                try:
                    talk(peer, self.wfile.write)
                except OSError:
                    peer.has_disconnected.set()

        def finish(self) -> None:
            with suppress(OSError):
                super().finish()
            self.request.close()

    class Server(socketserver.ThreadingTCPServer):
        # Several workers make eight calls each at once. The library's default backlog is five.
        request_queue_size = 128

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Print nothing, because tests make connections fail deliberately."""

    with Server(("127.0.0.1", 0), Handler) as server:
        peer = Peer(server.server_address[1])
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield peer
        finally:
            peer.is_over.set()
            server.shutdown()
            thread.join()
