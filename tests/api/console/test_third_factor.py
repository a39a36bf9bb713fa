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


def test_the_operator_reads_of_the_factor_of_a_user(console: Console, holder: Person) -> None:
    assert console.get(f"/users/{holder.user_id}/factors").data["lines"] == ["Printed card"]


def test_the_diagnosis_names_the_factor(console: Console, holder: Person) -> None:
    text = console.get("/support/diagnose", {"email": holder.email}).data["text"]

    assert "A login needs a second factor: printed card." in text


def test_the_digest_counts_the_factor(console: Console, holder: Person) -> None:
    assert "1  printed cards added (none before)" in console.get("/digest").data["text"]
