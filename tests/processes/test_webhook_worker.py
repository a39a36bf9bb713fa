"""Workers that are killed at each step of a delivery, and workers that share the deliveries."""

import socket
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import psycopg
import pytest
from django.conf import settings

from core import clock
from tests.client import PASSWORD
from tests.loopback import Peer, Received, answering, dripping, response, serving

from .conftest import Run
from .running import call, until

EVENTS = 3
LEASE = timedelta(minutes=5)

pytestmark = pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="the worker is the same on every site")


class Database:
    """The database of the processes, seen from outside."""

    def __init__(self, url: str) -> None:
        self._url = url

    def deliveries(self) -> list[tuple[str, str, int]]:
        """Return status, payload and attempts of every delivery."""
        with self._session() as session:
            query = "SELECT status, payload, attempts FROM authsvc_accounts_delivery ORDER BY id"
            return list(session.execute(query).fetchall())

    def statuses(self) -> set[str]:
        """Return the set of statuses that the deliveries have."""
        return {status for status, _, _ in self.deliveries()}

    def leases(self) -> list[datetime]:
        """Return the time at which each delivery's lease ends."""
        with self._session() as session:
            found = session.execute("SELECT next_attempt_at FROM authsvc_accounts_delivery").fetchall()
        moments = [datetime.fromisoformat(str(moment)) for (moment,) in found]
        return [moment if moment.tzinfo else moment.replace(tzinfo=UTC) for moment in moments]

    def end_leases(self) -> None:
        """Let every lease expire."""
        with self._session() as session:
            session.execute("UPDATE authsvc_accounts_delivery SET next_attempt_at = '2026-01-01 00:00:00'")

    @contextmanager
    def locked_for_writes(self) -> Iterator[None]:
        """Lock the deliveries against writes during the block."""
        with self._session() as session:
            session.execute("BEGIN IMMEDIATE" if self._is_sqlite else "BEGIN")
            session.execute("UPDATE authsvc_accounts_delivery SET attempts = attempts")
            yield
            session.execute("ROLLBACK")

    @property
    def _is_sqlite(self) -> bool:
        return self._url.startswith("sqlite:")

    @contextmanager
    def _session(self) -> Iterator[Any]:
        if self._is_sqlite:
            path = self._url.removeprefix("sqlite:///")
            session: Any = sqlite3.connect(path, isolation_level=None, timeout=30, check_same_thread=False)
        else:
            session = psycopg.connect(self._url, autocommit=True)
        try:
            yield session
        finally:
            session.close()


@pytest.fixture
def database(database_url: str) -> Database:
    """The database of the processes."""
    return Database(database_url)


def to(url: str) -> dict[str, str]:
    """Return the environment variables that make the processes send webhooks to this address."""
    return {"WEBHOOK_URL": url, "WEBHOOK_SECRET": "whsec_" + "c2Vj" * 10, "WEBHOOK_ALLOW_PRIVATE": "on"}


def sign_up(port: int, number: int) -> str:
    answer = call(port, "POST", "/v1/signup", {"email": f"alice{number}@example.com", "password": PASSWORD})
    return str(answer.data["user_id"])


@pytest.fixture
def events(serve: Run) -> None:
    """Record events that wait for their delivery."""
    server = serve("--no-worker", **to("https://hooks.example.invalid/"))
    port = server.await_ready()
    for number in range(EVENTS):
        sign_up(port, number)
    assert server.stop() == 0


def received_messages(*peers: Peer) -> Counter[tuple[str, bytes]]:
    """Return how many times the peers received each message. The key is the message's id and its body."""
    return Counter((received.headers["webhook-id"], received.body) for peer in peers for received in peer.received)


def assert_claimed(database: Database, *, times: int) -> list[str]:
    """Assert that the killed worker claimed each event for the time of a lease. Let the leases end.

    Return the payloads.
    """
    left = database.deliveries()
    assert {(status, attempts) for status, _, attempts in left} == {("in_flight", times)}
    assert len(left) == EVENTS
    assert max(database.leases()) <= clock.now() + LEASE
    database.end_leases()
    return [payload for _, payload, _ in left]


@pytest.mark.usefixtures("events")
def test_the_events_of_a_worker_that_is_killed_at_any_step_of_a_delivery_are_sent_again(
    manage: Run, database: Database
) -> None:
    payloads = kill_before_it_sends(manage, database)
    with serving(dripping(b"", b"")) as second:
        worker = manage("worker", **to(second.url()))
        until(lambda: len(second.received) == EVENTS, what="every event being received")
        worker.kill()
    assert assert_claimed(database, times=2) == payloads
    third = kill_before_it_records_the_answers(manage, database)
    assert assert_claimed(database, times=3) == payloads
    with serving(answering(response())) as last:
        worker = manage("worker", **to(last.url()))
        until(lambda: database.statuses() == {"delivered"}, what="every event being delivered")
        assert worker.stop() == 0

    assert {body.decode() for _, body in received_messages(last)} == set(payloads)
    assert set(received_messages(last).values()) == {1}
    assert {attempts for _, _, attempts in database.deliveries()} == {4}
    assert received_messages(second) == received_messages(third) == received_messages(last)


def kill_before_it_sends(manage: Run, database: Database) -> list[str]:
    """Kill a worker that has claimed the events and has sent no byte of them. Return their payloads."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        # This TLS handshake never ends.
        worker = manage("worker", **to(f"https://127.0.0.1:{silent.getsockname()[1]}/"))
        until(lambda: database.statuses() == {"in_flight"}, what="a claim")
        worker.kill()
    return assert_claimed(database, times=1)


def kill_before_it_records_the_answers(manage: Run, database: Database) -> Peer:
    """Kill a worker that has read every answer, and return the peer that answered."""
    all_requests, may_answer = threading.Barrier(EVENTS + 1), threading.Event()
    has_read: list[Received] = []

    def answer_when_no_worker_can_write(peer: Peer, send: Callable[[bytes], object]) -> None:
        all_requests.wait(30)
        may_answer.wait(30)
        try:
            # The write after the answer fails as soon as the worker has read the answer and closed the connection.
            dripping(response(), b"x")(peer, send)
        except OSError:
            has_read.append(peer.received[0])
            raise

    with serving(answer_when_no_worker_can_write) as peer:
        worker = manage("worker", **to(peer.url()))
        all_requests.wait(30)
        with database.locked_for_writes():
            may_answer.set()
            until(lambda: len(has_read) == EVENTS, what="every answer being read")
            worker.kill()
    return peer


def test_workers_on_one_database_never_send_one_event_at_the_same_time(
    serve: Run, manage: Run, database: Database
) -> None:
    receiver = Receiver()
    with serving(receiver) as peer:
        port = serve("--no-worker", **to(peer.url())).await_ready()
        workers = [manage("worker", **to(peer.url())) for _ in range(2)]
        for worker in workers:
            until(partial(worker.logged, "background worker started"), what="a worker")
        with ThreadPoolExecutor(8) as callers:
            list(callers.map(lambda number: sign_up(port, number), range(40)))
        until(lambda: database.statuses() == {"delivered"} and len(peer.received) >= 40, what="the end")
        assert [worker.stop() for worker in workers] == [0, 0]

    assert receiver.overlaps == []
    assert Counter(received_messages(peer).values()) == {1: 40}
    assert {attempts for _, _, attempts in database.deliveries()} == {1}


class Receiver:
    """Answer after a pause, and record each message that arrives again during its pause."""

    def __init__(self) -> None:
        self.overlaps: list[str] = []
        self._busy_with: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._seen = 0

    def __call__(self, peer: Peer, send: Callable[[bytes], object]) -> None:
        with self._lock:
            message_id = peer.received[self._seen].headers["webhook-id"]
            self._seen += 1
            if self._busy_with[message_id]:
                self.overlaps.append(message_id)
            self._busy_with[message_id] += 1
        peer.is_over.wait(0.1)
        with self._lock:
            self._busy_with[message_id] -= 1
        send(response())
