"""Sign-ins with responses that are no passkey's, and locks that strangers cause."""

import pytest

from tests.client import Api
from tests.pages import Browser
from tests.people import Person
from tests.second_factors import lock


@pytest.mark.parametrize("credential", ["", "null", "[]", "{", "{}", "[" * 5000])
def test_a_response_that_is_no_passkeys_opens_nothing(browser: Browser, db: None, credential: str) -> None:
    begun = browser.send("authsvc-sign-in-passkey-begin").page.json()["data"]

    browser.send(
        "authsvc-sign-in-passkey", {"ceremony_token": begun["ceremony_token"], "credential": credential, "next": ""}
    )

    assert browser.status in {401, 422}
    assert browser.shows_form("authsvc-sign-in")
    assert browser.cookie == ""


def test_a_known_network_of_the_owner_passes_a_lock_that_others_caused(browser: Browser, alice: Person) -> None:
    assert browser.sign_in(alice).cookie
    others = Api(ip="198.51.100.7")
    for _ in range(5):
        others.post("/v1/login", {"email": alice.email, "password": "wrong"})
    assert alice.account().locked_until is not None

    assert Browser().sign_in(alice).cookie


def test_wrong_passwords_on_the_page_lock_the_account(browser: Browser, alice: Person) -> None:
    form = {"email": alice.email, "password": "wrong"}

    statuses = [browser.send("authsvc-sign-in", form).status for _ in range(5)]

    assert set(statuses) <= {401, 403}
    assert alice.account().locked_until is not None
    lock(alice)
    assert Browser(ip="198.51.100.7").sign_in(alice).status == 403
