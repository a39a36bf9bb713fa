"""A plugin of pytest: it measures only the tests that can add to the coverage.

Measuring nearly doubles the time of a test.
"""

from collections.abc import Generator

import pytest
from coverage import Coverage
from django.db import connection

# These tests call the same routes many times with small differences. Other tests run nearly every line that they run.
REPEATING = (
    "tests/api/mfa/test_half_finished_logins.py",
    "tests/api/mfa/test_hostile_passkeys.py",
    "tests/model/",
    "tests/races/test_ends.py",
    "tests/races/test_factor_changes.py",
    "tests/races/test_lockout.py",
    "tests/races/test_second_factors.py",
)
# On SQLite, the other tests run only lines that they run on PostgreSQL too.
OWN_LINES_ON_SQLITE = (
    "tests/api/console/",
    "tests/contract/",
    "tests/domain/",
    "tests/processes/",
    "tests/races/test_refresh.py",
    "tests/tooling/",
)
# On PostgreSQL, the other tests of processes run only lines that they run on SQLite too.
PROCESSES = "tests/processes/"
OWN_LINES_ON_POSTGRESQL = ("tests/processes/test_outage.py", "tests/processes/test_serve.py")

CHILDREN = "COVERAGE_PROCESS_CONFIG"
"""The environment variable by which coverage also measures the processes that a test starts."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool, bool]:
    """Stop the measuring while a test runs that is not measured."""
    coverage = Coverage.current()
    if coverage is None or is_measured(item):
        return (yield)
    coverage.stop()
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(CHILDREN, raising=False)
        try:
            return (yield)
        finally:
            coverage.start()


def is_measured(item: pytest.Item) -> bool:
    if connection.vendor == "sqlite":
        return item.nodeid.startswith(OWN_LINES_ON_SQLITE)
    if item.nodeid.startswith(PROCESSES):
        return item.nodeid.startswith(OWN_LINES_ON_POSTGRESQL)
    return not item.nodeid.startswith(REPEATING)
