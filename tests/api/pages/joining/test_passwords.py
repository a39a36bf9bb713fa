"""A forgotten password: the request, the link, and the URL of password managers."""

from collections.abc import Callable

import pytest
from django.urls import reverse

from accounts.models import MailToken
from tests.client import PASSWORD
from tests.mails import delivered
from tests.pages import Browser, signed_in
from tests.people import Person

from .links import follow_link, link_in

Configure = Callable[..., None]

NEW = "another good password"
WELL_KNOWN = "/.well-known/change-password"


def ask(browser: Browser, email: str) -> Browser:
    return browser.open("authsvc-forgot").submit("authsvc-forgot", email=email)


def log_in(person: Person, password: str) -> int:
    return person.api.post("/v1/login", {"email": person.email, "password": password}).status


def test_a_person_sets_a_new_password_by_a_mailed_link(browser: Browser, alice: Person) -> None:
    ask(browser, alice.email)
    assert "a mail with a link is on its way" in browser.text
    (mail,) = delivered(alice.email)

    follow_link(browser, link_in(mail))
    assert alice.email in browser.text
    controls = browser.form("authsvc-reset-password").controls
    assert controls["new_password"]["autocomplete"] == "new-password"
    assert (controls["username"]["autocomplete"], controls["username"]["value"]) == ("username", alice.email)
    browser.submit("authsvc-reset-password", new_password="short")
    assert (browser.status, "at least 8 characters" in browser.text) == (400, True)
    browser.submit("authsvc-reset-password", new_password="password123")
    assert (browser.status, "known from data breaches" in browser.text) == (400, True)
    browser.submit("authsvc-reset-password", new_password=NEW)

    assert (browser.status, "Your password is set" in browser.text, browser.cookie) == (200, True, "")
    assert (log_in(alice, NEW), log_in(alice, PASSWORD)) == (200, 401)


def test_the_answer_is_the_same_for_every_address(browser: Browser, alice: Person) -> None:
    pages = [ask(Browser(), email).text.replace(email, "") for email in (alice.email, "nobody@example.com")]

    known, unknown = (page.split("<main")[1].split("</main")[0] for page in pages)
    assert known == unknown


def test_the_link_can_be_sent_again_and_to_another_address(browser: Browser, alice: Person) -> None:
    ask(browser, alice.email)

    browser.submit("authsvc-forgot")

    assert len(delivered(alice.email)) == 2
    assert f'href="{reverse("authsvc-forgot")}"' in browser.text


def test_opening_a_link_spends_nothing_and_shows_no_token_to_the_log(browser: Browser, alice: Person) -> None:
    ask(browser, alice.email)
    link = link_in(delivered(alice.email)[-1])

    for _ in range(2):
        follow_link(browser, link)

    assert MailToken.objects.get().spent_at is None
    assert "token" not in reverse("authsvc-reset-password")
    browser.submit("authsvc-reset-password", new_password=NEW)
    assert MailToken.objects.get().spent_at is not None


@pytest.mark.parametrize("token", ["", "x", "A" * 43, "http://localhost:8000/mail/password-reset#token=" + "A" * 43])
def test_a_link_that_does_not_work_says_where_to_get_another_one(browser: Browser, token: str) -> None:
    browser.open("authsvc-page-password-reset").submit("authsvc-page-password-reset", token=token)

    assert (browser.status, "This link is not valid" in browser.text) == (400, True)
    assert f'href="{reverse("authsvc-forgot")}"' in browser.text


def test_a_used_link_does_not_work_again(browser: Browser, alice: Person) -> None:
    ask(browser, alice.email)
    link = link_in(delivered(alice.email)[-1])
    follow_link(browser, link).submit("authsvc-reset-password", new_password=NEW)

    follow_link(browser, link)

    assert (browser.status, "was already used" in browser.text) == (400, True)


def test_a_form_of_another_site_sets_no_password(browser: Browser, alice: Person) -> None:
    ask(browser, alice.email)
    follow_link(browser, link_in(delivered(alice.email)[-1]))
    form = browser.form("authsvc-reset-password")

    browser.send(form.action, {**form.fields, "new_password": NEW}, headers={"Origin": "https://evil.example"})

    assert (browser.status, log_in(alice, NEW)) == (403, 401)


def test_without_mail_the_page_says_whom_to_ask(browser: Browser, configure: Configure) -> None:
    configure(EMAIL_URL="off")

    browser.open("authsvc-forgot")

    assert "sends no mails" in browser.text
    assert not browser.shows_form("authsvc-forgot")
    assert browser.send("authsvc-forgot", {"email": "a@example.com"}).status == 404


def test_page_and_api_have_one_budget_for_the_mails_to_a_mailbox(
    browser: Browser, alice: Person, configure: Configure
) -> None:
    configure(RATE_LIMITS="mail=2/m,edge=off")
    ask(browser, alice.email)
    assert browser.client.post(
        "/v1/password/forgot", {"email": alice.email}, content_type="application/json", REMOTE_ADDR=browser.ip
    ).status_code in {200, 429}

    ask(browser, alice.email)

    assert browser.status == 429
    assert browser.page.headers["Retry-After"]


def test_password_managers_find_the_password_of_the_account_or_the_way_to_a_new_one(
    browser: Browser, alice: Person, configure: Configure
) -> None:
    browser.open(WELL_KNOWN)
    assert (browser.status, browser.location) == (302, reverse("authsvc-forgot"))
    assert browser.page.headers["Cache-Control"] == "no-store"

    own = signed_in(alice).open(WELL_KNOWN)
    assert (own.status, own.location) == (302, reverse("authsvc-account-password"))

    configure(PASSWORD_RESET_URL="https://app.example.com/reset")
    assert browser.open(WELL_KNOWN).location == "https://app.example.com/reset"
    configure(EMAIL_URL="off")
    assert browser.open(WELL_KNOWN).status == 404


def test_an_unknown_well_known_url_is_not_found(browser: Browser) -> None:
    # Password managers trust the redirect only on a site that answers 404 here.
    path = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200"

    assert browser.open(path).status == 404
