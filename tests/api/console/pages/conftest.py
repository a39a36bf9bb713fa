"""Olivia, who is signed in to the console in a browser."""

from collections.abc import Callable

import pytest

from tests.console_browser import Browser, grant, signed_in
from tests.people import Person, existing


@pytest.fixture
def olivia(full_deployment: None, db: None) -> Person:
    """Olivia, an operator."""
    person = existing("olivia")
    grant(person)
    return person


@pytest.fixture
def browser(olivia: Person, configure: Callable[..., None]) -> Browser:
    """A browser in which Olivia is signed in."""
    configure(OPERATOR_SECOND_FACTOR="optional")
    return signed_in(olivia)
