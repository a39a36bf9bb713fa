"""The fixtures of all tests of the OpenID provider."""

import pytest

from tests.pages import Browser, signed_in
from tests.people import Person


@pytest.fixture
def browser(alice: Person) -> Browser:
    """The browser of alice, who is signed in."""
    return signed_in(alice)
