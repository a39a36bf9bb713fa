"""The languages of the mails and of the pages behind their links."""

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import Account
from tests.client import PASSWORD, Api
from tests.mails import delivered, text_of, token_in
from tests.people import Person

GERMAN = {"Accept-Language": "de-AT,en;q=0.5"}


def set_locale(person: Person, locale: object) -> None:
    Account.objects.filter(pk=person.account().pk).update(metadata={"locale": locale})


def request_link(api: Api, email: str) -> str:
    """Request a magic link with a German browser, and return the subject of the mail."""
    delivered(email)
    api.post("/v1/magic-link/request", {"email": email}, headers=GERMAN)
    (mail,) = delivered(email)
    return str(mail["Subject"])


def test_a_mail_is_in_the_language_of_the_browser(api: Api, alice: Person) -> None:
    assert request_link(api, alice.email) == "Ihr Link zur Anmeldung bei localhost"


def test_the_locale_of_the_account_wins(api: Api, alice: Person) -> None:
    set_locale(alice, "fr-CA")

    assert request_link(api, alice.email) == "Votre lien de connexion à localhost"


@pytest.mark.parametrize("locale", ["tlh", "", 7, None, ["fr"]])
def test_a_locale_that_names_no_language_does_not_count(api: Api, alice: Person, locale: object) -> None:
    set_locale(alice, locale)

    assert request_link(api, alice.email) == "Ihr Link zur Anmeldung bei localhost"


def test_the_first_languages_of_a_long_header_count(api: Api, alice: Person) -> None:
    delivered(alice.email)
    header = ",".join(["es-MX", *["tlh-AA;q=0.1"] * 99])

    api.post("/v1/magic-link/request", {"email": alice.email}, headers={"Accept-Language": header})

    (mail,) = delivered(alice.email)
    assert mail["Subject"] == "Su enlace para iniciar sesión en localhost"


def test_a_mail_is_in_japanese(api: Api, alice: Person) -> None:
    set_locale(alice, "ja-JP")

    assert request_link(api, alice.email) == "localhost へのログイン用リンク"


def test_a_browser_without_a_known_language_gets_english(api: Api, alice: Person) -> None:
    delivered(alice.email)

    api.post("/v1/magic-link/request", {"email": alice.email}, headers={"Accept-Language": "x" * 5000})

    (mail,) = delivered(alice.email)
    assert mail["Subject"] == "Your link to sign in to localhost"


def test_the_mail_at_a_sign_up_is_in_the_language_of_the_browser(api: Api, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "EMAIL_VERIFICATION": "on"}

    api.post("/v1/signup", {"email": "bob@example.com", "password": PASSWORD}, headers=GERMAN)

    (mail,) = delivered("bob@example.com")
    assert mail["Subject"] == "Bestätigen Sie Ihre Adresse für localhost"


def test_the_mail_about_a_deletion_is_in_the_language_of_the_account(alice: Person) -> None:
    set_locale(alice, "es")
    session = alice.log_in()
    delivered(alice.email)

    alice.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access)

    (mail,) = delivered(alice.email)
    assert mail["Subject"] == "Su cuenta de localhost se ha eliminado"


def test_the_list_of_sessions_is_in_the_language_of_the_mail(api: Api, alice: Person) -> None:
    alice.log_in()
    delivered(alice.email)
    api.post("/v1/magic-link/request", {"email": alice.email})
    (link,) = delivered(alice.email)

    api.post("/v1/magic-link/complete", {"token": token_in(link)}, headers=GERMAN)

    (mail,) = delivered(alice.email)
    assert "\n- Sitzung: Chrome auf macOS, 203.0.113.7, seit " in text_of(mail)


def test_the_api_stays_english(api: Api, alice: Person, settings: Settings) -> None:
    settings.LANGUAGE_CODE = "de"
    session = alice.log_in()

    refusal = api.post("/v1/login", {"email": alice.email, "password": "wrong"}, headers=GERMAN)
    sessions = api.get("/v1/sessions", token=session.access, headers=GERMAN)

    assert refusal.body["error"]["message"].startswith("The e-mail address or the password is not correct.")
    assert sessions.data[0]["label"] == "Chrome on macOS"


@pytest.mark.parametrize(
    ("accept_language", "language", "title"),
    [
        ("de", "de", "Wiederherstellung"),
        ("es-MX", "es", "Detener"),
        ("ja-JP,ja;q=0.9,en;q=0.8", "ja", "復旧"),
        ("pt", "en", "Stop the recovery"),
    ],
)
def test_a_page_is_in_the_language_of_the_browser(accept_language: str, language: str, title: str) -> None:
    html = (
        Client()
        .get("/mail/recovery-cancel", headers={"Accept-Language": accept_language, "Host": "localhost:8000"})
        .content.decode()
    )

    assert f'<html lang="{language}">' in html
    assert f"<title>{title}" in html
