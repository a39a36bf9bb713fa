"""The console knows the second factor that a site adds."""

from collections.abc import Callable, Iterator

import pytest
from django.urls import reverse

from tests.console_browser import Browser, grant
from tests.operators import Console
from tests.people import Person, sign_up
from tests.third_factor import NUMBER, Card, give, registered

pytestmark = pytest.mark.usefixtures("full_deployment")


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


@pytest.fixture
def olivia(db: None) -> Person:
    """Olivia, an operator."""
    person = sign_up("olivia")
    grant(person)
    return person


@pytest.fixture
def browser() -> Browser:
    return Browser()


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


def test_an_operator_signs_in_with_the_factor(card: Card, browser: Browser, olivia: Person) -> None:
    give(card, olivia)
    browser.sign_in(olivia)
    pending = {name: browser.field(name) for name in ("pending_token", "methods", "next")}
    assert 'sign-in/factor/card"' in browser.text

    browser.send(reverse("authsvc-sign-in-factor", args=["card"]), {**pending, "code": "000000"})
    assert (browser.status, browser.cookie) == (401, "")
    browser.send(reverse("authsvc-sign-in-factor", args=["card"]), {**pending, "code": NUMBER})

    assert browser.is_signed_in()


def test_the_sign_in_names_a_factor_without_a_step(card: Card, browser: Browser, olivia: Person) -> None:
    card.page_step = None
    give(card, olivia)

    browser.sign_in(olivia)

    assert "This page cannot ask for: printed card." in browser.text
    assert (
        browser.send(
            reverse("authsvc-sign-in-factor", args=["card"]), {"pending_token": browser.field("pending_token")}
        ).status
        == 404
    )


def test_the_page_of_a_user_and_the_overview_show_the_factor(
    card: Card, browser: Browser, olivia: Person, configure: Callable[..., None]
) -> None:
    configure(OPERATOR_SECOND_FACTOR="optional")
    browser.sign_in(olivia)
    give(card, olivia)

    browser.open(f"users/{olivia.user_id}")
    assert "Printed card" in browser.text
    browser.open()
    assert "Printed cards" in browser.text
