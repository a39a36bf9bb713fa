"""The sign-up, who may sign up, and the proof of the address."""

from collections.abc import Callable

import pytest
from django.urls import reverse

from accounts.models import Account, Event
from tests.client import PASSWORD
from tests.mails import delivered
from tests.pages import Browser, path_of
from tests.people import Person

from .links import follow_link, link_in

Configure = Callable[..., None]

CAROL = "carol@example.com"


def sign_up(browser: Browser, *, email: str = CAROL, password: str = PASSWORD) -> Browser:
    return browser.open("authsvc-sign-up").submit("authsvc-sign-up", email=email, password=password)


def test_a_person_signs_up_and_is_signed_in(browser: Browser) -> None:
    browser.open("authsvc-sign-up")
    controls = browser.form("authsvc-sign-up").controls
    assert (controls["email"]["autocomplete"], controls["password"]["autocomplete"]) == ("username", "new-password")
    assert "at least 8 characters" in browser.text

    browser.submit("authsvc-sign-up", email=CAROL, password=PASSWORD)

    assert browser.status == 303
    assert browser.cookie
    assert [event.type for event in Event.objects.order_by("id")] == ["signup_success", "login_success"]
    assert browser.is_signed_in()


@pytest.mark.parametrize(
    ("typed", "status", "text"),
    [
        ({"password": "short"}, 400, "at least 8 characters"),
        ({"password": "password123"}, 400, "known from data breaches"),
        ({"email": "carol"}, 400, "This is no e-mail address"),
        ({"email": ""}, 400, "This is no e-mail address"),
        ({"email": "Alice@Example.com"}, 409, "already exists"),
    ],
)
def test_a_refused_sign_up_says_why_and_keeps_the_address(
    browser: Browser, alice: Person, typed: dict[str, str], status: int, text: str
) -> None:
    sign_up(browser, **typed)

    assert (browser.status, browser.cookie) == (status, "")
    # The message about a rule takes the place of the rule.
    assert browser.text.count(text) == 1
    assert browser.form("authsvc-sign-up").fields["email"] == typed.get("email", CAROL)
    assert PASSWORD not in browser.text
    assert Account.objects.count() == 1


def test_a_known_address_leads_to_the_sign_in_and_to_a_new_password(browser: Browser, alice: Person) -> None:
    sign_up(browser, email=alice.email)

    assert f'href="{reverse("authsvc-forgot")}"' in browser.text
    assert f'href="{reverse("authsvc-sign-in")}"' in browser.text


@pytest.mark.parametrize(
    ("value", "text"), [("invited", "Only invited people"), ("closed", "No one can create an account")]
)
def test_without_an_open_sign_up_the_page_says_what_to_do(
    browser: Browser, configure: Configure, value: str, text: str
) -> None:
    configure(SIGNUP=value)

    browser.open("authsvc-sign-up")

    assert text in browser.text
    assert not browser.shows_form("authsvc-sign-up")
    assert browser.send("authsvc-sign-up", {"email": CAROL, "password": PASSWORD}).status == 403
    assert not Account.objects.exists()


def test_an_address_of_another_domain_is_refused_whether_it_has_an_account_or_not(
    browser: Browser, alice: Person, configure: Configure
) -> None:
    configure(SIGNUP_DOMAINS="corp.example")

    pages = [sign_up(browser, email=email).text.replace(email, "") for email in (alice.email, CAROL)]

    assert "Sign-up is not open for this address" in pages[0]
    assert all("already exists" not in page for page in pages)


def test_the_sign_up_of_the_page_and_of_the_api_have_one_budget(browser: Browser, configure: Configure) -> None:
    configure(RATE_LIMITS="signup=2/m,login=off,login_ip=off,edge=off")
    sign_up(browser)
    browser.client.cookies.clear()

    answers = [
        browser.client.post(
            "/v1/signup",
            {"email": f"{name}@example.com", "password": PASSWORD},
            content_type="application/json",
            REMOTE_ADDR=browser.ip,
        ).status_code
        for name in ("dave", "erin")
    ]
    assert answers == [201, 429]

    sign_up(browser, email="frank@example.com")
    assert (browser.status, "Too many tries" in browser.text) == (429, True)
    assert browser.page.headers["Retry-After"]


def test_a_mailed_link_proves_the_address_of_a_signed_in_person_without_a_password(
    browser: Browser, configure: Configure
) -> None:
    configure(EMAIL_VERIFICATION="on")
    sign_up(browser).follow()
    (mail,) = delivered(CAROL)
    browser.open("authsvc-confirm-address")
    assert CAROL in browser.text
    browser.submit("authsvc-confirm-address")
    assert path_of(browser.location) == reverse("authsvc-confirm-address")
    browser.follow()
    assert "We have mailed the link again." in browser.text
    assert len(delivered(CAROL)) == 1

    follow_link(browser, link_in(mail))
    assert "password" not in browser.form("authsvc-verify-address").controls
    assert not Account.objects.filter(email_proven_at__isnull=False).exists()
    browser.submit("authsvc-verify-address")

    assert "Your address is confirmed" in browser.text
    assert Account.objects.filter(email_proven_at__isnull=False).exists()
    assert "Your address is confirmed" in browser.open("authsvc-confirm-address").text


def test_with_required_verification_the_person_confirms_first_and_can_ask_for_another_link(
    browser: Browser, configure: Configure
) -> None:
    configure(EMAIL_VERIFICATION="required")
    sign_up(browser)
    assert (browser.status, browser.cookie) == (200, "")
    assert "We have mailed a link" in browser.text
    (first,) = delivered(CAROL)

    browser.submit("authsvc-confirm-first", password="not the password")
    assert (browser.status, delivered(CAROL)) == (401, [])
    browser.submit("authsvc-confirm-first", password=PASSWORD)
    assert "mailed another link" in browser.text
    assert len(delivered(CAROL)) == 1

    browser.open("authsvc-sign-in").submit("authsvc-sign-in", email=CAROL)
    browser.submit("authsvc-sign-in", password=PASSWORD)
    assert (browser.status, "mailed another link" in browser.text, CAROL in browser.text) == (403, True, True)
    assert len(delivered(CAROL)) == 1
    assert browser.shows_form("authsvc-confirm-first")

    follow_link(browser, link_in(first))
    browser.submit("authsvc-verify-address", password="not the password")
    assert (browser.status, "The password is not correct." in browser.text) == (401, True)
    browser.submit("authsvc-verify-address", password=PASSWORD)
    assert "Now you can sign in." in browser.text

    browser.open("authsvc-sign-in").submit("authsvc-sign-in", email=CAROL)
    browser.submit("authsvc-sign-in", password=PASSWORD)
    assert browser.is_signed_in()


def test_a_signed_in_person_needs_no_sign_up(browser: Browser) -> None:
    sign_up(browser)

    browser.open("authsvc-sign-up")

    assert (browser.status, path_of(browser.location)) == (303, reverse("authsvc-account"))
