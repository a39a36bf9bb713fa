"""A plugin of pytest: it measures only the tests that can add to the coverage.

Measuring nearly doubles the time of a test. Most parameters of a test function run the same lines, so each process
measures the first only.
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


_measured: set[str] = set()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool, bool]:
    """Stop the measuring while a test runs that is not measured."""
    coverage = Coverage.current()
    function = item.nodeid.partition("[")[0]
    if coverage is None or not (function in _measured or function.startswith(UNMEASURED)):
        _measured.add(function)
        return (yield)
    coverage.stop()
    try:
        return (yield)
    finally:
        coverage.start()
