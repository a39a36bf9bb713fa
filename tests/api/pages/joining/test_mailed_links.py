"""The common rules of all pages of mailed links."""

import re
from urllib.parse import urlsplit

import pytest
from pytest_django import Settings

from accounts.checks import check_mail_pages
from accounts.models import MailToken
from core.clock import now
from core.http.client import Client
from pages.joining.forms import token_of
from sessions_app.logins.magic_links import request_magic_link
from tests.mails import delivered, text_of, token_in
from tests.pages import Browser
from tests.people import Person
from tests.rows import each

from .links import follow_link, link_in

PAGES = (
    *("magic-link", "email-change", "email-undo", "verify-email", "password-reset", "invitation"),
    *("recovery-cancel", "recovery-complete"),
)
TOKEN = "a" * 43


@pytest.mark.parametrize("name", PAGES)
def test_a_page_waits_for_the_link_and_says_what_to_do_without_one(browser: Browser, name: str) -> None:
    page = f"authsvc-page-{name}"

    browser.open(page, token=TOKEN)

    headers = browser.page.headers
    assert (browser.status, headers["Cache-Control"]) == (200, "no-store")
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    # A scanner that moved the token into the query gets the page too, which does not repeat the token.
    assert TOKEN not in browser.text.replace(f"token={TOKEN}", "")
    assert browser.form(page).controls["token"]["autocomplete"] == "off"
    assert "copy the whole link from the mail" in browser.text

    browser.submit(page, token=TOKEN)
    assert (browser.status, "This link is not valid" in browser.text) == (400, True)


@each(
    "typed, token",
    [
        (TOKEN, TOKEN),
        (f"  {TOKEN}\n", TOKEN),
        (f"https://auth.example.com/mail/magic-link#token={TOKEN}", TOKEN),
        (f"https://auth.example.com/mail/magic-link?token={TOKEN}&utm=x", TOKEN),
        (f"Sign in: https://auth.example.com/mail/magic-link#token={TOKEN}.", TOKEN),
        ("https://auth.example.com/", "https"),
        ("", ""),
    ],
)
def test_a_pasted_link_or_its_token_is_read(typed: str, token: str) -> None:
    assert token_of(typed) == token


def test_a_link_works_at_every_prefix_of_the_pages(browser: Browser, alice: Person, settings: Settings) -> None:
    settings.ROOT_URLCONF = "tests.api.pages.joining.scattered_site"
    request_magic_link(email=alice.email, client=Client(ip="198.51.100.9", user_agent=""), now=now())
    link = link_in(delivered(alice.email)[-1])
    assert urlsplit(link).path == "/pages/mail/magic-link"

    follow_link(browser, link).submit("authsvc-sign-in-by-link")

    assert browser.cookie


def test_a_site_without_the_pages_gets_a_warning_for_each_link(alice: Person, settings: Settings) -> None:
    settings.ROOT_URLCONF = "tests.api.pages.joining.bare_site"

    assert [found.id for found in check_mail_pages()] == ["authsvc.W012"] * 6

    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "INVITATION_URL": "https://app.example.com/join"}

    assert [found.id for found in check_mail_pages()] == ["authsvc.W012"] * 5


def test_the_chooser_of_the_language_keeps_the_link(browser: Browser, alice: Person) -> None:
    request_magic_link(email=alice.email, client=Client(ip="198.51.100.9", user_agent=""), now=now())
    link = link_in(delivered(alice.email)[-1])
    page = "authsvc-page-magic-link"

    follow_link(browser, link).submit(page, language="de")

    assert (browser.status, browser.page.headers["Content-Language"]) == (200, "de")
    assert browser.submit("authsvc-sign-in-by-link").cookie
    follow_link(Browser(), link)
    browser.client.cookies.clear()
    follow_link(browser, link).submit(page, language="fr")
    assert (browser.status, browser.page.headers["Content-Language"]) == (400, "fr")
    assert "token=" not in browser.location


def test_the_token_is_in_no_address_and_no_log(
    browser: Browser, alice: Person, caplog: pytest.LogCaptureFixture
) -> None:
    request_magic_link(email=alice.email, client=Client(ip="198.51.100.9", user_agent=""), now=now())
    (mail,) = delivered(alice.email)
    assert re.search(r"\?\S*token=", text_of(mail)) is None

    follow_link(browser, link_in(mail)).submit("authsvc-sign-in-by-link")

    assert MailToken.objects.get().spent_at is not None
    assert token_in(mail) not in caplog.text
    assert token_in(mail) not in browser.location
