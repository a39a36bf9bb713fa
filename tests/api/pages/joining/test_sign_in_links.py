"""The mailed link that signs a person in: in the browser that asked, and in another one."""

from django.http import HttpResponse
from django.urls import reverse

from accounts.models import MailToken
from core.clock import now
from core.http.client import Client
from pages.frame import asked_links
from sessions_app.logins.magic_links import request_magic_link
from tests.mails import delivered
from tests.pages import Browser, signed_in
from tests.people import Person, existing_session
from tests.second_factors import enroll_totp

from .links import follow_link, link_in

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"


def mailed(person: Person) -> str:
    """Ask for a link from a device of the person, and return the link."""
    client = Client(ip="198.51.100.9", user_agent=FIREFOX)
    request_magic_link(email=person.email, client=client, now=now())
    return link_in(delivered(person.email)[-1])


def remember(browser: Browser, email: str) -> Browser:
    """Give the browser the cookie of a browser that asked for a link to the address."""
    response = HttpResponse()
    asked_links.remember(response, email=email, following="/account/?room=1")
    browser.client.cookies.update(response.cookies)
    return browser


def test_a_person_who_asks_on_the_page_of_the_sign_in_is_signed_in_by_the_link(browser: Browser, alice: Person) -> None:
    browser.open("authsvc-sign-in-mail", next="/account/?room=1")
    browser.submit("authsvc-sign-in-mail", email=alice.email)

    follow_link(browser, link_in(delivered(alice.email)[-1]))

    assert (browser.status, browser.location) == (303, "/account/?room=1")
    assert browser.is_signed_in()


def test_the_browser_that_asked_is_signed_in_at_once(browser: Browser, alice: Person) -> None:
    remember(browser, "Alice@example.com")

    follow_link(browser, mailed(alice))

    assert (browser.status, browser.location) == (303, "/account/?room=1")
    assert not browser.client.cookies[asked_links.cookie_name()].value
    assert browser.is_signed_in()


def test_another_browser_first_shows_the_account_and_the_device_that_asked(browser: Browser, alice: Person) -> None:
    remember(browser, "bob@example.com")

    follow_link(browser, mailed(alice))

    assert (browser.status, browser.cookie) == (200, "")
    assert MailToken.objects.get().spent_at is None
    for text in (alice.email, "Firefox on Windows", "198.51.100.9"):
        assert text in browser.text

    browser.submit("authsvc-sign-in-by-link")
    assert browser.is_signed_in()
    assert MailToken.objects.get().spent_at is not None


def test_a_browser_of_another_person_says_whose_session_ends(browser: Browser, alice: Person, bob: Person) -> None:
    other = signed_in(bob)

    follow_link(other, mailed(alice))

    assert f'This browser is signed in as <strong class="user-text">{bob.email}</strong>.' in other.text
    assert other.is_signed_in()


def test_an_account_with_a_second_factor_gets_the_second_step(browser: Browser, alice: Person) -> None:
    app = enroll_totp(existing_session(alice))

    follow_link(browser, mailed(alice)).submit("authsvc-sign-in-by-link")
    assert (browser.status, browser.cookie) == (200, "")
    browser.submit("authsvc-sign-in-factor", "totp", code=app.code())

    assert browser.is_signed_in()


def test_a_link_of_another_site_and_a_second_use_sign_no_one_in(browser: Browser, alice: Person) -> None:
    link = mailed(alice)
    follow_link(browser, link)
    form = browser.form("authsvc-sign-in-by-link")

    browser.send(form.action, form.fields, headers={"Sec-Fetch-Site": "cross-site"})
    assert (browser.status, browser.cookie) == (403, "")
    browser.send(form.action, form.fields)
    assert browser.cookie

    again = follow_link(Browser(), link)
    assert (again.status, "was already used" in again.text) == (400, True)
    assert f'href="{reverse("authsvc-sign-in")}"' in again.text


def test_the_answer_of_a_form_that_is_loaded_anew_leads_to_the_page_of_the_link(browser: Browser) -> None:
    browser.open("authsvc-sign-in-by-link")

    assert (browser.status, browser.location) == (303, reverse("authsvc-page-magic-link"))
