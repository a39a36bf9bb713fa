"""The console knows the second factor that a site adds."""

from collections.abc import Iterator

import pytest

from tests.operators import Console
from tests.people import Person
from tests.third_factor import Card, give, registered


@pytest.fixture
def card() -> Iterator[Card]:
    """A registered card that no account has yet."""
    factor = Card()
    with registered(factor):
        yield factor


@pytest.fixture
def holder(card: Card, alice: Person) -> Person:
    """Alice, who has a card."""
    return give(card, alice)


def test_the_report_on_adoption_counts_the_factor_after_the_built_in_ones(console: Console, holder: Person) -> None:
    factors = console.get("/security/mfa-adoption").data["factors"]

    assert [factor["factor"] for factor in factors] == ["totp", "passkey", "card"]
    assert (factors[2]["enrolled_events"], factors[2]["removed_events"]) == (1, 0)
