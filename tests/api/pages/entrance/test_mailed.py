"""The sign-in by a mail with a link and a code."""

import re
from collections.abc import Callable

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.client import Api
from tests.mails import delivered, text_of
from tests.pages import Browser
from tests.people import Person, existing, existing_session
from tests.second_factors import enroll_totp

Configure = Callable[..., None]
UNKNOWN = "nobody@example.com"


def mailed_code(person: Person) -> str:
    """Return the code of the newest mail to the person."""
    found = re.search(r"instead: (\d{6})\n", text_of(delivered(person.email)[-1]))
    assert found is not None
    return found[1]


def ask_for_mail(browser: Browser, email: str) -> Browser:
    """Type the address, and choose the mail."""
    browser.open("authsvc-sign-in", next=reverse("authsvc-sign-out")).submit("authsvc-sign-in", email=email)
    return browser.submit("authsvc-sign-in-mail")


def test_a_mailed_code_signs_in(browser: Browser, alice: Person) -> None:
    ask_for_mail(browser, alice.email)
    assert browser.form("authsvc-sign-in-code").controls["code"]["autocomplete"] == "one-time-code"
    code = mailed_code(alice)

    browser.submit("authsvc-sign-in-code", code=f"{(int(code) + 1) % 10**6:06}")
    assert (browser.status, browser.cookie) == (401, "")
    assert "This code is not correct" in browser.text
    browser.submit("authsvc-sign-in-code", code=f" {code} ").follow()

    assert (browser.status, browser.url) == (200, reverse("authsvc-sign-out"))
    assert Browser().send(reverse("authsvc-sign-in-code"), {"email": alice.email, "code": code}).status == 401


def test_a_second_factor_pauses_a_sign_in_by_mail(browser: Browser, alice: Person) -> None:
    app = enroll_totp(existing_session(alice))
    ask_for_mail(browser, alice.email)

    browser.submit("authsvc-sign-in-code", code=mailed_code(alice))
    assert (browser.status, browser.cookie) == (200, "")
    browser.submit("authsvc-sign-in-factor", "totp", code=app.code(steps=1))

    assert browser.is_signed_in()


def test_the_pages_and_their_statements_are_the_same_for_an_unknown_address(alice: Person) -> None:
    def shown(email: str) -> list[tuple[int, str, int]]:
        found = []
        browser = Browser().open("authsvc-sign-in").submit("authsvc-sign-in", email=email)
        for place, typed in (("authsvc-sign-in-mail", {}), ("authsvc-sign-in-code", {"code": "000000"})):
            with CaptureQueriesContext(connection) as queries:
                browser.submit(place, **typed)
            text = re.sub(r'nonce="[^"]+"', "", browser.text).replace(email, "ADDRESS")
            found.append((browser.status, text, len(queries)))
        return found

    assert shown(alice.email) == shown(UNKNOWN)
    assert delivered(UNKNOWN) == []


def test_the_address_can_be_typed_on_a_page_of_its_own(browser: Browser, alice: Person) -> None:
    browser.open("authsvc-sign-in-mail")
    assert browser.submit("authsvc-sign-in-mail", email="").status == 422

    browser.submit("authsvc-sign-in-mail", email=alice.email)
    browser.submit("authsvc-sign-in-code", code=mailed_code(alice))

    assert browser.is_signed_in()


def test_the_limits_of_codes_are_those_of_the_api(browser: Browser, db: None, configure: Configure) -> None:
    # The counters outlast a test, and another test counts the codes of alice.
    carol = existing("carol-of-the-pages")
    configure(RATE_LIMITS="login_code=1/h,login_ip=off,edge=off,mail_ip=off,mailbox=off")
    assert Api().post("/v1/magic-link/code", {"email": carol.email, "code": "000000"}).status == 401
    ask_for_mail(browser, carol.email)

    browser.submit("authsvc-sign-in-code", code=mailed_code(carol))

    assert (browser.status, browser.cookie) == (429, "")
    assert "Too many tries. Try again in" in browser.text


def test_without_mail_there_is_no_sign_in_by_mail(browser: Browser, alice: Person, configure: Configure) -> None:
    configure(EMAIL_URL="")

    browser.open("authsvc-sign-in").submit("authsvc-sign-in", email=alice.email)

    assert not browser.shows_form("authsvc-sign-in-mail")
    assert browser.open("authsvc-sign-in-mail").status == 404
