"""Ask-AI reads the data through a separate connection, which sees only committed rows."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings
from pytest_django.plugin import DjangoDbBlocker

from .deployment import Deployment, reading_role


@pytest.fixture(scope="session")
def reader(full_deployment: None, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """The DSN of a role that may read the data for questions."""
    with django_db_blocker.unblock(), reading_role() as dsn:
        yield dsn


@pytest.fixture
def deployment(reader: str, transactional_db: None, settings: Settings) -> Deployment:
    """A deployment without any ask-AI setting."""
    return Deployment(dsn=reader, settings=settings)
