"""The sign-in by a provider. A flow belongs to the browser that started it."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from core.clock import now
from core.keys.opaque import digest
from sessions_app.models import Family, OauthFlow
from sessions_app.oauth import discovery
from tests import issuers
from tests.client import Api
from tests.issuers import Issuer, user
from tests.pages import ORIGIN, Browser
from tests.people import Person, existing_session
from tests.second_factors import enroll_totp

Configure = Callable[..., None]


@pytest.fixture
def issuer(configure: Configure) -> Iterator[Issuer]:
    """A configured issuer under the name acme, whose verified addresses count as proof. No application is listed."""
    discovery.forget()
    with issuers.running() as made:
        configure(**{**made.variables(), "OAUTH_REDIRECT_URIS": ""}, OAUTH_TRUSTED_EMAIL=made.url)
        yield made


def start(browser: Browser, *, following: str = "") -> str:
    """Choose the provider on the sign-in page. Return the address to which the browser goes."""
    browser.open("authsvc-sign-in", next=following).submit("authsvc-sign-in-provider", "acme")
    assert browser.status == 200, browser.text
    found = re.search(r'http-equiv="refresh" content="0; url=([^"]+)"', browser.text)
    assert found is not None
    return unescape(found[1])


def approve(issuer: Issuer, url: str, who: Mapping[str, Any]) -> str:
    """Let the person agree at the provider. Return the path to which the provider returns the browser."""
    return f"{reverse('authsvc-sign-in-provider', args=['acme'])}?{urlencode(issuer.approve(url, who))}"


def sign_in(browser: Browser, issuer: Issuer, who: Mapping[str, Any], *, following: str = "") -> Browser:
    """Sign in by the provider, as far as the provider's return."""
    return browser.open(approve(issuer, start(browser, following=following), who))


def test_a_provider_signs_in_and_leads_to_the_page_that_was_asked_for(
    browser: Browser, issuer: Issuer, alice: Person
) -> None:
    page = reverse("authsvc-sign-out")

    sign_in(browser, issuer, user(), following=page)
    assert "gatehouse-provider" not in {name for name, one in browser.client.cookies.items() if one.value}
    browser.follow()

    assert (browser.status, browser.url) == (200, page)
    assert alice.email in browser.text


def test_a_second_factor_pauses_the_sign_in(browser: Browser, issuer: Issuer, alice: Person) -> None:
    sign_in(Browser(), issuer, user())
    app = enroll_totp(existing_session(alice))

    sign_in(browser, issuer, user())
    assert (browser.status, browser.cookie) == (200, "")
    browser.submit("authsvc-sign-in-factor", "totp", code=app.code(steps=1))

    assert browser.is_signed_in()


def test_the_answer_for_another_browser_signs_in_nobody(browser: Browser, issuer: Issuer, alice: Person) -> None:
    eve = Browser()
    answer_of_eve = approve(issuer, start(eve), user(sub="eve", email="eve@example.org"))

    browser.open(answer_of_eve)
    assert (browser.status, browser.cookie) == (400, "")
    start(browser)
    browser.open(answer_of_eve)

    assert (browser.status, browser.cookie) == (400, "")
    assert "This sign-in has expired, was already completed, or belongs to another account." in browser.text
    assert browser.shows_form("authsvc-sign-in")
    assert not Family.objects.exists()


def test_an_answer_counts_once(browser: Browser, issuer: Issuer, alice: Person) -> None:
    url = start(browser)
    cookie = browser.client.cookies["gatehouse-provider"].value
    answer = approve(issuer, url, user())
    assert browser.open(answer).status == 303

    again = Browser()
    again.client.cookies["gatehouse-provider"] = cookie
    again.open(answer)

    assert (again.status, again.cookie) == (400, "")


@pytest.mark.parametrize("query", [{"error": "access_denied"}, {}, {"code": "wrong", "state": "wrong"}])
def test_a_refusal_of_the_provider_leads_back_to_the_sign_in(
    browser: Browser, issuer: Issuer, query: dict[str, str]
) -> None:
    page = reverse("authsvc-sign-out")
    start(browser, following=page)

    browser.open(f"{reverse('authsvc-sign-in-provider', args=['acme'])}?{urlencode(query)}")

    assert (browser.status, browser.cookie) == (400, "")
    assert 'role="alert"' in browser.text
    assert browser.form("authsvc-sign-in").fields["next"] == page


def test_an_address_of_another_account_is_no_proof(
    browser: Browser, issuer: Issuer, alice: Person, configure: Configure
) -> None:
    configure(OAUTH_TRUSTED_EMAIL="")

    sign_in(browser, issuer, user())

    assert (browser.status, browser.cookie) == (409, "")
    assert "An account with this e-mail address already exists." in browser.text
    assert "link: true" not in browser.text


def test_a_provider_that_does_not_answer_is_named_on_the_sign_in(
    browser: Browser, configure: Configure, db: None
) -> None:
    configure(OAUTH_ACME_ISSUER="http://127.0.0.1:9", OAUTH_ACME_CLIENT_ID="x", OAUTH_ACME_CLIENT_SECRET="x")

    browser.open("authsvc-sign-in").submit("authsvc-sign-in-provider", "acme")

    assert browser.status == 502
    assert "The provider does not answer right now." in browser.text
    assert browser.shows_form("authsvc-sign-in-provider", "acme")


def test_an_unknown_provider_is_not_offered(browser: Browser, db: None) -> None:
    browser.open("authsvc-sign-in-provider", "nonsense")
    assert browser.status == 400

    browser.send(reverse("authsvc-sign-in-provider", args=["nonsense"]), {})

    assert browser.status == 404
    assert "This way to sign in is not available here." in browser.text


def test_an_application_cannot_take_the_answer_of_the_page(issuer: Issuer, db: None) -> None:
    body = {"redirect_uri": "https://eve.example/sign-in/with/acme"}

    assert Api().post("/v1/oauth/acme/start", body).status == 400


def test_the_answer_of_apple_comes_to_the_page_in_the_query(browser: Browser, configure: Configure, db: None) -> None:
    configure(OAUTH_APPLE_CLIENT_ID="x", OAUTH_APPLE_CLIENT_SECRET="x")
    url = f"{ORIGIN}{reverse('authsvc-sign-in-provider', args=['apple'])}"
    OauthFlow.objects.create(
        provider="apple",
        digest=b"d" * 32,
        state_digest=digest("s"),
        secret=b"s" * 32,
        redirect_uri=url,
        expires_at=now() + timedelta(minutes=5),
    )

    browser.send(reverse("authsvc-oauth-apple-return"), {"state": "s", "code": "c"})

    assert browser.location == f"{url}?state=s&code=c"
