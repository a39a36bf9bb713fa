"""Fixtures of every test."""

from collections.abc import Iterator

import pytest

from accounts.core import ratelimit
from accounts.core.db import ids

from .client import Api
from .people import Person, sign_up


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> Iterator[None]:
    """Close the rate limits' own connection before the test database is dropped."""
    yield
    ratelimit.close()


@pytest.fixture(autouse=True)
def _ids_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test have ids of the future to which an earlier one travelled: they never go back by themselves."""
    monkeypatch.setattr(ids, "_sequence", ids._Sequence())


@pytest.fixture
def api() -> Api:
    """A caller who has no account."""
    return Api()


@pytest.fixture
def alice(db: None) -> Person:
    """Somebody with an account and no session."""
    return sign_up("alice")


@pytest.fixture
def bob(db: None) -> Person:
    """Somebody else with an account."""
    return sign_up("bob")
