"""The language of the pages: the choice of the operator, else that of the browser, else that of the account."""

from collections.abc import Callable

import pytest
import time_machine
from pytest_django import Settings

from accounts.models import Account
from tests.console_browser import Browser, prefix
from tests.people import sign_up

Configure = Callable[..., None]

GERMAN = {"Accept-Language": "de-AT,en;q=0.5"}
JAPANESE = {"Accept-Language": "ja"}


def lang(browser: Browser) -> tuple[str, str]:
    """Return the language in the page and in its header."""
    html = browser.text.partition('<html lang="')[2][:2]
    return html, browser.page.headers["Content-Language"]


def test_the_choice_comes_before_the_browser_and_the_account(browser: Browser) -> None:
    Account.objects.update(metadata={"locale": "fr-CA"})
    assert lang(browser.open("events")) == ("fr", "fr")
    assert lang(browser.open("events", headers={"Accept-Language": "tlh"})) == ("fr", "fr")
    assert lang(browser.open("events", headers=GERMAN)) == ("de", "de")
    vary = {name.strip() for name in browser.page.headers["Vary"].split(",")}
    assert {"Accept-Language", "Cookie"} <= vary

    browser.submit("authsvc-language", {"language": "es", "next": f"{prefix()}events?type=logout"})

    assert browser.location == f"{prefix()}events?type=logout"
    cookie = browser.client.cookies["gatehouse-language"]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    browser.follow()
    assert lang(browser.open("events", headers=GERMAN)) == ("es", "es")
    assert (
        '<button class="quiet" name="language" value="es" lang="es" aria-current="true">Español</button>'
        in browser.text
    )


@pytest.mark.parametrize("locale", ["tlh", 7, None, ["de"]])
def test_an_account_without_a_known_language_gets_english(browser: Browser, locale: object) -> None:
    Account.objects.update(metadata={"locale": locale})

    assert lang(browser.open("users")) == ("en", "en")


def test_an_unknown_language_is_refused_and_a_changed_cookie_does_not_count(browser: Browser) -> None:
    browser.submit("authsvc-language", {"language": "tlh"})

    assert browser.status == 400
    assert "gatehouse-language" not in browser.client.cookies
    browser.client.cookies["gatehouse-language"] = "../de"
    assert lang(browser.open("events")) == ("en", "en")


def test_english_parts_of_a_page_say_so(browser: Browser) -> None:
    page = browser.open("/v1/admin/users", headers={**GERMAN, "Accept": "text/html"}).text

    assert '<h1 lang="en">' in page
    assert '<h1 lang="en">' not in browser.open("/v1/admin/users", headers={"Accept": "text/html"}).text


def test_without_translations_the_pages_are_english(browser: Browser, settings: Settings) -> None:
    settings.USE_I18N = False

    assert lang(browser.open("events", headers=GERMAN)) == ("en", "en")
    assert 'class="languages"' not in browser.text


def test_answers_of_the_api_and_exports_are_english(browser: Browser, settings: Settings) -> None:
    settings.LANGUAGE_CODE = "de"
    bob = sign_up("bob")

    page = browser.open(
        "/v1/admin/support/diagnose?email=bob@example.com", headers={**GERMAN, "Accept": "text/html"}
    ).text
    assert "It has no second factor." in page
    assert lang(browser)[0] == "de"

    browser.submit("export/users", {"q": bob.email})
    assert b"".join(browser.page.streaming_content).decode().startswith("id,email,")


def test_times_have_the_form_of_the_language(travel: time_machine.Traveller, browser: Browser) -> None:
    del travel
    assert "10 Mar 2026, 12:00:00 UTC</time>" in browser.open("events").text

    assert "2026年3月10日 12:00:00 UTC</time>" in browser.open("events", headers=JAPANESE).text
