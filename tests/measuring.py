"""A plugin of pytest: it measures coverage only where the test can add to it, because measuring slows a test by half."""

from collections.abc import Generator

import pytest
from coverage import Coverage
from django.db import connection

# The models walk at random over routes that `tests/api` tests one by one.
WALKS = "tests/model/"
# On SQLite, the other tests run only lines that they run on PostgreSQL too.
OWN_LINES_ON_SQLITE = ("tests/api/console/", "tests/contract/", "tests/domain/", "tests/processes/", "tests/tooling/")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool, bool]:
    """Stop the measuring while a test runs that is not measured."""
    coverage = Coverage.current()
    if coverage is None or is_measured(item):
        return (yield)
    coverage.stop()
    try:
        return (yield)
    finally:
        coverage.start()


def is_measured(item: pytest.Item) -> bool:
    if connection.vendor == "sqlite":
        return item.nodeid.startswith(OWN_LINES_ON_SQLITE)
    return not item.nodeid.startswith(WALKS)
