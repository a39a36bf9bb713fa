"""A server behind PgBouncer in transaction mode. `./dev test --on pooler` runs the tests of the whole API through it."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import LiteralString

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from config.serving.management.commands.serve import MIGRATION_LOCK
from tests.client import PASSWORD
from tests.pgbouncer import pgbouncer, through_pooler

from .conftest import Run
from .running import Running, call, until
from .test_serve import refusal, tables

pytestmark = pytest.mark.skipif(
    settings.ROOT_URLCONF != "config.urls" or connection.vendor != "postgresql",
    reason="the pooler stands in front of PostgreSQL, in the standalone project",
)

CLIENTS = 8
ASKING = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND query LIKE '%pg_try_advisory_lock%' AND pid <> pg_backend_pid()
"""
HELD = """
SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
WHERE locktype = 'advisory' AND datname = current_database()
"""


@pytest.fixture
def pooled(serve: Run, variables: dict[str, str]) -> Iterator[Run]:
    """Start a server whose only way to PostgreSQL is the pooler, except for migrations."""
    direct = variables["DATABASE_URL"]
    with pgbouncer(os.environ["TEST_POSTGRES_URL"]) as port:
        url = through_pooler(direct, port=port)

        def start(*arguments: str, **others: str) -> Running:
            own = {"DATABASE_URL": url, "DATABASE_POOLER": "transaction", "DATABASE_DIRECT_URL": direct}
            return serve(*arguments, **{**own, **others})

        yield start


def test_people_sign_up_log_in_and_refresh_at_once(pooled: Run) -> None:
    port = pooled("--no-worker").await_ready()
    at_once = Barrier(CLIENTS)

    def live(number: int) -> list[int]:
        body = {"email": f"alice{number}@example.com", "password": PASSWORD}
        at_once.wait()
        answers = [call(port, "POST", "/v1/signup", body), call(port, "POST", "/v1/login", body)]
        for _ in range(5):
            token = answers[-1].data["refresh_token"]
            answers.append(call(port, "POST", "/v1/refresh", {"refresh_token": token}))
        answers.append(call(port, "GET", "/v1/sessions", token=answers[-1].data["access_token"]))
        return [answer.status for answer in answers]

    with ThreadPoolExecutor(CLIENTS) as pool:
        statuses = list(pool.map(live, range(CLIENTS)))

    assert statuses == [[201, *[200] * 7]] * CLIENTS


def test_a_start_through_a_pooler_that_the_settings_do_not_name_is_refused_in_one_line(pooled: Run) -> None:
    line = refusal(pooled("--no-worker", DATABASE_POOLER="", DATABASE_DIRECT_URL=""))

    assert line.startswith(
        "Not started: DATABASE_URL leads to a pooler in transaction mode, but DATABASE_POOLER is unset."
    )


def test_a_pooler_in_session_mode_needs_no_name(serve: Run, variables: dict[str, str]) -> None:
    with pgbouncer(os.environ["TEST_POSTGRES_URL"], settings={"pool_mode": "session"}) as port:
        server = serve("--no-worker", DATABASE_URL=through_pooler(variables["DATABASE_URL"], port=port))

        server.await_ready()
        server.stop()


@pytest.mark.usefixtures("without_tables")
def test_a_start_takes_the_migration_lock_without_the_pooler(pooled: Run, database_url: str) -> None:
    with psycopg.connect(database_url, autocommit=True) as session:
        session.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
        server = pooled("--no-worker")
        until(lambda: count(session, ASKING), what="a start that asks for the lock")
        assert not tables(database_url)

        session.execute("SELECT pg_advisory_unlock(%s)", [MIGRATION_LOCK])

        server.await_ready()
        assert "authsvc_accounts_account" in tables(database_url)
        until(lambda: not count(session, HELD), what="the end of the lock")


def count(session: psycopg.Connection[tuple[int]], statement: LiteralString) -> int:
    row = session.execute(statement).fetchone()
    assert row is not None
    return row[0]


def test_a_pooler_without_a_direct_url_stops_the_start(manage: Run) -> None:
    line = refusal(manage("serve", "--port", "0", DATABASE_POOLER="transaction"))

    assert line == (
        "Not started: DATABASE_POOLER needs DATABASE_DIRECT_URL, which leads to the same database without the pooler."
    )


def test_an_unreachable_direct_url_stops_the_start(pooled: Run) -> None:
    line = refusal(pooled(DATABASE_DIRECT_URL="postgresql://nobody@127.0.0.1:9/nothing"))

    assert line.startswith("Not started: the database of DATABASE_DIRECT_URL does not answer.")


def test_behind_a_pooler_each_process_needs_one_connection(pooled: Run) -> None:
    line = refusal(pooled("--workers", "200"))

    assert line == (
        "Not started: 200 web processes with 1 connection each, a background worker with 1 and a reserve of 5 need 206, "
        "but PostgreSQL's max_connections is 200. Raise it to 206 or start fewer web processes (--workers 194)."
    )
