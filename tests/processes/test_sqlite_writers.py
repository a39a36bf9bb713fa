"""Many threads of several processes write into one SQLite file."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from threading import Barrier

import django
import pytest
from django.core.management import call_command
from django.db import connection

from accounts.acts.signup import sign_up
from accounts.models import Event
from core import clock
from core.http.client import Client
from sessions_app.families.issuing import TokenPair
from sessions_app.families.rotation import rotate
from sessions_app.logins.login import log_in
from tests.client import PASSWORD

PROCESSES = 4
THREADS = 16
DURATION = timedelta(seconds=2)
CLIENT = Client(ip="203.0.113.7", user_agent="")


@dataclass(frozen=True)
class Refreshed:
    """The result of a writer: its newest token, and the number of its refreshes."""

    newest: str
    times: int


def open_session(number: int) -> str:
    email = f"alice{number}@example.com"
    sign_up(email=email, password=PASSWORD, client=CLIENT, now=clock.now())
    pair = log_in(email=email, password=PASSWORD, client=CLIENT, now=clock.now())
    assert isinstance(pair, TokenPair)
    return pair.refresh_token


def refresh(token: str) -> str:
    return rotate(refresh_token=token, idempotency_key=None, client=CLIENT, now=clock.now()).refresh_token


def keep_refreshing(token: str) -> Refreshed:
    """Run one writer. An error of a refresh ends the test."""
    times, until = 0, clock.now() + DURATION
    while clock.now() < until:
        token, times = refresh(token), times + 1
    connection.close()
    return Refreshed(token, times)


def run_writers(tokens: Sequence[str], start: Barrier) -> list[Refreshed]:
    """Run the writers of one process. All processes start together."""
    start.wait()
    with ThreadPoolExecutor(len(tokens)) as threads:
        return list(threads.map(keep_refreshing, tokens))


def count_refreshes() -> int:
    return Event.objects.filter(type="token_rotated").count()


def check_integrity() -> str:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA integrity_check")
        return str(cursor.fetchone()[0])


@pytest.mark.skipif(connection.vendor != "sqlite", reason="about writers of one SQLite file")
def test_no_writer_receives_a_lock_error_and_every_acknowledged_write_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "config.settings")
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/auth.sqlite3")
    spawn = get_context("spawn")

    with spawn.Manager() as manager, ProcessPoolExecutor(PROCESSES, spawn, initializer=django.setup) as processes:
        processes.submit(call_command, "migrate", verbosity=0).result()
        tokens = list(processes.map(open_session, range(PROCESSES * THREADS)))
        shares = [tokens[first : first + THREADS] for first in range(0, len(tokens), THREADS)]

        shared = processes.map(partial(run_writers, start=manager.Barrier(PROCESSES)), shares)
        writers = list(chain.from_iterable(shared))

        assert min(writer.times for writer in writers) > 0
        assert processes.submit(count_refreshes).result() == sum(writer.times for writer in writers)
        assert len(set(processes.map(refresh, [writer.newest for writer in writers]))) == PROCESSES * THREADS
        assert processes.submit(check_integrity).result() == "ok"
