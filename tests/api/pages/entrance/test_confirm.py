"""The confirmation of a recent login, and the return to the page with what was typed."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models import QuerySet
from django.urls import reverse
from orjson import dumps
from pytest_django import Settings

from accounts.host import users
from core.clock import now
from core.db.transactions import write
from pages.models import BrowserSession
from sessions_app.models import Family
from tests import passkeys
from tests.authenticator import Authenticator
from tests.pages import Browser, path_of, see_offer, signed_in
from tests.people import Person, existing_session
from tests.second_factors import enroll_totp

Configure = Callable[..., None]

AGE = timedelta(minutes=4)
"""The age of a sign-in that a factor of today may confirm."""


@pytest.fixture
def drafting_site(settings: Settings, configure: Configure) -> None:
    """A site whose page at `/draft` has a form that needs a recent login."""
    settings.ROOT_URLCONF = "tests.api.pages.entrance.drafting_site"
    configure(RECENT_LOGIN_SECONDS="60")


def old_session(person: Person) -> Browser:
    """Return a browser whose sign-in is no recent login."""
    browser = signed_in(person)
    families().update(authenticated_at=now() - AGE)
    return browser


def families() -> QuerySet[Family]:
    """Return the sessions of browsers."""
    return Family.objects.filter(pk__in=BrowserSession.objects.values("pk"))


def is_confirmed() -> bool:
    """Return whether the session of the browser counts as authenticated now."""
    return families().get().authenticated_at > now() - AGE / 2


def test_the_password_confirms_and_leads_back(alice: Person) -> None:
    browser = old_session(alice)
    page = reverse("authsvc-sign-out")
    browser.open("authsvc-confirm", next=page)
    assert browser.form("authsvc-confirm-password").controls["password"]["autocomplete"] == "current-password"
    assert browser.field("username") == alice.email

    browser.submit("authsvc-confirm-password", password="wrong")
    assert (browser.status, is_confirmed()) == (401, False)
    browser.submit("authsvc-confirm-password", password=alice.password)

    assert (browser.location, is_confirmed()) == (page, True)


def test_an_account_with_a_factor_confirms_by_the_factor_alone(alice: Person) -> None:
    app = enroll_totp(existing_session(alice))
    browser = old_session(alice)
    browser.open("authsvc-confirm")
    fields = browser.form("authsvc-confirm-factor", "totp").fields
    assert not browser.shows_form("authsvc-confirm-password")

    browser.send("authsvc-confirm-password", {**fields, "password": alice.password})
    assert (browser.status, is_confirmed()) == (403, False)
    browser.submit("authsvc-confirm-factor", "totp", code=app.wrong_code())
    assert (browser.status, is_confirmed()) == (401, False)
    browser.submit("authsvc-confirm-factor", "totp", code=app.code(steps=1))

    assert (browser.location, is_confirmed()) == (reverse("authsvc-account"), True)


def test_a_passkey_confirms(alice: Person) -> None:
    authenticator = Authenticator()
    passkeys.enroll(alice, authenticator)
    browser = old_session(alice)
    fields = browser.open("authsvc-confirm").form("authsvc-confirm-factor", "passkey").fields

    begun = browser.send("authsvc-confirm-passkey-begin", fields).page.json()["data"]
    credential = dumps(authenticator.get(begun["public_key"])).decode()
    browser.send(
        reverse("authsvc-confirm-factor", args=["passkey"]),
        {**fields, "ceremony_token": begun["ceremony_token"], "credential": credential},
    )

    assert (browser.location, is_confirmed()) == (reverse("authsvc-account"), True)


def test_an_account_without_password_and_factor_signs_in_again(alice: Person) -> None:
    write(users.retire_password)(account_id=alice.account().pk)
    browser = old_session(alice)

    browser.open("authsvc-confirm")

    assert not browser.shows_form("authsvc-confirm-password")
    assert f"{reverse('authsvc-sign-in')}?again=1" in browser.text


@pytest.mark.usefixtures("drafting_site")
def test_a_confirmation_keeps_what_was_typed_except_secrets(alice: Person) -> None:
    browser = old_session(alice)
    browser.open("/draft?tab=names").submit("/draft", nickname='Alice\'s "phone"', password="a secret")
    assert path_of(browser.location) == reverse("authsvc-confirm")
    browser.follow()
    browser.submit("authsvc-confirm-password", password=alice.password).follow()

    assert browser.url == "/draft?tab=names"
    assert (browser.field("nickname"), browser.field("password")) == ('Alice\'s "phone"', "")
    assert "a secret" not in str(BrowserSession.objects.values_list())
    assert browser.submit("/draft", password="a secret").text == 'Alice\'s "phone"'
    assert browser.open("/draft?tab=names").field("nickname") == ""


@pytest.mark.usefixtures("drafting_site")
def test_a_new_sign_in_keeps_what_was_typed_for_the_same_account_only(alice: Person, bob: Person) -> None:
    see_offer(bob)

    def typed_after_sign_in_as(person: Person) -> str:
        browser = old_session(alice)
        browser.open("/draft").submit("/draft", nickname="Phone", password="").follow()
        browser.open("authsvc-sign-in", next="/draft", again="1")
        browser.submit("authsvc-sign-in", email=person.email, password=person.password).follow()
        return browser.field("nickname")

    assert typed_after_sign_in_as(alice) == "Phone"
    assert typed_after_sign_in_as(bob) == ""


@pytest.mark.usefixtures("drafting_site")
def test_a_form_that_is_too_long_is_not_kept(alice: Person) -> None:
    browser = old_session(alice)

    browser.open("/draft").submit("/draft", nickname="a" * 20_001, password="")

    assert path_of(browser.location) == reverse("authsvc-confirm")
    assert BrowserSession.objects.get().draft == {}


@pytest.mark.usefixtures("drafting_site")
def test_a_form_of_an_ended_session_leads_to_the_sign_in(alice: Person) -> None:
    browser = signed_in(alice)
    browser.open("/draft")
    families().update(revoked_at=now())

    browser.submit("/draft", nickname="Phone", password="")

    assert path_of(browser.location) == reverse("authsvc-sign-in")
