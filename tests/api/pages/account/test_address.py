"""The e-mail address: verified or not, its change, and the change that waits."""

from collections.abc import Callable

import pytest
from django.urls import reverse

from accounts.models import MailToken
from tests.mails import delivered, text_of, token_in
from tests.pages import path_of, signed_in
from tests.people import Person, existing_session

from .sessions import confirm, notice, old_session
from .test_home import prove

ROOM, NEW = "authsvc-account-address", "authsvc-account-address-new"


def test_a_link_that_verifies_the_address_is_mailed_again(alice: Person) -> None:
    browser = signed_in(alice).open(ROOM)
    assert "Not confirmed" in browser.text

    browser.submit("authsvc-account-address-verify")

    assert notice(browser) == "We mail you a link. Open it to confirm your address."
    assert token_in(delivered(alice.email)[-1])
    form = {"csrf_token": browser.field("csrf_token")}
    prove(alice)
    browser.send("authsvc-account-address-verify", form)
    assert notice(browser) == "Your address is confirmed already."
    assert not browser.shows_form("authsvc-account-address-verify")


def test_a_change_waits_for_the_new_mailbox_and_can_be_given_up(alice: Person) -> None:
    browser = signed_in(alice).open(NEW)
    assert browser.form(NEW).controls["new_email"]["type"] == "email"

    browser.submit(NEW, new_email="alice@example.org")

    assert notice(browser) == "We mail a link to alice@example.org. Your address changes when you open it there."
    assert "A change is waiting" in browser.text
    token = token_in(delivered("alice@example.org")[-1])
    assert "A change of the address" in text_of(delivered(alice.email)[-1])
    browser.submit("authsvc-account-address-give-up")
    assert "The change is cancelled." in notice(browser)
    assert "A change is waiting" not in browser.text
    confirmed = alice.api.post("/v1/email/confirm-change", {"token": token, "password": alice.password})
    assert confirmed.code == "verification_token_invalid"


def test_the_address_of_another_account_looks_like_any_other(alice: Person, bob: Person) -> None:
    browser = signed_in(alice).open(NEW)

    browser.submit(NEW, new_email=bob.email)

    assert f"We mail a link to {bob.email}." in notice(browser)
    assert delivered(bob.email) == []


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("alice", "This is not an e-mail address."),
        ("", "This is not an e-mail address."),
        ("ALICE@example.com", "This is your present address."),
        ("a" * 250 + "@example.com", "This is not an e-mail address."),
        ("a\x00@example.com", "must not contain a NUL character."),
    ],
)
def test_a_wrong_address_changes_nothing(alice: Person, typed: str, text: str) -> None:
    browser = signed_in(alice).open(NEW)

    browser.submit(NEW, new_email=typed)

    assert browser.status in (400, 422)
    assert text in browser.text.partition('id="new_email-error">')[2]
    assert not MailToken.objects.exists()


def test_the_typed_address_waits_for_the_confirmation(alice: Person) -> None:
    browser = old_session(alice)
    form = {"csrf_token": browser.open("authsvc-account").field("csrf_token"), "new_email": "alice@example.org"}
    browser.url = reverse(NEW)

    browser.send(NEW, form)
    assert path_of(browser.location) == reverse("authsvc-confirm")
    confirm(browser, alice)

    assert (path_of(browser.url), browser.field("new_email")) == (reverse(NEW), "alice@example.org")
    browser.submit(NEW)
    assert "alice@example.org" in notice(browser)


def test_mails_count_against_the_limit_of_the_api(alice: Person, configure: Callable[..., None]) -> None:
    configure(RATE_LIMITS="mail_account=1/h")
    session = existing_session(alice)
    session.api.post("/v1/email/verify/request", token=session.access)
    browser = signed_in(alice).open(ROOM)

    assert browser.submit("authsvc-account-address-verify").status == 429


def test_without_mail_the_address_stays(alice: Person, configure: Callable[..., None]) -> None:
    configure(EMAIL_URL="off")
    browser = signed_in(alice).open(ROOM)

    assert "This service sends no mails" in browser.text
    assert not browser.shows_form("authsvc-account-address-verify")
    assert browser.open(NEW).status == 404
