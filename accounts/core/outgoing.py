"""The guarded HTTP client. The service makes all its outgoing HTTP requests through `fetch`."""

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
    # A compressed body could expand to any size.
    "Accept-Encoding": "identity",
    "Connection": "close",
}

# IPv6 addresses outside 2000::/3 are not public: loopback, mapped, NAT64, unique local, link-local and multicast.
_UNICAST_IPV6 = ipaddress.ip_network("2000::/3")
# The special-purpose networks of IANA's registries, and the networks that tunnel into them. The standard library's
# `is_global` accepts some of these networks, and the accepted ones differ between versions of Python.
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
    """The answer of the remote server. A header is found under its name in any case of letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class OutgoingError(Exception):
    """The request got no usable answer. The message never contains the URL, because the URL may contain a secret."""


class TargetRefused(OutgoingError):
    """The service must not call the URL, or the host name resolves to an address that is not public."""


class NoAnswer(OutgoingError):
    """The remote server is unreachable, closed the connection, has no trusted TLS certificate, or was too slow."""


class AnswerTooLarge(OutgoingError):
    """The body of the answer is longer than `max_bytes`."""


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
    """Return the answer to one HTTP request. The client does not follow a redirect, but returns it as the answer.

    `timeout_seconds` limits the whole exchange, including name resolution. `max_bytes` limits the length of the body.
    If `max_bytes` is None, the body is not read and is empty. `allow_private` permits addresses that are not public.
    The client ignores proxies, netrc files and certificates that the environment configures.

    Raises TargetRefused when the URL is not http or https, or contains credentials, and when a header is malformed.
    Raises TargetRefused also when an address of the host is not public and `allow_private` is false. Raises NoAnswer
    when the connection fails or the time is over. Raises AnswerTooLarge when the body is longer than `max_bytes`.
    """
    request = _prepare(method=method, url=url, headers=headers, body=body)
    line = _Line(deadline=monotonic() + timeout_seconds, allow_private=allow_private)
    answer: Future[Answer] = Future()

    def run() -> None:
        try:
            answer.set_result(_exchange(request, line, timeout_seconds=timeout_seconds, max_bytes=max_bytes))
        except Exception as error:  # noqa: BLE001 - the waiting thread raises the error again
            answer.set_exception(error)

    # The exchange runs in a separate thread, because no socket timeout limits its total time. A name server can be
    # slow, and a peer can send one byte now and then. Only another thread can stop waiting at the deadline.
    Thread(target=run, name="outgoing", daemon=True).start()
    try:
        return answer.result(timeout_seconds)
    except TimeoutError:
        raise NoAnswer("There was no answer in time.") from None
    finally:
        line.cut()


def is_public(address: Address) -> bool:
    """Tell whether the address is a unicast address on the public internet.

    False also for IPv6 addresses that embed an IPv4 address: mapped addresses, NAT64, 6to4 and Teredo.
    """
    if address.version == 6 and address not in _UNICAST_IPV6:  # noqa: PLR2004 - 6 is the name of the version
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
    """The connection of one exchange. One thread opens and uses the connection. Another thread may cut it anytime."""

    def __init__(self, *, deadline: float, allow_private: bool) -> None:
        self._deadline = deadline
        self._allow_private = allow_private
        self._lock = Lock()
        self._is_cut = False
        self._handle: socket.socket | None = None

    def connect(self, *, host: str, port: int) -> socket.socket:
        """Return a connection to the first address of the host that accepts one.

        Raises TargetRefused when an address of the host is not public and private addresses are not allowed. Raises
        NoAnswer when the name cannot be resolved, no address accepts a connection, or the line is cut.
        """
        addresses = _resolve(host)
        if not self._allow_private and not all(is_public(ipaddress.ip_address(address)) for address in addresses):
            raise TargetRefused("The name leads to an address that is not public.")
        for tried, address in enumerate(addresses):
            # Each address gets a share of the time; otherwise one address that drops packets would use up all of it.
            share = (self._deadline - monotonic()) / (len(addresses) - tried)
            with suppress(OSError):
                connection = socket.create_connection((address, port), timeout=max(share, 0.001))
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._hold(connection)
                return connection
        raise NoAnswer("No connection could be made.")

    def cut(self) -> None:
        """Shut the connection down, which wakes a thread that waits for it. `connect` then raises NoAnswer."""
        with self._lock:
            self._is_cut = True
            if self._handle is not None:
                with suppress(OSError):  # the peer may have closed the connection already
                    self._handle.shutdown(socket.SHUT_RDWR)
                self._handle.close()

    def _hold(self, connection: socket.socket) -> None:
        with self._lock:
            if self._is_cut:
                connection.close()
                raise NoAnswer("There was no answer in time.")
            # TLS detaches the original socket. The duplicated descriptor still refers to the connection.
            self._handle = connection.dup()


def _resolve(host: str) -> list[str]:
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NoAnswer("The name cannot be resolved.") from None
    return [str(address[0]) for *_, address in found]


class _Connection(HTTPConnection):
    """A connection over the line. The line alone resolves the name, so no second lookup can return another address.

    The name is still used for the Host header, for SNI and for the check of the certificate.
    """

    def __init__(self, *args: Any, line: _Line, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._line = line

    def _new_conn(self) -> socket.socket:
        return self._line.connect(host=self._dns_host, port=self.port)


class _SecureConnection(_Connection, HTTPSConnection):
    """A `_Connection` with TLS."""


class _Adapter(HTTPAdapter):
    """Sends one request over the line.

    The adapter is used without a `requests.Session`, because a session reads the environment. A session would also keep
    cookies and follow redirects.
    """

    def __init__(self, line: _Line) -> None:
        super().__init__()
        self._line = line

    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> HTTPConnectionPool:
        pool = cast("HTTPConnectionPool", super().get_connection_with_tls_context(*args, **kwargs))
        pool.ConnectionCls = _SecureConnection if pool.scheme == "https" else _Connection
        pool.conn_kw["line"] = self._line
        return pool
