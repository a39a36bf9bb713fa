"""The reading of request bodies. A limited number of threads waits for bodies, and overdue clients are disconnected."""

import ipaddress
import os
import socket
import struct
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from django.http import HttpRequest

from .. import ratelimit
from ..body_slots import Sender
from ..clock import now as read_clock
from ..errors import BadRequest
from ..threads import body_slots
from .client import address_of

BODY_MAX_BYTES = 64 * 1024
CHECK_SECONDS = 0.5
CUT_REQUESTS = 100
"""The number of requests as which an incomplete body counts against the limit `edge`.

An incomplete body holds a thread for seconds. Thirty of them a minute reach the default limit.
"""

_DESCRIPTORS = Path("/proc/self/fd")
# The layout of struct tcp_info in linux/tcp.h: eight bytes, then numbers of 32 bits. The two fields below are in
# milliseconds.
_TCP_INFO = struct.Struct("8x12I")
_SINCE_SENT, _SINCE_RECEIVED = 9, 11


class _Endpoints(NamedTuple):
    """The data about a connection that a request contains: the server's port and the peer's address.

    A request does not contain the peer's port.
    """

    port: str
    peer: str


def read(request: HttpRequest) -> bytes:
    """Return the whole body of a request. The caller has checked that Content-Length is a valid number.

    Raises BadRequest when the connection ended before the end of the body. The client or `cut_overdue` may have ended
    the connection. Such a body counts against the limit `edge`, and raises RateLimited beyond it. Raises Overloaded when
    too many threads already wait for bodies.
    """
    client = address_of(request)
    sender = Sender(
        network=ratelimit.network_key(client),
        peer=request.META.get("REMOTE_ADDR", ""),
        port=request.META.get("SERVER_PORT", ""),
    )
    with body_slots.taken(sender):
        raw = request.body
    if len(raw) < int(request.META["CONTENT_LENGTH"]):
        # The body took seconds, so the time of the request is too old.
        ratelimit.hit_edge(client, now=read_clock(), requests=CUT_REQUESTS)
        raise BadRequest("The body is incomplete. Send it again.")
    return raw


def cut_overdue() -> None:
    """Shut down the receiving side of each connection whose body is overdue. Runs as long as the process lives.

    A thread that waits for a body cannot be interrupted, but the end of the received data wakes the thread. This works
    only on Linux; on other systems the call returns at once.
    """
    while _DESCRIPTORS.is_dir():
        time.sleep(CHECK_SECONDS)
        overdue: dict[float, set[_Endpoints]] = {}
        for sender, seconds in body_slots.find_overdue():
            overdue.setdefault(seconds, set()).add(_Endpoints(sender.port, _canonical(sender.peer)))
        for seconds, slow in overdue.items():
            _cut(slow, seconds=seconds)


def _cut(slow: Collection[_Endpoints], *, seconds: float) -> None:
    """Shut down the receiving side of the connections with these endpoints that are unanswered for `seconds`.

    The endpoints lack the peer's port, so another slow request from the same address may also be cut off.
    """
    for entry in list(_DESCRIPTORS.iterdir()):
        # Most descriptors are not sockets or have no peer. Another thread can close a descriptor at any time.
        with suppress(OSError, ValueError), _duplicate(int(entry.name)) as connection:
            if connection.family not in (socket.AF_INET, socket.AF_INET6):
                continue
            endpoints = _Endpoints(str(connection.getsockname()[1]), _canonical(connection.getpeername()[0]))
            if endpoints in slow and _unanswered_seconds(connection) >= seconds:
                connection.shutdown(socket.SHUT_RD)


def _duplicate(descriptor: int) -> socket.socket:
    """Return the descriptor's socket under a duplicated descriptor.

    The duplicate refers to the same socket even when another thread closes the original descriptor. Raises OSError when
    the descriptor is not a socket.
    """
    duplicate = os.dup(descriptor)
    try:
        return socket.socket(fileno=duplicate)
    except OSError:
        os.close(duplicate)
        raise


def _unanswered_seconds(connection: socket.socket) -> float:
    """Return the seconds since the server last sent data, or 0 when the client has sent nothing since then."""
    numbers = _TCP_INFO.unpack(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO.size))
    since_sent, since_received = numbers[_SINCE_SENT] / 1000, numbers[_SINCE_RECEIVED] / 1000
    return since_sent if since_received <= since_sent else 0.0


def _canonical(address: str) -> str:
    """Return the address in its canonical form. An IPv4-mapped IPv6 address becomes an IPv4 address."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)
