"""The offer of a passkey after a login by password, which each account gets once."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import time_machine
from django.urls import reverse

from mfa.models import Passkey
from pages.models import PasskeyOffer
from tests.authenticator import Authenticator
from tests.pages import Browser, path_of, signed_in
from tests.passkeys import register
from tests.people import Person, existing_session
from tests.second_factors import enroll_totp

from .ceremonies import begin, finish

Configure = Callable[..., None]

DEVICES = "authsvc-account"


def sign_in(browser: Browser, person: Person, *, following: str = "") -> Browser:
    """Sign in by password, as a person who may not have seen the offer."""
    browser.open("authsvc-sign-in", next=following).submit("authsvc-sign-in", email=person.email)
    return browser.submit("authsvc-sign-in", password=person.password)


def test_a_login_by_password_offers_a_passkey_once_and_leads_on(browser: Browser, alice: Person) -> None:
    following = reverse(DEVICES) + "?tab=1"
    sign_in(browser, alice, following=following).follow()
    assert path_of(browser.url) == reverse("authsvc-passkey-offer")
    assert f'href="{following}"' in browser.text
    assert PasskeyOffer.objects.count() == 1

    again = sign_in(Browser(), alice, following=following).follow()

    assert again.url == following


def test_a_passkey_of_the_offer_signs_in_alone(browser: Browser, alice: Person) -> None:
    sign_in(browser, alice).follow()

    finish(browser, begin(browser), Authenticator())

    assert "Your passkey is saved" in browser.text
    assert Passkey.objects.get().signs_in_alone


def test_a_passkey_without_a_question_leads_on_with_a_notice(browser: Browser, alice: Person) -> None:
    sign_in(browser, alice).follow()
    assert "data-conditional" in browser.text
    ceremony = begin(browser, conditional="1")
    assert ceremony["public_key"]["authenticatorSelection"]["residentKey"] == "required"

    finish(browser, ceremony, Authenticator(), silent="1")

    assert (browser.status, path_of(browser.location)) == (303, reverse("authsvc-account"))
    browser.follow()
    assert "A passkey was saved." in browser.text


def test_no_offer_comes_after_another_login_with_a_passkey_or_without_keys(
    alice: Person, bob: Person, configure: Configure
) -> None:
    session = existing_session(alice)
    app = enroll_totp(session)
    assert register(session, Authenticator()).status == 200
    browser = sign_in(Browser(), alice).submit("authsvc-sign-in-factor", "totp", code=app.code()).follow()
    assert path_of(browser.url) == reverse("authsvc-account")

    configure(ENCRYPTION_KEY="")
    assert path_of(sign_in(Browser(), bob).follow().url) == reverse("authsvc-account")
    assert signed_in(bob).open("authsvc-passkey-offer").status == 404


def test_a_login_with_an_app_also_gets_the_offer(browser: Browser, alice: Person) -> None:
    app = enroll_totp(existing_session(alice))

    sign_in(browser, alice).submit("authsvc-sign-in-factor", "totp", code=app.code()).follow()

    assert path_of(browser.url) == reverse("authsvc-passkey-offer")


def test_an_old_session_confirms_first(browser: Browser, alice: Person) -> None:
    browser = signed_in(alice).open("authsvc-passkey-offer")

    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=11)):  # noqa: TID251
        browser.submit("authsvc-passkey-offer", ceremony_token="x", credential="{}")

    assert path_of(browser.location) == reverse("authsvc-confirm")
