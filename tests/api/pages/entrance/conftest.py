"""The fixtures of the tests of the entrance."""

import pytest

from tests.pages import see_offer
from tests.people import Person


@pytest.fixture
def alice(alice: Person) -> Person:
    """Alice, who has seen the offer of a passkey. So her logins lead on."""
    see_offer(alice)
    return alice
