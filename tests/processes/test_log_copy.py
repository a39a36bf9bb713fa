"""The copy of the log, with processes that start, stop and die."""

import os
import signal
import sqlite3
from collections import Counter
from contextlib import closing

import orjson
import psycopg
import pytest
from django.conf import settings

from .conftest import Run
from .running import call, until

REQUESTS = 5

pytestmark = pytest.mark.skipif(
    settings.ROOT_URLCONF != "config.urls", reason="how processes live and die does not depend on the site"
)


def copied(database_url: str) -> Counter[str]:
    """Return the number of lines of each message. Lines of requests count by their route."""
    query = "SELECT message, fields FROM authsvc_accounts_shippedlog"
    path = database_url.removeprefix("sqlite:///")
    if path != database_url:
        with closing(sqlite3.connect(path, timeout=30)) as session:
            found = session.execute(query).fetchall()
    else:
        with closing(psycopg.connect(database_url, autocommit=True)) as session:
            found = session.execute(query).fetchall()
    return Counter(orjson.loads(fields).get("route", message) for message, fields in found)


def test_a_service_copies_every_line_of_its_stop_and_of_its_parent_between_two_forks_once(
    serve: Run, database_url: str
) -> None:
    server = serve(LOG_SHIPPING="record")
    port = server.await_ready()
    # The worker's line would be lost with the worker until it is stored.
    until(lambda: copied(database_url)["background worker started"] == 1, what="the first worker's line")
    [worker] = server.worker_pids()

    os.kill(worker, signal.SIGKILL)
    until(lambda: copied(database_url)["background worker started"] == 2, what="the second worker's line")
    for _ in range(REQUESTS):
        call(port, "GET", "/v1/sessions")
    assert server.stop() == 0

    lines = copied(database_url)
    assert lines["v1/sessions"] == REQUESTS
    assert lines["a process ended, starting it again"] == 1
    assert (lines["background worker started"], lines["background worker stopped"]) == (2, 1)


def test_a_stopping_worker_copies_every_line(manage: Run, database_url: str) -> None:
    worker = manage("worker", LOG_SHIPPING="record")
    until(lambda: worker.logged("background worker started"), what="the worker")

    assert worker.stop() == 0

    lines = copied(database_url)
    assert (lines["background worker started"], lines["background worker stopped"]) == (1, 1)
