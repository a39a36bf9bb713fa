"""Clients that send their bodies slowly."""

import socket
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from core.threads import THREADS
from tests.client import PASSWORD
from tests.patience import is_soon

from .conftest import Run
from .running import call

HEAD = b"POST /v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
PERSON = {"email": "alice@example.com", "password": PASSWORD}


@pytest.mark.skipif(sys.platform != "linux", reason="the server finds slow clients in /proc")
def test_slow_clients_are_cut_off_and_block_no_other_client(serve: Run) -> None:
    port = serve().await_ready()
    with ExitStack() as stack, ThreadPoolExecutor(2 * THREADS) as readers:
        slow = [stack.enter_context(socket.create_connection(("localhost", port), 30)) for _ in range(2 * THREADS)]
        for connection in slow:
            connection.sendall(HEAD)
        answers = [readers.submit(connection.recv, 12) for connection in slow]

        asked_at = time.monotonic()
        assert call(port, "GET", "/v1/health").status == 200
        assert call(port, "GET", "/v1/verify").code == "missing_auth_header"
        assert is_soon(time.monotonic() - asked_at, limit=3)

        # Most slow clients get no thread. The server cuts off the others soon, because they occupy all threads.
        statuses = Counter(answer.result() for answer in answers)
        assert set(statuses) == {b"HTTP/1.1 503", b"HTTP/1.1 400"}
        assert is_soon(time.monotonic() - asked_at, limit=10)
        assert call(port, "POST", "/v1/signup", PERSON).status == 201
