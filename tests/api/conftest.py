"""Each test of a route has its own database transaction and its own mailbox."""

from pathlib import Path

import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    """Run each test in a transaction that is rolled back."""


@pytest.fixture(autouse=True)
def _mailbox(settings: Settings, tmp_path: Path) -> None:
    """Give each test an empty mailbox of its own."""
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "EMAIL_URL": f"file://{tmp_path}/mails"}
