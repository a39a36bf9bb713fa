"""`manage.py promote` moves a served SQLite deployment to PostgreSQL."""

import fcntl
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.client import PASSWORD
from tests.placement import TAKES_LONG
from tests.second_factors import App

from .conftest import Run
from .promoting import (
    IS_WAITING,
    SLOW_MARK,
    ask,
    await_writes,
    is_logging,
    is_stopped,
    kept_stop,
    open_file,
    target_database,
)
from .running import Running, call, until
from .variables import standalone

pytestmark = pytest.mark.once

ALICE = {"email": "alice@example.com", "password": PASSWORD}


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with all tables. Each test gets a copy."""
    directory = tmp_path_factory.mktemp("embedded")
    path = directory / "auth.sqlite3"
    variables = standalone(database_url=f"sqlite:///{path}", directory=directory)
    command = Running("migrate", variables=variables, directory=directory)
    assert command.exit_code() == 0, command.err.read_text()
    return path


@pytest.fixture
def file(tmp_path: Path, migrated_file: Path) -> Path:
    """The file of the deployment."""
    return Path(shutil.copy(migrated_file, tmp_path / "auth.sqlite3"))


@pytest.fixture
def variables(tmp_path: Path, file: Path) -> dict[str, str]:
    """The environment of an embedded deployment, in place of the tested project's."""
    return standalone(database_url=f"sqlite:///{file}", directory=tmp_path)


@pytest.fixture
def target(migrated: str) -> Iterator[str]:
    """A database of PostgreSQL with empty tables."""
    with target_database(options=f'TEMPLATE "{migrated.rpartition("/")[2]}"') as url:
        yield url


@pytest.fixture
def empty_target() -> Iterator[str]:
    """A database of PostgreSQL without tables."""
    with target_database() as url:
        yield url


def log_in(port: int) -> dict[str, str]:
    """Log alice in. Sign her up first, if she has no account."""
    call(port, "POST", "/v1/signup", ALICE)
    tokens: dict[str, str] = call(port, "POST", "/v1/login", ALICE).data
    return tokens


def is_answered_with_retry(port: int) -> bool:
    refused = call(port, "POST", "/v1/signup", {"email": "eve@example.com", "password": PASSWORD})
    assert refused.status == 503
    assert refused.code == "db_unreachable"
    assert "moves to another database" in refused.body["error"]["message"]
    return int(refused.headers["Retry-After"]) > 0


def assert_promoted(port: int, manage: Run, file: Path, *, tokens: dict[str, str], key: str) -> None:
    """Assert that the old deployment refuses each write of each process, and goes on to answer."""
    assert kept_stop(file) is not None
    assert is_answered_with_retry(port)
    assert call(port, "GET", "/v1/verify", token=tokens["access_token"]).status == 200
    assert call(port, "GET", "/v1/verify", token=key).status == 200
    assert call(port, "GET", "/v1/sessions", token=tokens["access_token"]).status == 200
    for path in ("/.well-known/jwks.json", "/v1/health"):
        assert call(port, "GET", path).status == 200
    command = manage("service_keys", "create", "reports", "--scope", "revocations:read")
    assert command.exit_code() == 1
    assert "moves to another database" in command.err.read_text()
    with closing(open_file(file)) as database, pytest.raises(sqlite3.IntegrityError, match="writes are stopped"):
        database.execute("DELETE FROM authsvc_accounts_event")
    checked = manage("check", "--database", "default")
    assert checked.exit_code() == 0
    assert "authsvc.W043" in checked.err.read_text()


def test_a_served_deployment_moves_with_its_sessions_and_every_acknowledged_write(  # noqa: PLR0915 - one story
    serve: Run, manage: Run, file: Path, empty_target: str
) -> None:
    target = empty_target
    old = serve()
    port = old.await_ready()
    tokens = log_in(port)
    other = call(port, "POST", "/v1/login", ALICE).data
    uri = call(port, "POST", "/v1/totp/enroll", token=tokens["access_token"]).data["otpauth_url"]
    app = App(parse_qs(urlsplit(uri).query)["secret"][0])
    assert call(port, "POST", "/v1/totp/confirm", {"code": app.code()}, token=tokens["access_token"]).status == 200
    key = call(port, "POST", "/v1/api-keys", {"name": "backup"}, token=tokens["access_token"]).data["key"]

    stop = Event()

    def write(number: int) -> tuple[str, list[str]]:
        """Refresh one session and sign people up, until the deployment refuses. Return what it acknowledged."""
        refresh = (tokens, other)[number]["refresh_token"]
        people: list[str] = []
        while not stop.is_set():
            answer = call(port, "POST", "/v1/refresh", {"refresh_token": refresh})
            if answer.status == 200:
                refresh = answer.data["refresh_token"]
            person = f"person{number}.{len(people)}@example.com"
            if call(port, "POST", "/v1/signup", {"email": person, "password": PASSWORD}).status == 201:
                people.append(person)
        return refresh, people

    with ThreadPoolExecutor() as threads:
        writers = [threads.submit(write, number) for number in range(2)]
        promotion = manage("promote", target)
        code = promotion.exit_code()
        stop.set()
        acknowledged = [writer.result() for writer in writers]
    assert code == 0, promotion.err.read_text()
    report = promotion.out.read_text()

    assert_promoted(port, manage, file, tokens=tokens, key=key)
    assert not old.logged("a background job failed and will be tried again")
    again = manage("promote", target)
    assert again.exit_code() == 1
    assert "--cancel" in again.err.read_text()

    new = serve(DATABASE_URL=target)
    port_of_new = new.await_ready()
    for refresh, people in acknowledged:
        answer = call(port_of_new, "POST", "/v1/refresh", {"refresh_token": refresh})
        assert answer.status == 200, answer.body
        for person in people:
            assert call(port_of_new, "POST", "/v1/login", {"email": person, "password": PASSWORD}).status == 200
    assert call(port_of_new, "GET", "/v1/verify", token=tokens["access_token"]).status == 200
    assert call(port_of_new, "GET", "/v1/verify", token=key).status == 200
    pending = call(port_of_new, "POST", "/v1/login", ALICE).data
    body = {"pending_token": pending["pending_token"], "code": app.code()}
    assert call(port_of_new, "POST", "/v1/login/totp", body).status == 200
    assert f"authenticator secrets ({1})" in report
    assert "grant_operator" in report
    assert ask(target, "SELECT to_regclass('authsvc_promotion') IS NULL")

    cancelled = manage("promote", "--cancel")
    assert cancelled.exit_code() == 0, cancelled.err.read_text()
    await_writes(port, "bob@example.com")
    with closing(open_file(file)) as database:
        assert not database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        assert not database.execute("SELECT 1 FROM sqlite_master WHERE name GLOB 'authsvc_change*'").fetchall()


@TAKES_LONG
def test_a_promotion_that_is_killed_leaves_a_deployment_that_goes_on_and_can_be_repeated(
    serve: Run, manage: Run, file: Path, target: str
) -> None:
    port = serve().await_ready()
    tokens = log_in(port)

    # During the copy.
    first = manage("promote", target)
    until(lambda: is_stopped(file), what="the claim")
    first.kill()
    assert kept_stop(file) is None
    await_writes(port, "one@example.com")

    # While no writes are possible, right before the commit.
    ask(target, SLOW_MARK)
    second = manage("promote", target)
    until(lambda: ask(target, IS_WAITING), what="the end of the transfer")
    assert is_answered_with_retry(port)
    second.kill()
    assert ask(target, "SELECT count(*) FROM authsvc_user") == 0
    await_writes(port, "two@example.com")

    # After the commit, and before the file refuses writes for good.
    third = manage("promote", target)
    until(lambda: ask(target, IS_WAITING), what="the end of the transfer")
    with closing(open_file(file)) as database:
        database.execute("BEGIN IMMEDIATE")
        until(lambda: ask(target, "SELECT count(*) FROM authsvc_user") > 0, what="the commit")
        third.kill()
        database.execute("ROLLBACK")
    assert kept_stop(file) is None
    await_writes(port, "three@example.com")

    last = manage("promote", target)
    assert last.exit_code() == 0, last.err.read_text()
    assert kept_stop(file) is not None
    port_of_new = serve(DATABASE_URL=target).await_ready()
    assert call(port_of_new, "POST", "/v1/refresh", {"refresh_token": tokens["refresh_token"]}).status == 200
    for person in ("one", "two", "three"):
        body = {"email": f"{person}@example.com", "password": PASSWORD}
        assert call(port_of_new, "POST", "/v1/login", body).status == 200


@TAKES_LONG
def test_a_lost_connection_and_a_machine_that_sleeps_end_the_promotion_and_not_the_deployment(
    serve: Run, manage: Run, file: Path, target: str
) -> None:
    port = serve().await_ready()
    ask(target, SLOW_MARK)

    lost = manage("promote", target)
    until(lambda: ask(target, IS_WAITING), what="the end of the transfer")
    ask(target, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
    assert lost.exit_code() == 1
    assert "does not answer" in lost.err.read_text()
    assert "Traceback" not in lost.err.read_text()
    assert call(port, "POST", "/v1/signup", ALICE).status == 201

    asleep = manage("promote", target)
    until(lambda: is_logging(file), what="the copy")
    asleep.signal(signal.SIGSTOP)
    with closing(open_file(file)) as database:
        # The lease ended while the process slept.
        database.execute("UPDATE authsvc_write_stop SET until = julianday('now', '-1 second')")
    asleep.signal(signal.SIGCONT)
    assert asleep.exit_code() == 1
    assert "Run the command again" in asleep.err.read_text()
    assert ask(target, "SELECT count(*) FROM authsvc_user") == 0
    assert not is_stopped(file)


def test_a_promotion_that_cannot_begin_states_the_reason_and_changes_nothing(
    manage: Run, file: Path, target: str
) -> None:
    def refusal(*arguments: str, **others: str) -> str:
        command = manage("promote", *arguments, **others)
        assert command.exit_code() > 0
        text = command.err.read_text()
        assert "Traceback" not in text
        return text

    assert "must be postgresql://" in refusal("mysql://localhost/gatehouse")
    assert "Connection refused" in refusal("postgresql://nobody:secret@127.0.0.1:9/gatehouse")
    assert "not an SQLite database" in refusal(target, DATABASE_URL=target)
    with file.with_name("auth.sqlite3.promotion").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert "Another promotion of this database is running" in refusal(target)
    with closing(open_file(file)) as database:
        database.execute("DELETE FROM django_migrations WHERE app = 'authsvc_mfa' AND name LIKE '0007%'")
    assert "migrations of this database are incomplete" in refusal(target)
    assert not is_stopped(file)
