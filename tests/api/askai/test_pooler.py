"""Questions through PgBouncer in transaction mode."""

import os
from collections.abc import Iterator

import psycopg
import pytest

from askai.running.database import prove_read_only
from askai.settings.dsn import parse_dsn
from tests.api.console.readonly_role import other_database
from tests.people import Person
from tests.pgbouncer import pgbouncer, through_pooler

from .deployment import Deployment, ask, rows, unreadable_events


@pytest.fixture
def port(full_deployment: None) -> Iterator[int]:
    """The port of a pooler in front of the tests' server."""
    with pgbouncer(os.environ["TEST_POSTGRES_URL"]) as port:
        yield port


def test_a_question_is_answered_through_a_pooler(deployment: Deployment, alice: Person, port: int) -> None:
    deployment.open()
    deployment.use_database(dsn=through_pooler(deployment.dsn, port=port))

    answer = ask(alice.log_in(), "What happened in my account?")

    assert [row["type"] for row in rows(answer)] == ["login_success", "signup_success"]


def test_a_statement_ends_in_time_and_leaves_no_setting_in_the_pool(
    deployment: Deployment, alice: Person, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    deployment.open()
    deployment.use_database(dsn=through_pooler(deployment.dsn, port=port))
    session = alice.log_in()
    monkeypatch.setattr("askai.running.runner.STATEMENT_SECONDS", 0.05)

    with unreadable_events():
        answer = ask(session, "What happened?")

    assert (answer.status, answer.code) == (503, "ask_ai_unavailable")
    with psycopg.connect(through_pooler(deployment.dsn, port=port)) as other:
        assert other.execute("SHOW statement_timeout").fetchone() == ("0",)


def test_a_role_is_proven_read_only_through_a_pooler(port: int) -> None:
    with other_database() as database, database.role("GRANT CONNECT ON DATABASE {database} TO {role}") as role:
        dsn = parse_dsn(through_pooler(database.dsn(role), port=port))

        prove_read_only(dsn=dsn)
