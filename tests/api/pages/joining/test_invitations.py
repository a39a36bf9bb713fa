"""The mailed link of an invitation: a password, or a passkey."""

from collections.abc import Callable

import pytest
from django.urls import reverse

from accounts.models import Account
from mfa.models import Passkey
from tests.api.users.commands import users
from tests.authenticator import Authenticator
from tests.client import PASSWORD
from tests.mails import delivered
from tests.pages import Browser, path_of

from .ceremonies import begin, finish
from .links import follow_link, link_in

Configure = Callable[..., None]

CAROL = "carol@example.com"


@pytest.fixture(autouse=True)
def _by_invitation(configure: Configure) -> None:
    configure(SIGNUP="invited")


def invited() -> str:
    users("invite", CAROL)
    return link_in(delivered(CAROL)[-1])


def test_an_invited_person_sets_a_password_and_is_signed_in(browser: Browser) -> None:
    follow_link(browser, invited())
    assert CAROL in browser.text
    controls = browser.form("authsvc-join-by-password").controls
    assert controls["new_password"]["autocomplete"] == "new-password"
    browser.submit("authsvc-join-by-password", new_password="short")
    assert (browser.status, "at least 8 characters" in browser.text) == (400, True)
    assert not Account.objects.exists()

    browser.submit("authsvc-join-by-password", new_password=PASSWORD)

    assert browser.status == 303
    assert browser.is_signed_in()
    assert Account.objects.get().email_proven_at is not None


def test_an_invited_person_makes_a_passkey_instead(browser: Browser) -> None:
    follow_link(browser, invited())

    browser.submit("authsvc-join-by-passkey").follow()
    assert path_of(browser.url) == reverse("authsvc-passkey-offer")
    assert "Create your passkey" in browser.text
    finish(browser, begin(browser), Authenticator())

    assert "Your passkey is saved" in browser.text
    assert Passkey.objects.get().signs_in_alone
    assert not Account.objects.get().user.has_usable_password()


def test_without_a_key_for_factors_the_page_asks_for_a_password_only(browser: Browser, configure: Configure) -> None:
    link = invited()
    configure(ENCRYPTION_KEY="")

    follow_link(browser, link)

    assert not browser.shows_form("authsvc-join-by-passkey")


def test_a_used_invitation_and_a_closed_sign_up_say_so(browser: Browser, configure: Configure) -> None:
    link = invited()
    configure(SIGNUP="closed")
    follow_link(browser, link)
    assert browser.status == 403
    assert not Account.objects.exists()

    configure(SIGNUP="invited")
    follow_link(browser, link).submit("authsvc-join-by-password", new_password=PASSWORD)
    again = follow_link(Browser(), link)
    assert (again.status, "was already used" in again.text) == (400, True)
