"""Bodies of requests: a share of the threads waits for them, and a client that takes too long is cut off."""

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
from ..threads import bodies

LOOK_SECONDS = 1.0
CROWDED_SECONDS = 2.0
"""How long a client may take while every place is taken: slow clients must not keep the others out for long."""

_DESCRIPTORS = Path("/proc/self/fd")
# struct tcp_info of linux/tcp.h: eight bytes, then numbers of 32 bits; these two are in milliseconds.
_TCP_INFO = struct.Struct("8x12I")
_SINCE_SENT, _SINCE_RECEIVED = 9, 11


class _Line(NamedTuple):
    """What a request tells of its connection: our port and the client's address, but not the client's port."""

    port: str
    client: str


# The connection whose body a thread waits for, by thread identifier.
_awaited: dict[int, _Line] = {}


def read(request: HttpRequest) -> bytes:
    """Return the body, whole, of a request with a valid Content-Length.

    Raises BadRequest when the client ended or was cut off before its end, Overloaded when too many threads wait for
    bodies already.
    """
    with bodies.place():
        thread = get_ident()
        _awaited[thread] = _Line(request.META.get("SERVER_PORT", ""), request.META.get("REMOTE_ADDR", ""))
        try:
            raw = request.body
        finally:
            del _awaited[thread]
    if len(raw) < int(request.META["CONTENT_LENGTH"]):
        raise BadRequest("The body did not arrive in full.")
    return raw


def cut_overdue() -> None:
    """Cut off each client whose body is overdue, for as long as this process lives. Works on Linux alone.

    A thread that waits for a body cannot be interrupted, but the end of what the client sends wakes it.
    """
    while _DESCRIPTORS.is_dir():
        time.sleep(LOOK_SECONDS)
        seconds = CROWDED_SECONDS if bodies.is_full() else bodies.seconds or math.inf
        latest = time.monotonic() - seconds
        overdue = [_awaited.get(thread) for thread, began in bodies.began().items() if began < latest]
        if lines := {_Line(line.port, _plain(line.client)) for line in overdue if line}:
            _cut(lines, seconds=seconds)


def _cut(lines: Collection[_Line], *, seconds: float) -> None:
    """End what the clients can send on those of the connections that have been unanswered for so many seconds.

    A line lacks the client's port, so this may include another slow request of the same address.
    """
    for entry in list(_DESCRIPTORS.iterdir()):
        # Most descriptors are no sockets or have no client, and any of them may be closed meanwhile.
        with suppress(OSError, ValueError), _duplicate(int(entry.name)) as connection:
            if connection.family not in (socket.AF_INET, socket.AF_INET6):
                continue
            line = _Line(str(connection.getsockname()[1]), _plain(connection.getpeername()[0]))
            if line in lines and _unanswered_seconds(connection) >= seconds:
                connection.shutdown(socket.SHUT_RD)


def _duplicate(descriptor: int) -> socket.socket:
    """Return the socket under a descriptor of our own, which stays the same socket. OSError when it is none."""
    own = os.dup(descriptor)
    try:
        return socket.socket(fileno=own)
    except OSError:
        os.close(own)
        raise


def _unanswered_seconds(connection: socket.socket) -> float:
    """Return how long ago we last sent something, 0 when the client has sent nothing since then."""
    numbers = _TCP_INFO.unpack(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO.size))
    since_sent, since_received = numbers[_SINCE_SENT] / 1000, numbers[_SINCE_RECEIVED] / 1000
    return since_sent if since_received <= since_sent else 0.0


def _plain(address: str) -> str:
    """Return the address in its one spelling; an IPv4 address that is written as IPv6 becomes IPv4."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)
