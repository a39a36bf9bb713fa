"""The clock is frozen until a test moves it."""

from collections.abc import Iterator

import pytest
import time_machine
from pytest_django import Settings

from tests.people import Person

START = "2026-03-01T12:00:00Z"


@pytest.fixture
def travel() -> Iterator[time_machine.Traveller]:
    """Start at the first moment of a time step."""
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture
def alice_abroad(settings: Settings, alice: Person) -> Person:
    """Alice, calling from an address whose country is known."""
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "GEOIP": "country"}
    alice.api.ip = "8.8.8.8"
    return alice
