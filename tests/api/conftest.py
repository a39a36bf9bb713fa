"""Every test of a route has a database and a mailbox of its own."""

from pathlib import Path

import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    """Let each test run in a transaction that is rolled back."""


@pytest.fixture(autouse=True)
def _mailbox(settings: Settings, tmp_path: Path) -> None:
    """Let no test find the mails of another."""
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "EMAIL_URL": f"file://{tmp_path}/mails"}
