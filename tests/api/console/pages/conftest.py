"""Olivia, who is signed in to the console in a browser."""

from collections.abc import Callable

import pytest

from tests.console_browser import Browser, grant
from tests.people import Person, sign_up


@pytest.fixture
def olivia(full_deployment: None, db: None) -> Person:
    """Olivia, an operator."""
    person = sign_up("olivia")
    grant(person)
    return person


@pytest.fixture
def browser(olivia: Person, configure: Callable[..., None]) -> Browser:
    """A browser in which Olivia is signed in."""
    configure(OPERATOR_SECOND_FACTOR="optional")
    browser = Browser()
    browser.sign_in(olivia).follow()
    return browser
