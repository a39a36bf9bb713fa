"""Questions through PgBouncer in transaction mode."""

import os
from collections.abc import Iterator

import pytest

from askai.database import prove_read_only
from askai.dsn import parse_dsn
from tests.api.console.readonly_role import other_database
from tests.people import Person
from tests.pgbouncer import pgbouncer, through_pooler

from .deployment import Deployment, as_owner, ask, rows


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
    role = deployment.dsn.partition("//")[2].partition(":")[0]
    as_owner(
        f"CREATE SCHEMA slow AUTHORIZATION {role}",
        "CREATE VIEW slow.authsvc_accounts_event AS SELECT event.* FROM authsvc_accounts_event event, pg_sleep(0.3)",
        f"GRANT SELECT ON slow.authsvc_accounts_event TO {role}",
        f"ALTER ROLE {role} SET search_path TO slow",
    )
    try:
        monkeypatch.setattr("askai.runner.STATEMENT_SECONDS", 0.05)
        cut = ask(session, "What happened?")
        monkeypatch.undo()
        whole = ask(session, "What happened?")
    finally:
        as_owner(f"ALTER ROLE {role} RESET search_path", "DROP SCHEMA slow CASCADE")

    assert (cut.status, cut.code, whole.status) == (503, "ask_ai_unavailable", 200)


def test_a_role_is_proven_read_only_through_a_pooler(port: int) -> None:
    with other_database() as database, database.role("GRANT CONNECT ON DATABASE {database} TO {role}") as role:
        dsn = parse_dsn(through_pooler(database.dsn(role), port=port))

        prove_read_only(dsn=dsn)
