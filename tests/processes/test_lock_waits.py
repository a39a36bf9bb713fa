"""Callers that wait for a lock in the database: no outage, neither for them nor for health."""

import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from threading import Barrier

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from tests.client import PASSWORD

from .conftest import Run
from .running import call

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(settings.ROOT_URLCONF != "config.urls", reason="only `serve` limits the threads that wait"),
]

CALLERS = 55
HELD_SECONDS = 4.0
WRONG = {"email": "alice@example.com", "password": "not the password"}
LOCK = "SELECT 1 FROM authsvc_accounts_account FOR UPDATE"


@contextmanager
def held_lock(database_url: str) -> Iterator[None]:
    """Hold the lock of every account's row, or on SQLite the only lock to write."""
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(database_url.removeprefix("sqlite:///"), isolation_level=None)) as session:
            session.execute("BEGIN IMMEDIATE")
            yield
            session.execute("ROLLBACK")
        return
    with psycopg.connect(database_url) as session:
        session.execute(LOCK)
        yield


def test_parallel_wrong_passwords_that_wait_for_a_lock_are_no_outage(serve: Run, database_url: str) -> None:
    server = serve("--no-worker")
    port = server.await_ready()
    assert call(port, "POST", "/v1/signup", WRONG | {"password": PASSWORD}).status == 201
    at_once = Barrier(CALLERS + 1)

    def guess(_number: int) -> str | None:
        at_once.wait()
        return call(port, "POST", "/v1/login", WRONG).code

    with ThreadPoolExecutor(CALLERS) as pool:
        with held_lock(database_url):
            answers = [pool.submit(guess, number) for number in range(CALLERS)]
            at_once.wait()
            until = time.monotonic() + HELD_SECONDS
            health = []
            while time.monotonic() < until:
                health.append(call(port, "GET", "/v1/health").status)
        codes = Counter(answer.result() for answer in answers)

    assert set(health) == {200}
    assert codes["overloaded"] > 0
    assert codes.keys() <= {"overloaded", "invalid_credentials", "account_locked"}
    assert server.logged("database unreachable") == []
