"""Every test of a route has a database."""

import pytest


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    """Let each test run in a transaction that is rolled back."""
