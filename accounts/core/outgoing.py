"""The one guarded HTTP client: whatever the service calls, it calls through `fetch`."""

import ipaddress
import socket
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import closing, suppress
from dataclasses import dataclass
from threading import Lock, Thread
from time import monotonic
from typing import Any, TypeAlias, cast
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from requests.exceptions import SSLError
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool
from urllib3.exceptions import HTTPError

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_CHUNK_BYTES = 64 * 1024
_HEADERS = {
    "User-Agent": "authsvc",
    # A compressed body could unpack to any size.
    "Accept-Encoding": "identity",
    "Connection": "close",
}

# IPv6 beyond 2000::/3 (loopback, mapped, NAT64, unique local, link-local, multicast) is not the public internet's.
_UNICAST_IPV6 = ipaddress.ip_network("2000::/3")
# The special purposes that IANA lists, and what tunnels into them. `is_global` lets some of these through, and which
# ones depends on the version of Python.
_SPECIAL = tuple(
    ipaddress.ip_network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "3fff::/20",
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the other end answered. Header names are found in any case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class OutgoingError(Exception):
    """There is no answer. The text never holds the URL, which may hold a secret."""


class TargetRefused(OutgoingError):
    """The URL is not one that may be called, or its name leads to an address that is not public."""


class NoAnswer(OutgoingError):
    """The other end could not be reached, broke off, or took too long."""


class AnswerTooLarge(OutgoingError):
    """The other end answered with more bytes than were asked for."""


def fetch(
    *,
    method: str,
    url: str,
    headers: Mapping[str, str],
    body: bytes | None,
    timeout_seconds: float,
    max_bytes: int | None,
    allow_private: bool,
) -> Answer:
    """Return the answer to one HTTP request, a redirect like any other: it is never followed.

    `timeout_seconds` bounds the whole exchange, name resolution included, and `max_bytes` the body, which is left unread
    and empty for None. With `allow_private` any address may be called, otherwise only names whose addresses are all
    public. Proxies, netrc and certificates that the environment names play no part. Raises TargetRefused, NoAnswer or
    AnswerTooLarge.
    """
    request = _prepare(method=method, url=url, headers=headers, body=body)
    line = _Line(deadline=monotonic() + timeout_seconds, allow_private=allow_private)
    answer: Future[Answer] = Future()

    def run() -> None:
        try:
            answer.set_result(_exchange(request, line, timeout_seconds=timeout_seconds, max_bytes=max_bytes))
        except Exception as error:  # noqa: BLE001 - raised again where the answer is awaited
            answer.set_exception(error)

    # In a thread of its own, because neither a name server nor a peer that sends a byte now and then lets itself be
    # bounded from within: nothing but another thread can walk away.
    Thread(target=run, name="outgoing", daemon=True).start()
    try:
        return answer.result(timeout_seconds)
    except TimeoutError:
        raise NoAnswer("There was no answer in time.") from None
    finally:
        line.cut()


def is_public(address: Address) -> bool:
    """Tell whether the address is one host's on the public internet, and no disguise of an IPv4 address."""
    if address.version == 6 and address not in _UNICAST_IPV6:  # noqa: PLR2004 - that is its name
        return False
    return not any(address in network for network in _SPECIAL)


def _prepare(*, method: str, url: str, headers: Mapping[str, str], body: bytes | None) -> requests.PreparedRequest:
    try:
        request = requests.Request(method, url, headers={**_HEADERS, **headers}, data=body).prepare()
        parts = urlsplit(request.url or "")
        is_callable = parts.scheme in ("http", "https") and parts.hostname
        "".join(headers.values()).encode("latin-1")
    except ValueError:
        is_callable = False
    if not is_callable:
        raise TargetRefused("The URL is not one of http or https, or a header is malformed.")
    if "@" in parts.netloc:
        raise TargetRefused("The URL holds credentials.")
    return request


def _exchange(
    request: requests.PreparedRequest, line: "_Line", *, timeout_seconds: float, max_bytes: int | None
) -> Answer:
    try:
        with (
            closing(_Adapter(line)) as adapter,
            adapter.send(request, stream=True, timeout=timeout_seconds) as response,
        ):
            body = b"" if max_bytes is None else _read_body(response, max_bytes=max_bytes)
            return Answer(status=response.status_code, headers=response.headers, body=body)
    except SSLError:
        raise NoAnswer("There is no trusted TLS connection to be had.") from None
    except (OSError, HTTPError):
        raise NoAnswer("The connection failed or broke off.") from None


def _read_body(response: requests.Response, *, max_bytes: int) -> bytes:
    body = bytearray()
    while chunk := response.raw.read(_CHUNK_BYTES, decode_content=False):
        body += chunk
        if len(body) > max_bytes:
            raise AnswerTooLarge("The answer is too large.")
    return bytes(body)


class _Line:
    """The connection of one exchange. One thread makes and uses it, another may cut it at any moment."""

    def __init__(self, *, deadline: float, allow_private: bool) -> None:
        self._deadline = deadline
        self._allow_private = allow_private
        self._lock = Lock()
        self._is_cut = False
        self._handle: socket.socket | None = None

    def connect(self, *, host: str, port: int) -> socket.socket:
        """Return a connection to the first address of the name that takes one, all of them having been checked."""
        addresses = _resolve(host)
        if not self._allow_private and not all(is_public(ipaddress.ip_address(address)) for address in addresses):
            raise TargetRefused("The name leads to an address that is not public.")
        for tried, address in enumerate(addresses):
            # A share each, so that one address that swallows packets does not use up the time of the others.
            share = (self._deadline - monotonic()) / (len(addresses) - tried)
            with suppress(OSError):
                connection = socket.create_connection((address, port), timeout=max(share, 0.001))
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._hold(connection)
                return connection
        raise NoAnswer("No connection could be made.")

    def cut(self) -> None:
        """End the connection, and whatever waits for it, at once; a later one is refused."""
        with self._lock:
            self._is_cut = True
            if self._handle is not None:
                with suppress(OSError):  # it may have ended by itself
                    self._handle.shutdown(socket.SHUT_RDWR)
                self._handle.close()

    def _hold(self, connection: socket.socket) -> None:
        with self._lock:
            if self._is_cut:
                connection.close()
                raise NoAnswer("There was no answer in time.")
            # A duplicate reaches the connection whatever TLS makes of the socket.
            self._handle = connection.dup()


def _resolve(host: str) -> list[str]:
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NoAnswer("The name cannot be resolved.") from None
    return [str(address[0]) for *_, address in found]


class _Connection(HTTPConnection):
    """A connection over the line: its name is not resolved again, but still stands in Host, SNI and certificate."""

    def __init__(self, *args: Any, line: _Line, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._line = line

    def _new_conn(self) -> socket.socket:
        return self._line.connect(host=self._dns_host, port=self.port)


class _SecureConnection(_Connection, HTTPSConnection):
    """The same under TLS."""


class _Adapter(HTTPAdapter):
    """Sends one request over the line. Without a session there is no environment, no cookie and no redirect."""

    def __init__(self, line: _Line) -> None:
        super().__init__()
        self._line = line

    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> HTTPConnectionPool:
        pool = cast("HTTPConnectionPool", super().get_connection_with_tls_context(*args, **kwargs))
        pool.ConnectionCls = _SecureConnection if pool.scheme == "https" else _Connection
        pool.conn_kw["line"] = self._line
        return pool
