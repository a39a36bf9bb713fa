"""Fixtures of the process tests. Each process has its own database, of the same kind as the tested project's."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from .running import Running
from .variables import copied_database, empty_database, standalone

Run = Callable[..., Running]


@pytest.fixture(scope="session")
def migrated(template_database: str) -> str:
    """A database with all tables. Each test gets a copy, because a migration takes longer than a copy."""
    if connection.vendor == "postgresql":
        return f"{os.environ['TEST_POSTGRES_URL'].rpartition('/')[0]}/{template_database}"
    return f"sqlite:///{template_database}"


@pytest.fixture
def without_tables() -> None:
    """Let the database of the test be empty."""


@pytest.fixture
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database with all tables, or an empty one for a test with the fixture `without_tables`."""
    if "without_tables" in request.fixturenames:
        with empty_database(tmp_path) as url:
            yield url
    else:
        with copied_database(tmp_path, template=request.getfixturevalue("migrated")) as url:
            yield url


@pytest.fixture
def variables(tmp_path: Path, database_url: str) -> dict[str, str]:
    """The environment of the processes. Under a host project, the processes run that project."""
    return variables_of(database_url, directory=tmp_path)


def variables_of(database_url: str, *, directory: Path) -> dict[str, str]:
    if settings.ROOT_URLCONF != "config.urls":
        return {"DJANGO_SETTINGS_MODULE": "tests.projects.host_site.settings", "TEST_POSTGRES_URL": database_url}
    return standalone(database_url=database_url, directory=directory)


@pytest.fixture
def manage(tmp_path: Path, variables: dict[str, str]) -> Iterator[Run]:
    """Start a command. The fixture stops each command at the end of the test."""
    started: list[Running] = []

    def start(*arguments: str, **others: str) -> Running:
        started.append(Running(*arguments, variables={**variables, **others}, directory=tmp_path))
        return started[-1]

    yield start
    for running in started:
        running.kill()


@pytest.fixture
def serve(manage: Run) -> Run:
    """Start a server with one web process on a free port, unless the arguments differ."""

    def start(*arguments: str, **others: str) -> Running:
        return manage("serve", "--port", "0", "--workers", "1", *arguments, **others)

    return start
