"""Every page for the people who sign in, in another language. No text of it stays English."""

import re
from collections.abc import Callable, Iterator
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from pages.account.urls import urlpatterns as account
from pages.entrance.urls import urlpatterns as entrance
from pages.joining.urls import mail_patterns
from pages.joining.urls import urlpatterns as joining
from tests.pages import Browser, signed_in
from tests.people import Person, existing_session
from tests.pseudo_language import PSEUDO, english_in, pseudo
from tests.second_factors import enroll_totp

__all__ = ["pseudo"]

pytestmark = [pytest.mark.once, pytest.mark.usefixtures("pseudo")]

NAMES = frozenset(
    ["localhost", "English", "Deutsch", "Français", "Español", "UTC", "GitHub", "Backup", "Chrome", "macOS"]
)
DATA = re.compile(r"\d{1,2}\. \w+ \d{4}|<li>[0-9a-z]{4}-[0-9a-z]{4}</li>")
"""Dates, whose months Django translates, and recovery codes."""
LANGUAGE = {"Accept-Language": PSEUDO}


def opened(patterns: list[object]) -> Iterator[str]:
    """Yield the paths of the pages that a browser opens without an id."""
    for entry in patterns:
        if "GET" in entry.callback.cls.operations and not entry.pattern.converters:  # type: ignore[attr-defined]
            yield reverse(str(entry.name))  # type: ignore[attr-defined]


def english(browser: Browser) -> list[str]:
    """Return the English texts of the page."""
    assert browser.status < 500
    return list(english_in(DATA.sub("", browser.text), names=NAMES))


def test_no_page_has_an_english_text(alice: Person, configure: Callable[..., None]) -> None:
    configure(OAUTH_GITHUB_CLIENT_ID="x", OAUTH_GITHUB_CLIENT_SECRET="y")
    session = existing_session(alice)
    session.api.post("/v1/api-keys", {"name": "Backup"}, token=session.access)
    enroll_totp(session)
    person, visitor = signed_in(alice), Browser()
    found = {}

    for browser, patterns in ((person, account), (visitor, [*entrance, *joining, *mail_patterns])):
        for path in opened(patterns):
            found[path] = english(browser.open(path, headers=LANGUAGE))

    assert len(found) > 40
    assert {path: texts for path, texts in found.items() if texts} == {}


def test_no_answer_to_a_form_has_an_english_text(alice: Person) -> None:
    browser = signed_in(alice)
    browser.client.cookies["gatehouse-language"] = PSEUDO
    forms: list[tuple[str, dict[str, str]]] = [
        ("authsvc-account-api-key-new", {"name": "Backup", "scopes": "a:b", "days": "3"}),
        ("authsvc-account-api-key-new", {"name": "", "scopes": "(", "days": "0"}),
        ("authsvc-account-recovery-codes", {}),
        ("authsvc-account-app", {}),
        ("authsvc-account-app-scan", {"code": "000000"}),
        ("authsvc-account-address-new", {"new_email": "x"}),
        ("authsvc-account-address-new", {"new_email": "bob@example.com"}),
        ("authsvc-account-address-verify", {}),
        ("authsvc-account-address-give-up", {}),
        ("authsvc-account-password", {"current_password": "wrong", "new_password": "x"}),
        ("authsvc-account-language", {"language": "", "zone": ""}),
        ("authsvc-account-devices-end-others", {}),
        ("authsvc-account-delete", {"name": "x", "current_password": "wrong"}),
        ("authsvc-confirm-password", {"password": "wrong"}),
        ("authsvc-sign-out", {}),
        ("authsvc-sign-in", {"email": "x"}),
        ("authsvc-sign-in", {"email": "bob@example.com", "password": "wrong"}),
        ("authsvc-sign-up", {"email": "x", "password": "x"}),
        ("authsvc-forgot", {"email": "bob@example.com"}),
    ]
    browser.open("authsvc-account")
    token = browser.field("csrf_token")
    found = {}

    for number, (name, form) in enumerate(forms):
        path = reverse(name)
        browser.send(path, {"csrf_token": token, **form}).follow()
        found[number, f"{path}?{urlencode(form)}"] = english(browser)

    assert {form: texts for form, texts in found.items() if texts} == {}
