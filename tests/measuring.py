"""A plugin of pytest: it measures only the tests that can add to the coverage.

Measuring nearly doubles the time of a test. Most parameters of a test function run the same lines, so each process
measures the first only. The later tests of a file run few lines that its first tests do not run, so each process measures
a limited number of functions of a file.
"""

from collections import defaultdict
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


FUNCTIONS_OF_A_FILE = 10
"""The number of test functions of a file that a process measures."""

_measured: dict[str, set[str]] = defaultdict(set)
"""The measured functions of each file."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool, bool]:
    """Stop the measuring while a test runs that is not measured."""
    coverage = Coverage.current()
    function = item.nodeid.partition("[")[0]
    known = _measured[function.partition("::")[0]]
    is_measured = not (function in known or len(known) >= FUNCTIONS_OF_A_FILE or function.startswith(UNMEASURED))
    if coverage is None or is_measured:
        known.add(function)
        return (yield)
    coverage.stop()
    try:
        return (yield)
    finally:
        coverage.start()
