"""A plugin of pytest: it measures only the tests that can add to the coverage.

Measuring nearly doubles the time of a test.
"""

from collections.abc import Generator

import pytest
from coverage import Coverage

UNMEASURED = (
    # These tests call the same routes many times with small differences. Other tests run nearly every line of them.
    "tests/api/mfa/test_half_finished_logins.py",
    "tests/api/mfa/test_hostile_passkeys.py",
    "tests/model/",
    "tests/races/",
    # These tests start processes, whose lines are not measured.
    "tests/browser/",
    "tests/processes/",
    "tests/tooling/",
)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool, bool]:
    """Stop the measuring while a test runs that is not measured."""
    coverage = Coverage.current()
    if coverage is None or not item.nodeid.startswith(UNMEASURED):
        return (yield)
    coverage.stop()
    try:
        return (yield)
    finally:
        coverage.start()
