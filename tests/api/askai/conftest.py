"""Answers come over a connection of their own, which sees only what is committed."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings
from pytest_django.plugin import DjangoDbBlocker

from accounts.core.db.deployment import is_embedded

from .desk import Desk, reading_role


@pytest.fixture(scope="session")
def reader(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """The DSN of a role that may read what questions are about."""
    if is_embedded():
        pytest.skip("an embedded deployment answers no questions")
    with django_db_blocker.unblock(), reading_role() as dsn:
        yield dsn


@pytest.fixture
def desk(reader: str, transactional_db: None, settings: Settings) -> Desk:
    """A deployment where nothing is set up yet."""
    return Desk(dsn=reader, settings=settings)
