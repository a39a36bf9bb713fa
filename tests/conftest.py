"""Fixtures for all tests."""

from collections.abc import Iterator

import pytest

from accounts.core import ratelimit
from accounts.core.db import ids

from .client import Api
from .people import Person, sign_up


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> Iterator[None]:
    """Close the separate connection of the rate limits before the test database is dropped."""
    yield
    ratelimit.close()


@pytest.fixture(autouse=True)
def _ids_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reset the ids. An earlier test may have travelled to the future, and ids never decrease without a reset."""
    monkeypatch.setattr(ids, "_sequence", ids._Sequence())


@pytest.fixture
def api() -> Api:
    """A caller without an account."""
    return Api()


@pytest.fixture
def alice(db: None) -> Person:
    """Alice, who has an account and no session."""
    return sign_up("alice")


@pytest.fixture
def bob(db: None) -> Person:
    """Bob, who has an account."""
    return sign_up("bob")
