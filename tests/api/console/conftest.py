"""The console needs a full deployment. `tests/contract` tests the answers of an embedded deployment."""

from collections.abc import Callable, Iterator

import pytest
import time_machine
from pytest_django import Settings

from tests.operators import Console, existing_operator

from .readonly_role import OtherDatabase, other_database

START = "2026-03-10T12:00:00Z"


@pytest.fixture
def console(full_deployment: None, db: None) -> Console:
    """The console, with the token of Olivia the operator."""
    return Console(existing_operator("olivia"))


@pytest.fixture
def travel() -> Iterator[time_machine.Traveller]:
    """Freeze the clock at START until a test moves it."""
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture
def configure(settings: Settings) -> Callable[..., None]:
    """Change the service's settings until the end of the test."""

    def change(**variables: str) -> None:
        settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **variables}

    return change


@pytest.fixture(scope="session")
def database(full_deployment: None) -> Iterator[OtherDatabase]:
    """A database that a question may query."""
    with other_database() as made:
        yield made


@pytest.fixture(scope="session")
def reader(database: OtherDatabase) -> Iterator[str]:
    """The DSN of a role that passes the proof: it may read, but may not create temporary tables."""
    with database.role("GRANT CONNECT ON DATABASE {database} TO {role}") as name:
        yield database.dsn(name)
