"""Every process runs on a database of its own, of the kind that the tested project has."""

import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from tests.projects import environment

from .running import Running

Run = Callable[..., Running]


@pytest.fixture
def database_url(tmp_path: Path) -> Iterator[str]:
    """An empty database."""
    if connection.vendor == "sqlite":
        yield f"sqlite:///{tmp_path}/auth.sqlite3"
        return
    server, name = os.environ["TEST_POSTGRES_URL"], f"processes_{secrets.token_hex(4)}"
    with psycopg.connect(server, autocommit=True) as session:
        session.execute(f'CREATE DATABASE "{name}"')
        yield f"{server.rpartition('/')[0]}/{name}"
        session.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def variables(tmp_path: Path, database_url: str) -> dict[str, str]:
    """The environment of the processes. In a host project it is that site that is run."""
    common = {"DATABASE_URL": database_url, "TEST_POSTGRES_URL": database_url}
    if settings.ROOT_URLCONF != "config.urls":
        return {**common, "DJANGO_SETTINGS_MODULE": "tests.projects.host_site.settings"}
    own = {"SECRET_KEY": "only-for-tests", "SIGNING_KEYS_FILE": f"{tmp_path}/keys/signing-keys.json"}
    return {**environment.SERVICE, **own, **common, "DJANGO_SETTINGS_MODULE": "config.settings"}


@pytest.fixture
def manage(tmp_path: Path, variables: dict[str, str]) -> Iterator[Run]:
    """Start a command; none of them outlives the test."""
    started: list[Running] = []

    def start(*arguments: str, **others: str) -> Running:
        started.append(Running(*arguments, variables={**variables, **others}, directory=tmp_path))
        return started[-1]

    yield start
    for running in started:
        running.kill()


@pytest.fixture
def serve(manage: Run) -> Run:
    """Start a server of one web process on a free port, unless told otherwise."""

    def start(*arguments: str, **others: str) -> Running:
        return manage("serve", "--port", "0", "--workers", "1", *arguments, **others)

    return start
