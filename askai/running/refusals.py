"""The SQLSTATE with which a server refuses a connection.

The text of a refusal is in the language of the server, and libpq keeps only this text. Its trace has the SQLSTATE too.
"""

import os
import re
import select
import time

import psycopg
from psycopg import pq

_SQLSTATE = re.compile(rb'ErrorResponse\t(?: [SV] "[^"]*")* C "([0-9A-Z]{5})"')
_READ_MAX = 65_536
_WAITS = {pq.PollingStatus.READING: select.POLLIN, pq.PollingStatus.WRITING: select.POLLOUT}


def find_sqlstate(*, conninfo: str, seconds: float) -> str | None:
    """Connect within the seconds, and return the SQLSTATE of the refusal. None when there is no answer of this kind.

    A connection that is accepted is closed. The trace can contain a password, so it stays in the memory of this process.
    """
    if not hasattr(os, "memfd_create"):
        # psycopg traces on Linux only.
        return None
    trace = os.memfd_create("libpq trace")
    connection = pq.PGconn.connect_start(conninfo.encode())
    try:
        connection.trace(trace)
        connection.set_trace_flags(pq.Trace.SUPPRESS_TIMESTAMPS)
        _finish(connection, deadline=time.monotonic() + seconds)
        connection.untrace()
        found = _SQLSTATE.search(os.pread(trace, _READ_MAX, 0))
    except psycopg.Error:
        return None
    finally:
        connection.finish()
        os.close(trace)
    return found[1].decode() if found else None


def _finish(connection: pq.abc.PGconn, *, deadline: float) -> None:
    """Continue the handshake until it ends or fails, or until the deadline."""
    while (state := pq.PollingStatus(connection.connect_poll())) in _WAITS and (
        left := deadline - time.monotonic()
    ) > 0:
        poll = select.poll()
        poll.register(connection.socket, _WAITS[state])
        poll.poll(left * 1000)
