"""Clients that send their bodies slowly."""

import socket
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from django.conf import settings

from core.http.bodies import CUT_REQUESTS
from core.threads import NETWORK_BODY_THREADS, THREADS
from tests.answer import Answer
from tests.client import PASSWORD
from tests.patience import is_soon

from .conftest import Run
from .running import call

HEAD = b"POST /v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
SLOW, OTHER = "127.0.0.1", "127.0.0.2"
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


@pytest.mark.skipif(sys.platform != "linux", reason="the server finds slow clients in /proc")
@pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="a site has settings of its own")
@pytest.mark.parametrize("proxy", ["", SLOW])
def test_a_network_with_many_slow_clients_blocks_no_client_of_another_network(serve: Run, proxy: str) -> None:
    edge = NETWORK_BODY_THREADS * CUT_REQUESTS
    port = serve(TRUSTED_PROXIES=proxy, RATE_LIMITS=f"edge={edge}/m").await_ready()

    def send(method: str, path: str, body: object = None, *, client: str) -> Answer:
        forwarded = {"X-Forwarded-For": client} if proxy else None
        return call(port, method, path, body, source=proxy or client, headers=forwarded)

    with ExitStack() as stack, ThreadPoolExecutor(12) as readers:
        slow = [stack.enter_context(socket.create_connection((SLOW, port), 30)) for _ in range(12)]
        for connection in slow:
            connection.sendall(HEAD.replace(b"\r\n", f"\r\nX-Forwarded-For: {SLOW}0\r\n".encode(), 1))
        answers = [readers.submit(connection.recv, 12) for connection in slow]

        asked_at = time.monotonic()
        assert send("POST", "/v1/signup", PERSON, client=OTHER).status == 201
        for _ in range(5):
            assert (
                send("POST", "/v1/login", {**PERSON, "password": "wrong"}, client=OTHER).code == "invalid_credentials"
            )
            assert send("GET", "/v1/verify", client=OTHER).code == "missing_auth_header"
        assert is_soon(time.monotonic() - asked_at, limit=1.5)

        # The bodies that the server cuts off use up the limit of their network.
        statuses = Counter(answer.result() for answer in answers)
        assert set(statuses) <= {b"HTTP/1.1 503", b"HTTP/1.1 400", b"HTTP/1.1 429"}
        assert statuses[b"HTTP/1.1 429"]
        assert send("GET", "/v1/account/sessions", client=f"{SLOW}0" if proxy else SLOW).code == "rate_limited"
        assert send("GET", "/v1/account/sessions", client=OTHER).code == "not_found"
