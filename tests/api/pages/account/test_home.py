"""The overview: how the account is protected, and what would help."""

from collections.abc import Callable

import time_machine

from accounts.state.proven_addresses import prove_address
from core.clock import now
from core.db.transactions import write
from core.http.client import Client
from mfa.recovery.codes import count_unused
from tests.client import Api
from tests.pages import Browser, signed_in
from tests.people import Person, existing_session
from tests.second_factors import enroll_totp, generate_codes

HERE = Client(ip="203.0.113.7", user_agent="")


@write
def prove(person: Person) -> None:
    """Prove the person's address."""
    prove_address(account_id=person.account().pk, address=person.email, client=HERE, now=now())


def test_a_new_account_learns_what_would_help(alice: Person) -> None:
    browser = signed_in(alice).open("authsvc-account")

    assert "2 things would make it safer." in browser.text
    assert "Not confirmed." in browser.text
    assert "Turn on two-step verification" in browser.text
    assert "You are signed in on 1 device." in browser.text
    assert "You have signed in for the first time." in browser.text
    assert 'aria-current="page">Overview' in browser.text


def test_a_well_protected_account_misses_nothing(alice: Person) -> None:
    prove(alice)
    session = existing_session(alice)
    enroll_totp(session)
    browser = signed_in(alice)
    assert "Without them, a lost phone can lock you out." in browser.open("authsvc-account").text

    generate_codes(session)
    browser.open("authsvc-account")

    assert count_unused(account_id=alice.account().pk) == 10
    assert "Nothing is missing." in browser.text
    assert "On: authenticator app." in browser.text
    assert "10 codes are left." in browser.text


def test_the_sign_in_before_and_refused_sign_ins_are_shown(alice: Person) -> None:
    with time_machine.travel("2026-11-20T10:00:00Z", tick=True):
        Browser(ip="198.51.100.9").sign_in(alice)
    with time_machine.travel("2026-11-21T10:00:00Z", tick=True):
        Api().post("/v1/login", {"email": alice.email, "password": "wrong"})
        browser = Browser().sign_in(alice)

        browser.open("authsvc-account")

        assert "20 November 2026, 10:00 UTC" in browser.text
        assert "198.51.100.9" in browser.text
        assert "1 sign-in was refused in the last 7 days." in browser.text


def test_a_deployment_that_cannot_store_factors_does_not_ask_for_one(
    alice: Person, configure: Callable[..., None]
) -> None:
    configure(ENCRYPTION_KEY=None)
    browser = signed_in(alice).open("authsvc-account")

    assert "1 thing would make it safer." in browser.text
    assert "Passkeys" not in browser.text
    assert "offers no two-step verification" in browser.open("authsvc-account-two-step").text
    assert browser.open("authsvc-account-app").status == 404
