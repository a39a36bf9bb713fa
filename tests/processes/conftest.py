"""Fixtures of the process tests. Each process has its own database, of the same kind as the tested project's."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings

from .running import Running
from .variables import empty_database, standalone

Run = Callable[..., Running]


@pytest.fixture
def database_url(tmp_path: Path) -> Iterator[str]:
    """An empty database."""
    with empty_database(tmp_path) as url:
        yield url


@pytest.fixture
def variables(tmp_path: Path, database_url: str) -> dict[str, str]:
    """The environment of the processes. Under a host project, the processes run that project."""
    if settings.ROOT_URLCONF != "config.urls":
        return {"DJANGO_SETTINGS_MODULE": "tests.projects.host_site.settings", "TEST_POSTGRES_URL": database_url}
    return standalone(database_url=database_url, directory=tmp_path)


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
