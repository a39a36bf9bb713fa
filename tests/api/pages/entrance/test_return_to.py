"""The way back to the application that sent the person."""

from collections.abc import Callable

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.urls import reverse

from pages.conf import settings as pages_settings
from pages.return_addresses import ReturnAddress
from tests.client import PASSWORD
from tests.pages import Browser, path_of, signed_in
from tests.people import Person, existing_session
from tests.second_factors import enroll_totp

Configure = Callable[..., None]

APP = "https://app.example/signed-in?tab=a&b"


@pytest.fixture(autouse=True)
def _listed(configure: Configure) -> None:
    """Let the sign-in lead to one application."""
    configure(RETURN_TO="https://app.example/signed-in, http://localhost:3000")


def leads_to(browser: Browser, address: str) -> bool:
    """Return whether the page leads to the address by itself and by its button, without a token."""
    escaped = address.replace("&", "&amp;")
    return f'content="0; url={escaped}"' in browser.text and f'href="{escaped}"' in browser.text


def test_a_sign_in_leads_back_to_the_application(browser: Browser, alice: Person) -> None:
    enrolled = enroll_totp(existing_session(alice))
    browser.open("authsvc-sign-in", return_to=APP)
    browser.submit("authsvc-sign-in", email=alice.email)
    browser.submit("authsvc-sign-in", password="wrong")
    browser.submit("authsvc-sign-in", password=PASSWORD)
    browser.submit("authsvc-sign-in-factor", "totp", code=enrolled.code(steps=1)).follow()

    assert leads_to(browser, APP)
    assert "app.example" in browser.text
    assert browser.is_signed_in()


def test_a_signed_in_person_returns_at_once(alice: Person) -> None:
    assert leads_to(signed_in(alice).open("authsvc-sign-in", return_to=APP), APP)


@pytest.mark.parametrize(
    "address", ["https://eve.example/", "https://app.example/", "//app.example/signed-in", "/account/"]
)
def test_an_address_that_is_not_listed_is_refused(browser: Browser, alice: Person, address: str) -> None:
    browser.open("authsvc-sign-in", return_to=address)
    assert browser.status == 400
    assert "This sign-in cannot lead back to the application that sent you." in browser.text
    assert signed_in(alice).open("authsvc-sign-in", return_to=address).status == 400


@pytest.mark.parametrize("address", ["https://eve.example/", "https://app.example/", "//app.example/signed-in"])
def test_a_changed_form_leads_to_the_account(browser: Browser, alice: Person, address: str) -> None:
    form = {"email": alice.email, "password": PASSWORD, "next": address, "return_to": address}

    browser.send(reverse("authsvc-sign-in"), form).follow()

    assert browser.url == reverse("authsvc-account")


def test_other_pages_lead_to_no_application(alice: Person) -> None:
    browser = signed_in(alice).open("authsvc-confirm", next=APP)

    browser.submit("authsvc-confirm-password", password=PASSWORD)

    assert path_of(browser.location) == reverse("authsvc-account")


def test_an_address_is_an_origin_with_or_without_a_path(configure: Configure) -> None:
    configure(RETURN_TO="https://App.example:443/, https://app.example/a/b/")

    assert pages_settings().return_to == (
        ReturnAddress(origin="https://app.example", path=""),
        ReturnAddress(origin="https://app.example", path="/a/b"),
    )


@pytest.mark.parametrize(
    "value",
    [
        "*",
        "app.example",
        "/signed-in",
        "https://*.app.example",
        "https://app.example/*?",
        "https://app.example/a?b=c",
        "https://app.example/#a",
        "https://app.example/a//b",
        "https://app.example/a/../b",
        "https://app.example/%2e",
        "https://user@app.example",
        "ftp://app.example",
    ],
)
def test_a_malformed_setting_stops_the_start(configure: Configure, value: str) -> None:
    configure(RETURN_TO=value)

    with pytest.raises(ImproperlyConfigured, match="RETURN_TO"):
        pages_settings()
