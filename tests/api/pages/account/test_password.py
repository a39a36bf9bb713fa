"""The change of the password, and the first password of an account without one."""

from collections.abc import Callable
from datetime import timedelta

from django.urls import reverse

from accounts.host import users
from core.db.transactions import write
from tests.mails import delivered, text_of
from tests.pages import Browser, path_of, signed_in
from tests.people import Person, existing_session

from .sessions import old_session

NEW = "staple orbit lantern"


@write
def drop_password(person: Person) -> None:
    """Leave the person's account without a password."""
    users.set_password_hash(account_id=person.account().pk, password_hash="!")


def test_the_change_ends_every_session_and_says_what_comes_next(alice: Person) -> None:
    other = existing_session(alice)
    browser = signed_in(alice).open("authsvc-account-password")
    controls = browser.form("authsvc-account-password").controls
    assert controls["current_password"]["autocomplete"] == "current-password"
    assert controls["new_password"]["autocomplete"] == "new-password"
    assert "at least 8 characters" in browser.text

    browser.submit("authsvc-account-password", current_password=alice.password, new_password=NEW)

    assert (browser.status, browser.cookie) == (200, "")
    assert "Your password is changed" in browser.text
    assert not other.is_live()
    assert "password" in text_of(delivered(alice.email)[-1])
    assert (
        Browser().sign_in(Person(email=alice.email, password=NEW, user_id=alice.user_id, api=alice.api)).follow().status
        == 200
    )


def test_errors_stand_beside_their_field_and_change_nothing(alice: Person, configure: Callable[..., None]) -> None:
    configure(PASSWORD_REQUIRE="digit,symbol")
    browser = signed_in(alice).open("authsvc-account-password")
    name = "authsvc-account-password"

    browser.submit(name, current_password="wrong", new_password=NEW)
    assert browser.status == 401
    assert 'id="current_password-error">This is not your present password.' in browser.text
    browser.submit(name, current_password=alice.password, new_password="short")
    assert browser.status == 400
    assert (
        "at least 8 characters. The password must contain a digit. The password must contain a symbol" in browser.text
    )
    browser.submit(name, current_password=alice.password, new_password="password1!")
    assert (browser.status, "known from data breaches" in browser.text) == (400, True)
    browser.submit(name, current_password=alice.password, new_password="")

    assert browser.status in (400, 422)
    assert alice.password not in browser.text
    assert existing_session(alice).is_live()


def test_wrong_passwords_count_against_the_limit_of_the_api(alice: Person, configure: Callable[..., None]) -> None:
    configure(RATE_LIMITS="password=2/h")
    session = existing_session(alice)
    body = {"current_password": "wrong", "new_password": NEW}
    browser = signed_in(alice).open("authsvc-account-password")

    statuses = [
        session.api.post("/v1/change-password", body, token=session.access).status,
        browser.submit("authsvc-account-password", **body).status,
        session.api.post("/v1/change-password", body, token=session.access).status,
        browser.submit("authsvc-account-password", **body).status,
    ]

    assert statuses == [401, 401, 429, 429]
    assert "Retry-After" in browser.page.headers
    assert 'role="alert">Too many tries. Try again in' in browser.text
    assert browser.shows_form("authsvc-account-password")


def test_an_account_without_a_password_sets_one_after_a_recent_login(alice: Person) -> None:
    drop_password(alice)
    stale = old_session(alice, age=timedelta(minutes=6)).open("authsvc-account-password")
    assert path_of(stale.location) == reverse("authsvc-confirm")

    browser = signed_in(alice).open("authsvc-account-password")
    assert "current_password" not in browser.form("authsvc-account-password").controls
    browser.submit("authsvc-account-password", new_password=NEW)

    assert "Your password is changed" in browser.text
    assert alice.api.post("/v1/login", {"email": alice.email, "password": NEW}).status == 200
