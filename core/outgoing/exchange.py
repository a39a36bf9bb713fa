"""One outgoing HTTP request, with the library `requests`."""

import ipaddress
import socket
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from functools import partial
from typing import Any, TypeAlias, cast
from urllib.parse import urlsplit

import requests
from django.utils.translation import gettext_noop
from requests.adapters import HTTPAdapter
from requests.exceptions import SSLError
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool
from urllib3.exceptions import HTTPError
from urllib3.util.ssl_ import create_urllib3_context

from .. import tracing
from ..conf import core_settings
from ..deadline import Deadline, run_within
from .answers import Answer, AnswerTooLarge, NoAnswer, TargetRefused

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Connect: TypeAlias = Callable[[str, int], socket.socket]
"""A function that opens a connection to a host and a port."""

BEGINNING_SECONDS = 1.0
"""The time in which the beginning of a body must arrive. A slow body must not delay its reader."""

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


def exchange(
    *,
    method: str,
    url: str,
    headers: Mapping[str, str],
    body: bytes | None,
    timeout_seconds: float,
    max_bytes: int | None,
    allow_private: bool,
    beginning_bytes: int,
) -> Answer:
    """Return the answer to one HTTP request. `fetch` states the rules and the errors."""
    request = _prepare(method=method, url=url, headers=headers, body=body)

    def read(response: requests.Response, deadline: Deadline) -> bytes:
        if max_bytes is None:
            return _read_beginning(response, deadline, max_bytes=beginning_bytes)
        return _read_body(response, max_bytes=max_bytes)

    def call(deadline: Deadline) -> Answer:
        connect = partial(_connect, deadline, allow_private=allow_private)
        return _exchange(request, connect, timeout_seconds=timeout_seconds, read=partial(read, deadline=deadline))

    with tracing.outgoing_call(method=method, host=urlsplit(request.url or "").hostname or "") as trace:
        request.headers.update(trace)
        try:
            return run_within(timeout_seconds, call, name="outgoing")
        except TimeoutError:
            raise NoAnswer(gettext_noop("The server did not answer in time.")) from None


def is_public(address: Address) -> bool:
    """Return whether the address is a unicast address on the public internet.

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
        raise TargetRefused(gettext_noop("The URL is not an http or https URL, or a header is malformed."))
    if "@" in parts.netloc:
        raise TargetRefused(gettext_noop("The URL must not contain credentials."))
    return request


def _exchange(
    request: requests.PreparedRequest,
    connect: Connect,
    *,
    timeout_seconds: float,
    read: Callable[[requests.Response], bytes],
) -> Answer:
    try:
        with (
            closing(_Adapter(connect)) as adapter,
            adapter.send(request, stream=True, timeout=timeout_seconds) as response,
        ):
            return Answer(status=response.status_code, headers=response.headers, body=read(response))
    except SSLError:
        raise NoAnswer(gettext_noop("The server has no trusted TLS certificate, or TLS failed.")) from None
    except (OSError, HTTPError):
        raise NoAnswer(gettext_noop("The connection failed or was closed early.")) from None


def _read_body(response: requests.Response, *, max_bytes: int) -> bytes:
    body = bytearray()
    while chunk := response.raw.read(_CHUNK_BYTES, decode_content=False):
        body += chunk
        if len(body) > max_bytes:
            raise AnswerTooLarge(gettext_noop("The answer is too large."))
    return bytes(body)


def _read_beginning(response: requests.Response, deadline: Deadline, *, max_bytes: int) -> bytes:
    body = bytearray()
    # `read` waits for all bytes. `read1` returns those that arrived, but urllib3 1.26 does not have it.
    read = getattr(response.raw, "read1", response.raw.read)
    with suppress(OSError, HTTPError), deadline.shortened(BEGINNING_SECONDS):
        while len(body) < max_bytes and (chunk := read(max_bytes - len(body), decode_content=False)):
            body += chunk
    return bytes(body[:max_bytes])


def _connect(deadline: Deadline, host: str, port: int, *, allow_private: bool) -> socket.socket:
    """Return a connection to the first address of the host that accepts one.

    Raises TargetRefused when an address of the host is not public and private addresses are not allowed. Raises
    NoAnswer when the name cannot be resolved, no address accepts a connection, or the deadline has expired.
    """
    addresses = _resolve(host)
    if not allow_private and not all(is_public(ipaddress.ip_address(address)) for address in addresses):
        raise TargetRefused(gettext_noop("The host name resolves to an address that is not public."))
    for address, seconds in deadline.shares(addresses):
        with suppress(OSError):
            connection = socket.create_connection((address, port), timeout=seconds)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if not deadline.attach(connection.fileno()):
                connection.close()
                raise NoAnswer(gettext_noop("The server did not answer in time."))
            return connection
    raise NoAnswer(gettext_noop("The server is not reachable."))


def _resolve(host: str) -> list[str]:
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NoAnswer(gettext_noop("The host name cannot be resolved.")) from None
    return [str(address[0]) for *_, address in found]


class _Connection(HTTPConnection):
    """A connection that `connect` opens.

    Only `connect` resolves the name. A second lookup could return another address, which was not checked.

    The name is still used for the Host header, for SNI and for the check of the certificate.
    """

    def __init__(self, *args: Any, connect: Connect, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._open = connect

    def _new_conn(self) -> socket.socket:
        return self._open(self._dns_host, self.port)


class _SecureConnection(_Connection, HTTPSConnection):
    """A `_Connection` with TLS."""


class _Adapter(HTTPAdapter):
    """Sends one request over a connection that `connect` opens.

    The adapter is used without a `requests.Session`, because a session reads the environment. A session would also keep
    cookies and follow redirects.
    """

    def __init__(self, connect: Connect) -> None:
        super().__init__()
        self._connect = connect

    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> HTTPConnectionPool:
        pool = cast("HTTPConnectionPool", super().get_connection_with_tls_context(*args, **kwargs))
        pool.ConnectionCls = _SecureConnection if pool.scheme == "https" else _Connection
        pool.conn_kw["connect"] = self._connect
        if pool.scheme == "https" and (own := core_settings().outgoing_ca_file):
            # The library adds the public authorities to the context.
            pool.conn_kw["ssl_context"] = create_urllib3_context()
            pool.conn_kw["ssl_context"].load_verify_locations(own)
        return pool
