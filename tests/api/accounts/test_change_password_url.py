"""The URL at which password managers look for the page that changes a password."""

import pytest
from django.test import Client
from pytest_django import Settings

URL = "/.well-known/change-password"
OWN = {"PASSWORD_RESET_URL": "https://app.example.com/reset"}


@pytest.mark.parametrize(
    ("setting", "location"),
    [({}, "/mail/password-reset"), (OWN, OWN["PASSWORD_RESET_URL"])],
    ids=["own page", "page of the application"],
)
def test_the_url_redirects_to_the_page_that_resets_the_password(
    settings: Settings, setting: dict[str, str], location: str
) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **setting}

    answer = Client().get(URL)

    assert (answer.status_code, answer.headers["Location"]) == (302, location)
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_url_is_not_found_while_mail_is_off(settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "EMAIL_URL": "off"}

    assert Client().get(URL).status_code == 404


def test_an_unknown_well_known_url_is_not_found() -> None:
    # Password managers trust the redirect only on a site that answers 404 here.
    path = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200"

    assert Client().get(path).status_code == 404


def test_the_url_refuses_other_methods() -> None:
    answer = Client().post(URL)

    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET")
