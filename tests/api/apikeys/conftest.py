"""The clock is frozen until a test moves it."""

from collections.abc import Iterator

import pytest
import time_machine

from tests.people import Person, SignedIn

START = "2026-03-01T12:00:00Z"


@pytest.fixture(autouse=True)
def travel() -> Iterator[time_machine.Traveller]:
    """Freeze the clock at a full hour. The test moves it with the traveller."""
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture
def session(alice: Person) -> SignedIn:
    """Alice's session."""
    return alice.log_in()
