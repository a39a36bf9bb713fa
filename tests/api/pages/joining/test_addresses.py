"""The mailed links of a change of the address, and of its undoing."""

from accounts.models import Account, MailToken
from core.clock import now
from tests.client import PASSWORD
from tests.mails import delivered
from tests.pages import Browser, signed_in
from tests.people import Person, existing_session

from .links import follow_link, link_in

NEW = "new@example.com"


def asked(person: Person, address: str = NEW) -> str:
    """Ask for a change of the address, and return the link that confirms it."""
    session = existing_session(person)
    session.api.post("/v1/email/request-change", {"new_email": address}, token=session.access)
    return link_in(delivered(address)[-1])


def is_proven(person: Person) -> bool:
    return person.account().email_proven_at is not None


def test_a_change_with_the_password_confirms_the_new_address(browser: Browser, alice: Person) -> None:
    follow_link(browser, asked(alice))
    assert NEW in browser.text
    assert alice.email in browser.text
    browser.submit("authsvc-change-address", password="wrong")
    assert (browser.status, "The password is not correct." in browser.text) == (401, True)

    browser.submit("authsvc-change-address", password=PASSWORD)

    assert "Your address is changed" in browser.text
    assert "not confirmed yet" not in browser.text
    assert (alice.account().email_key, is_proven(alice)) == (NEW, True)


def test_a_change_without_a_proof_stays_unconfirmed_and_says_so(browser: Browser, alice: Person) -> None:
    follow_link(browser, asked(alice)).submit("authsvc-change-address")

    assert "not confirmed yet" in browser.text
    assert (alice.account().email_key, is_proven(alice)) == (NEW, False)


def test_the_session_of_the_account_replaces_the_password(alice: Person) -> None:
    browser = signed_in(alice)

    follow_link(browser, asked(alice))
    assert "password" not in browser.form("authsvc-change-address").controls
    browser.submit("authsvc-change-address")

    assert is_proven(alice)


def test_the_session_of_another_account_proves_nothing(alice: Person, bob: Person) -> None:
    browser = signed_in(bob)

    follow_link(browser, asked(alice))
    assert "password" in browser.form("authsvc-change-address").controls
    browser.submit("authsvc-change-address")

    assert (alice.account().email_key, is_proven(alice), is_proven(bob)) == (NEW, False, False)


def test_an_address_that_another_account_took_meanwhile_is_refused(
    browser: Browser, alice: Person, bob: Person
) -> None:
    link = asked(alice)
    browser.open("authsvc-sign-up").submit("authsvc-sign-up", email=NEW, password=PASSWORD)
    browser.client.cookies.clear()

    follow_link(browser, link).submit("authsvc-change-address")

    assert (browser.status, "Another account has this e-mail address now" in browser.text) == (409, True)
    assert alice.account().email_key == alice.email


def test_the_notice_to_the_old_address_undoes_the_change(browser: Browser, alice: Person) -> None:
    Account.objects.filter(pk=alice.account().pk).update(email_proven_at=now())
    own = signed_in(alice)
    follow_link(own, asked(alice)).submit("authsvc-change-address")
    undo = link_in(delivered(alice.email)[-1])

    follow_link(browser, undo)
    assert alice.email in browser.text
    browser.submit("authsvc-undo-address")

    assert "Your address is restored" in browser.text
    assert alice.account().email_key == alice.email
    assert not own.is_signed_in()
    assert not MailToken.objects.filter(spent_at=None).exists()
