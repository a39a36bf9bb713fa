"""Fixtures for all tests, and the choice of the tests of each project."""

import os
import secrets
import shutil
from collections.abc import Generator, Iterator
from contextlib import contextmanager, nullcontext
from operator import attrgetter, itemgetter
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.commands import flush
from django.db import connection
from django.db.backends.postgresql.operations import DatabaseOperations
from pytest_django import DjangoDbBlocker

from core.db import ids
from core.db.deployment import is_embedded
from core.ratelimit import limiting

from .client import Api
from .patience import take_largest_share
from .people import Person, existing
from .pgbouncer import pgbouncer
from .placement import has_tests, is_placed, own_entries
from .projects.environment import SCRATCH
from .workers import HAS_WORKERS, WORKER, once_a_run

LONG = ("tests/model/", "tests/processes/", "tests/races/")
"""The tests that run longest. Many of them wait for a process or a lock."""

IN_BROWSER = "tests/browser/"
"""The tests that share a browser and a service, which stop before a test of another folder."""

HOSTS = "tests/hosts/"
"""The tests of a project without settings of Django. The other projects leave them out."""

PROJECT_OF_ONCE = "tests.projects.postgresql"
POOLER_PROJECT = "tests.projects.pooler"
SHARE_OF_LIMIT = "share of a limit"
CLOSE = 0.5
"""A test that needs more than this share of a limit of time is listed at the end of a run."""
POOLED = ("tests/api/", "tests/contract/")
"""The tests that run through a pooler."""

FILLED_BY_MIGRATIONS = {"django_content_type", "auth_permission"}
"""The tables whose rows name the models of the site. The migrations write them, and no test does."""

LAST_SECOND = 2**40
"""A time in seconds since the epoch that is later than the end of each window of a rate limit."""
ALL_WINDOWS = 2**30


def pytest_report_header() -> list[str]:
    """Name the tests that the project leaves out."""
    return [
        *(["left out: tests that need a full deployment"] if is_embedded() else []),
        *(["left out: tests that run once, in another project"] if not runs_once_tests() else []),
        *(
            ["left out: tests that tests/placement.py does not name for this project"]
            if own_entries() is not None
            else []
        ),
        *(["left out: tests without calls over HTTP"] if is_pooled() else []),
    ]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no file that has only tests of other projects."""
    name = collection_path.relative_to(config.rootpath).as_posix()
    path = f"{name}/" if collection_path.is_dir() else name
    entries = own_entries()
    return True if path.startswith(HOSTS) or (entries is not None and not has_tests(path, entries)) else None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let each worker begin with other files of a folder.

    The first import of a file rewrites its assertions and stores the result, which takes half of a collection. Workers
    in the same order would all rewrite each file. `pytest_collection_modifyitems` restores the order.
    """
    report = yield
    if WORKER and isinstance(collector, pytest.Dir | pytest.Package):
        first = int(WORKER.removeprefix("gw")) * len(report.result) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        report.result = [*report.result[first:], *report.result[:first]]
    return report


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that find nothing in this project, and spread the long tests over the run.

    While a long test waits, the other workers use the processor. Each worker begins with an equal part of the list, so
    the first worker runs the tests in a browser without a pause.
    """
    chosen: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in sorted(items, key=attrgetter("path")):
        (left_out if is_left_out(item) else chosen).append(item)
    config.hook.pytest_deselected(items=left_out)
    if is_pooled():
        for item in chosen:
            # A test in one transaction would use one connection of the pool for all its calls.
            item.add_marker(pytest.mark.django_db(transaction=True), append=False)
    in_browser = [item for item in chosen if item.nodeid.startswith(IN_BROWSER)]
    long = [item for item in chosen if item.nodeid.startswith(LONG)]
    others = [item for item in chosen if not item.nodeid.startswith((*LONG, IN_BROWSER))]
    items[:] = [*in_browser, *spread(long, others)]


def is_left_out(item: pytest.Item) -> bool:
    """Return whether the project lacks the deployment that the test needs, or another project runs the test."""
    if is_pooled() and not item.nodeid.startswith(POOLED):
        return True
    entries = own_entries()
    if entries is not None and not is_placed(item.nodeid.partition("[")[0], entries):
        return True
    needs_full = "full_deployment" in getattr(item, "fixturenames", ())
    is_once = item.get_closest_marker("once") is not None
    return (needs_full and is_embedded()) or (is_once and not runs_once_tests())


def runs_once_tests() -> bool:
    return settings.SETTINGS_MODULE == PROJECT_OF_ONCE


def is_pooled() -> bool:
    return settings.SETTINGS_MODULE == POOLER_PROJECT


def spread(*groups: list[pytest.Item]) -> list[pytest.Item]:
    """Return the items of all groups, those of each group at equal distances and in their order."""
    places = [(number / len(group), item) for group in groups for number, item in enumerate(group)]
    return [item for _, item in sorted(places, key=itemgetter(0))]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Report the largest share of a limit that the test needed, from the worker to the process that prints it."""
    yield
    item.user_properties.append((SHARE_OF_LIMIT, take_largest_share()))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the tests that were close to one of their limits of time."""
    reports = [
        report for each in terminalreporter.stats.values() for report in each if hasattr(report, "user_properties")
    ]
    shares = {report.nodeid: dict(report.user_properties).get(SHARE_OF_LIMIT, 0.0) for report in reports}
    close = sorted(((share, test) for test, share in shares.items() if share > CLOSE), reverse=True)
    if close:
        terminalreporter.section("tests that were close to a limit of time")
    for share, test in close:
        terminalreporter.write_line(f"{share:4.0%} of a limit: {test}")


@pytest.fixture(scope="session")
def full_deployment() -> None:
    """A deployment with a console and ask-AI. An embedded deployment leaves out each test that needs it."""


@pytest.fixture(scope="session")
def template_database(
    tmp_path_factory: pytest.TempPathFactory, django_test_environment: None, django_db_blocker: DjangoDbBlocker
) -> str:
    """The name or the file of a database with all tables. The first worker of a run migrates it. The others copy it."""

    def migrate(directory: Path) -> str:
        name = str(directory / "template.sqlite3")
        if connection.vendor == "postgresql":
            name = f"template_{secrets.token_hex(4)}"
            with psycopg.connect(os.environ["TEST_POSTGRES_URL"], autocommit=True) as session:
                session.execute(f'CREATE DATABASE "{name}"')
        database = connection.settings_dict
        with django_db_blocker.unblock():
            connection.close()
            own, database["NAME"] = database["NAME"], name
            call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
            connection.close()
            database["NAME"] = own
        if connection.vendor == "sqlite":
            # A service lets only its own user read the file.
            Path(name).chmod(0o600)
        return name

    return once_a_run(tmp_path_factory, "template", migrate)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    request: pytest.FixtureRequest, django_db_modify_db_settings_parallel_suffix: None
) -> None:
    """Let each worker copy the template. A migration takes five times as long as a copy."""
    if HAS_WORKERS:
        template, own = request.getfixturevalue("template_database"), connection.settings_dict["TEST"]
        if connection.vendor == "postgresql":
            own["TEMPLATE"] = template
        else:
            shutil.copy(template, own["NAME"])


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool) -> bool:
    """Whether the test database stays. That of a worker on SQLite is a copy of the template, in a temporary folder."""
    return django_db_keepdb or (HAS_WORKERS and connection.vendor == "sqlite")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> Iterator[None]:
    """Put the pooler in front of the test database, in the project that has one."""
    with pooler_in_front() if is_pooled() else nullcontext():
        yield


@contextmanager
def pooler_in_front() -> Iterator[None]:
    """Reach the database through a pooler during the block."""
    database = connection.settings_dict
    with pgbouncer(os.environ["TEST_POSTGRES_URL"]) as port:
        connection.close()
        own_port, database["PORT"] = database["PORT"], port
        yield
        connection.close()
    database["PORT"] = own_port


@pytest.fixture(scope="session", autouse=True)
def _quick_flush() -> Iterator[None]:
    """Empty the tables of PostgreSQL by DELETE after a test with transactions, except FILLED_BY_MIGRATIONS.

    Django truncates each table and lets the migrations' receivers fill those tables again. TRUNCATE makes new files for
    every table and index, and the receivers compare all models of a site. Both take several times as long.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "sql_flush", delete_rows)
        if connection.vendor == "postgresql":
            patch.setattr(flush, "emit_post_migrate_signal", lambda *_arguments, **_options: None)
        yield


def delete_rows(operations: DatabaseOperations, _style: object, tables: list[str], **_options: bool) -> list[str]:
    """Return the statements that delete all rows of the tables. The foreign keys are checked at the end."""
    names = [operations.quote_name(table) for table in tables if table not in FILLED_BY_MIGRATIONS]
    deletes = " ".join(f"IF EXISTS (SELECT FROM {name}) THEN DELETE FROM {name}; END IF;" for name in names)  # noqa: S608 - quoted names
    return ["SET CONSTRAINTS ALL DEFERRED", f"DO $$ BEGIN {deletes} END $$"] if tables else []


@pytest.fixture(autouse=True)
def _ids_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reset the ids. An earlier test may have travelled to the future, and ids never decrease without a reset."""
    monkeypatch.setattr(ids, "_sequence", ids._Sequence())


@pytest.fixture(autouse=True)
def _empty_mailbox() -> None:
    """Delete the mails that an earlier test of this process left. Many tests write to the same addresses."""
    for path in (SCRATCH / "mails").glob("*.eml"):
        path.unlink()


@pytest.fixture(autouse=True)
def _empty_counters() -> Iterator[None]:
    """Remove the attempts that the test counted. No rollback does so, and many tests call from the same address."""
    attempts = limiting._shared._attempts
    yield
    limiting._local.clear()
    store = limiting._shared._store
    if store is not None and limiting._shared._attempts != attempts:
        store.prune(ended_before=LAST_SECOND, at_most=ALL_WINDOWS)


@pytest.fixture
def api() -> Api:
    """A caller without an account."""
    return Api()


@pytest.fixture
def alice(db: None) -> Person:
    """Alice, who has an account and no session."""
    return existing("alice")


@pytest.fixture
def bob(db: None) -> Person:
    """Bob, who has an account."""
    return existing("bob")
