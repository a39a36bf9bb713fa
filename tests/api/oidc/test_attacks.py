"""Attacks on the sign-in to an application (RFC 9700). Other files test the attacks on one endpoint alone."""

from urllib.parse import urlencode

import pytest

from oidc.models import Code, Consent, Grant
from tests.applications import CHALLENGE, REDIRECT_URI, VERIFIER, answer_in, register
from tests.pages import Browser, signed_in
from tests.people import Person

ISSUER = "http://localhost:8000"
OTHER_VERIFIER = "E" * 43
FRAMES = "frame-ancestors 'none'"


def test_an_injected_code_signs_nobody_in(browser: Browser, bob: Person) -> None:
    """Bob puts his code into the sign-in of alice, whose application has another verifier."""
    app = register()
    code = app.code(signed_in(bob))

    injected = app.redeem(code, code_verifier=OTHER_VERIFIER)

    assert (injected.status, injected.body["error"]) == (400, "invalid_grant")
    assert not Grant.objects.exists()
    assert app.redeem(code).status == 200


def test_a_code_of_one_redirect_uri_is_of_no_use_at_another(browser: Browser) -> None:
    app = register()
    app.client.redirect_uris = [REDIRECT_URI, "https://app.example.com/other"]
    app.client.save(update_fields=["redirect_uris"])

    answer = app.redeem(app.code(browser), redirect_uri="https://app.example.com/other")

    assert (answer.status, answer.body["error"]) == (400, "invalid_grant")


@pytest.mark.parametrize(
    "change",
    [
        {"code_challenge": None, "code_challenge_method": None},
        {"code_challenge": VERIFIER, "code_challenge_method": "plain"},
        {"code_challenge": CHALLENGE, "code_challenge_method": "s256"},
        {"code_challenge": f"{CHALLENGE}="},
    ],
)
def test_pkce_cannot_be_weakened(browser: Browser, change: dict[str, str | None]) -> None:
    app = register(is_public=True)

    assert answer_in(app.authorize(browser, **change))["error"] == "invalid_request"
    assert not Code.objects.exists()


@pytest.mark.parametrize("mode", ["query", "form_post"])
def test_each_answer_names_the_issuer(browser: Browser, mode: str) -> None:
    """A client of several providers sees by `iss` which of them answered."""
    app = register(is_first_party=False)
    anonymous = Browser()

    answers = [
        answer_in(app.authorize(browser, response_mode=mode, scope="unknown")),
        answer_in(app.authorize(anonymous, response_mode=mode, prompt="none")),
        answer_in(app.authorize(browser, response_mode=mode, prompt="none")),
        answer_in(app.authorize(browser, response_mode=mode).submit("authsvc-oidc-consent", decision="deny")),
        answer_in(app.authorize(browser, response_mode=mode).submit("authsvc-oidc-consent", decision="allow")),
        answer_in(app.authorize(browser, response_mode=mode)),
    ]

    assert [one["iss"] for one in answers] == [ISSUER] * len(answers)
    assert ["error" in one for one in answers] == [True] * 4 + [False] * 2


@pytest.mark.parametrize("name", ["client_id", "redirect_uri"])
def test_a_doubled_destination_gets_no_answer(browser: Browser, name: str) -> None:
    app, other = register(), register(redirect_uri="https://eve.example/back")
    value = {"client_id": other.client_id, "redirect_uri": "https://eve.example/back"}[name]

    for pair in ([(name, value), *app.request().items()], [*app.request().items(), (name, value)]):
        browser.open(f"/oauth2/authorize?{urlencode(pair)}")
        assert (browser.status, browser.location) == (400, "")
    assert not Code.objects.exists()


@pytest.mark.parametrize(
    "uri",
    [
        "https://app.example.com:8443/back",
        "https://app.example.com/back/../../eve",
        "https://app.example.com@eve.example/back",
        "https://app.example.com%2eeve.example/back",
        "https://app。example.com/back",
        "https://app.example.com/back#@eve.example",
        "https://app.example.com/back%00",
        " https://app.example.com/back",
        "HTTPS://app.example.com/back",
    ],
)
def test_a_form_leads_to_no_other_address(browser: Browser, uri: str) -> None:
    app = register()

    browser.send("authsvc-oidc-authorize", app.request(redirect_uri=uri)).follow()

    assert (browser.status, browser.location) == (400, "")
    assert 'href="http' not in browser.text
    assert "refresh" not in browser.text
    assert not Code.objects.exists()


def test_a_state_adds_no_header_and_no_parameter(browser: Browser) -> None:
    state = "x\r\nSet-Cookie: a=b&code=eve&iss=https://eve.example"
    answer = answer_in(register().authorize(browser, state=state))

    assert (answer["state"], answer["iss"]) == (state, ISSUER)
    assert answer["code"].startswith("oac_")
    assert "a" not in browser.client.cookies


def test_no_page_of_a_sign_in_can_be_framed(browser: Browser) -> None:
    app = register(is_first_party=False)

    pages = [app.authorize(browser).page]
    pages.append(browser.submit("authsvc-oidc-consent", decision="allow").page)
    pages.append(app.authorize(browser, response_mode="form_post").page)
    pages.append(app.authorize(browser, redirect_uri="https://eve.example").page)

    assert [page.status_code for page in pages] == [200, 200, 200, 400]
    assert all(FRAMES in page.headers["Content-Security-Policy"] for page in pages)


def test_a_link_of_another_site_gives_no_consent(browser: Browser) -> None:
    app = register(is_first_party=False)
    form = app.authorize(browser).form("authsvc-oidc-consent")

    browser.open(f"{form.action}?{urlencode({**form.fields, 'decision': 'allow'})}")

    assert browser.shows_form("authsvc-oidc-consent")
    assert not Consent.objects.exists()
    assert not Code.objects.exists()
