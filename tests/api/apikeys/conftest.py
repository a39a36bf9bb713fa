"""Time stands still until a test moves it."""

from collections.abc import Iterator

import pytest
import time_machine

from tests.people import Person, SignedIn

START = "2026-03-01T12:00:00Z"


@pytest.fixture(autouse=True)
def travel() -> Iterator[time_machine.Traveller]:
    """Start at a full hour."""
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture
def session(alice: Person) -> SignedIn:
    """Alice's session."""
    return alice.log_in()
