"""The reading of request bodies. A limited number of threads waits for bodies, and overdue clients are disconnected."""

import ipaddress
import math
import os
import socket
import struct
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from threading import get_ident
from typing import NamedTuple

from django.http import HttpRequest

from ..errors import BadRequest
from ..threads import body_slots

BODY_MAX_BYTES = 64 * 1024
CHECK_SECONDS = 1.0
CROWDED_SECONDS = 2.0
"""The longest time in seconds that a client may take while all slots are taken.

The limit is short, so that slow clients cannot block other clients for long.
"""

_DESCRIPTORS = Path("/proc/self/fd")
# The layout of struct tcp_info in linux/tcp.h: eight bytes, then numbers of 32 bits. The two fields below are in
# milliseconds.
_TCP_INFO = struct.Struct("8x12I")
_SINCE_SENT, _SINCE_RECEIVED = 9, 11


class _Endpoints(NamedTuple):
    """The data about a connection that a request contains: the server's port and the client's address.

    A request does not contain the client's port.
    """

    port: str
    client: str


# Maps each thread that waits for a body to the connection of the body.
_awaited: dict[int, _Endpoints] = {}


def read(request: HttpRequest) -> bytes:
    """Return the whole body of a request. The caller has checked that Content-Length is a valid number.

    Raises BadRequest when the connection ended before the end of the body. The client or `cut_overdue` may have ended
    the connection. Raises Overloaded when too many threads already wait for bodies.
    """
    with body_slots.taken():
        thread = get_ident()
        _awaited[thread] = _Endpoints(request.META.get("SERVER_PORT", ""), request.META.get("REMOTE_ADDR", ""))
        try:
            raw = request.body
        finally:
            del _awaited[thread]
    if len(raw) < int(request.META["CONTENT_LENGTH"]):
        raise BadRequest("The body is incomplete. Send it again.")
    return raw


def cut_overdue() -> None:
    """Shut down the receiving side of each connection whose body is overdue. Runs as long as the process lives.

    A thread that waits for a body cannot be interrupted, but the end of the received data wakes the thread. This works
    only on Linux; on other systems the call returns at once.
    """
    while _DESCRIPTORS.is_dir():
        time.sleep(CHECK_SECONDS)
        seconds = CROWDED_SECONDS if body_slots.is_full() else body_slots.seconds or math.inf
        latest = time.monotonic() - seconds
        overdue = [
            _awaited.get(thread) for thread, taken_since in body_slots.taken_since().items() if taken_since < latest
        ]
        if slow := {_Endpoints(found.port, _canonical(found.client)) for found in overdue if found}:
            _cut(slow, seconds=seconds)


def _cut(slow: Collection[_Endpoints], *, seconds: float) -> None:
    """Shut down the receiving side of the connections with these endpoints that are unanswered for `seconds`.

    The endpoints lack the client's port, so another slow request from the same address may also be cut off.
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
