"""The authorization endpoint: its answers, its prompts, and the requests that it refuses."""

import base64
from datetime import timedelta
from secrets import token_urlsafe
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
import time_machine
from pytest_django import Settings

from core.clock import now
from oidc.authorize.codes import LIFETIME
from oidc.models import Client, Code
from tests.applications import REDIRECT_URI, Application, answer_in, register
from tests.pages import Browser, path_of, signed_in, to_path
from tests.people import Person

ISSUER = "http://localhost:8000"


def next_of(browser: Browser) -> str:
    """Return the page that follows the open one: a confirmation, or the offer of a passkey."""
    return dict(parse_qsl(urlsplit(browser.url).query))["next"]


def test_a_signed_in_person_returns_at_once_with_a_code(alice: Person, browser: Browser) -> None:
    app = register()

    app.authorize(browser)

    assert browser.status == 302
    assert browser.location.startswith(f"{REDIRECT_URI}?code=oac_")
    assert set(answer_in(browser)) == {"code", "state", "iss"}
    assert (answer_in(browser)["state"], answer_in(browser)["iss"]) == ("st&te", ISSUER)
    code = Code.objects.get()
    assert (str(code.account_id), code.consumed_at) == (alice.user_id, None)
    assert code.expires_at <= now() + LIFETIME


def test_the_query_of_a_redirect_uri_stays(browser: Browser) -> None:
    app = register(redirect_uri=f"{REDIRECT_URI}?a=1&b=2")

    answer = answer_in(app.authorize(browser))

    assert answer.pop("code")
    assert answer == {"a": "1", "b": "2", "state": "st&te", "iss": ISSUER}


def test_a_sign_in_leads_back_to_the_application(alice: Person) -> None:
    app, browser = register(), Browser()

    app.authorize(browser)
    assert path_of(browser.url) == to_path("authsvc-sign-in")
    browser.submit("authsvc-sign-in", email=alice.email)
    browser.submit("authsvc-sign-in", password=alice.password).follow()
    browser.open(next_of(browser))

    # A form led here, so no redirect leaves the site: the policy of the page with the form forbids it.
    assert (browser.status, browser.location) == (200, "")
    app.tokens = app.redeem(answer_in(browser)["code"]).body
    assert app.userinfo().body["sub"] == alice.user_id


def test_the_sign_in_shows_the_expected_address(alice: Person) -> None:
    app, browser = register(), Browser()

    app.authorize(browser, login_hint=alice.email)

    assert browser.form("authsvc-sign-in").fields["email"] == alice.email
    browser.submit("authsvc-sign-in")
    browser.submit("authsvc-sign-in", password=alice.password).follow()
    browser.open(next_of(browser))
    assert answer_in(browser)["code"]


def test_a_request_can_be_a_form_of_the_application(browser: Browser) -> None:
    app = register()

    browser.send("authsvc-oidc-authorize", app.request(), headers={"Origin": "https://app.example.com"})

    assert browser.status == 303
    browser.open(browser.location)
    assert answer_in(browser)["state"] == "st&te"


def test_an_answer_can_be_a_form(browser: Browser) -> None:
    app = register()

    app.authorize(browser, response_mode="form_post")

    [form] = [one for one in browser.forms if one.action == REDIRECT_URI]
    assert set(form.fields) == {"code", "state", "iss"}
    assert "form-action 'self' https://app.example.com;" in browser.page.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in browser.page.headers["Content-Security-Policy"]
    app.tokens = app.redeem(form.fields["code"]).body
    assert app.userinfo().status == 200


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"response_type": None}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": "code id_token"}, "unsupported_response_type"),
        ({"response_mode": "fragment"}, "invalid_request"),
        ({"scope": None}, "invalid_scope"),
        ({"scope": "everything"}, "invalid_scope"),
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"prompt": "none login"}, "invalid_request"),
        ({"prompt": "create"}, "invalid_request"),
        ({"max_age": "-1"}, "invalid_request"),
        ({"max_age": "soon"}, "invalid_request"),
        ({"claims": "[]"}, "invalid_request"),
        ({"claims": '{"userinfo": 1}'}, "invalid_request"),
        ({"nonce": "n" * 4001}, "invalid_request"),
        ({"request": "e30.e30."}, "request_not_supported"),
        ({"request_uri": "https://eve.example"}, "request_uri_not_supported"),
        ({"registration": "{}"}, "registration_not_supported"),
    ],
)
def test_a_faulty_request_is_answered_to_the_application(
    browser: Browser, change: dict[str, str | None], error: str
) -> None:
    app = register()

    answer = answer_in(app.authorize(browser, **change))

    assert (answer["error"], answer["state"], answer["iss"]) == (error, "st&te", ISSUER)
    assert answer["error_description"]
    assert not Code.objects.exists()


def test_a_parameter_may_not_occur_twice(browser: Browser) -> None:
    app = register()
    query = urlencode([*app.request().items(), ("scope", "openid")])

    browser.open(f"/oauth2/authorize?{query}")

    assert answer_in(browser)["error"] == "invalid_request"


@pytest.mark.parametrize(
    "uri",
    [
        None,
        "",
        "https://app.example.com/back/",
        "https://app.example.com/back/../back",
        "https://app.example.com/BACK",
        "https://app.example.com/back?x=1",
        "https://app.example.com/back#",
        "https://app.example.com:443/back",
        "https://app.example.com:8443/back",
        "https://app.example.com@eve.example/back",
        "https://eve@app.example.com/back",
        "https://app.example.com.eve.example/back",
        "https://app.example.com\\@eve.example/back",
        "https://аpp.example.com/back",
        "https://app。example.com/back",
        "http://app.example.com/back",
        "//app.example.com/back",
        "javascript:alert(1)",
        "https://app.example.com/back\r\nX: y",
    ],
)
def test_no_other_address_gets_an_answer(browser: Browser, uri: str | None) -> None:
    app = register()

    app.authorize(browser, redirect_uri=uri)

    assert (browser.status, browser.location) == (400, "")
    assert 'href="http' not in browser.text
    assert "refresh" not in browser.text
    assert not Code.objects.exists()


@pytest.mark.parametrize("client_id", [None, "", "nobody", "01931e2c-0000-7000-8000-000000000000", "\0"])
def test_no_unknown_client_gets_an_answer(browser: Browser, client_id: str | None) -> None:
    register().authorize(browser, client_id=client_id)

    assert (browser.status, browser.location) == (400, "")


def test_only_the_port_of_a_loopback_address_is_free(browser: Browser) -> None:
    app = register(redirect_uri="http://127.0.0.1/back", is_public=True)

    def status(uri: str) -> int:
        return app.authorize(browser, redirect_uri=uri).status

    assert status("http://127.0.0.1:51004/back") == 200
    assert status("http://127.0.0.1/back") == 200
    refused = ["http://127.0.0.1:51004/other", "http://127.0.0.1:1@eve.example/back", "http://localhost:51004/back"]
    refused += ["http://[::1]:51004/back", "http://127.0.0.1:x/back", "http://127.0.0.1.eve.example:1/back"]
    assert [status(uri) for uri in refused] == [400] * 6


def test_a_deactivated_client_signs_nobody_in(browser: Browser) -> None:
    app = register()
    code = app.code(browser)
    Client.objects.update(deactivated_at=now())

    assert app.authorize(browser).status == 400
    assert app.redeem(code).body["error"] == "invalid_client"


def test_prompt_none_shows_no_page(alice: Person, browser: Browser) -> None:
    own, other = register(), register(is_first_party=False)

    assert "code" in answer_in(own.authorize(browser, prompt="none"))
    assert answer_in(other.authorize(browser, prompt="none"))["error"] == "consent_required"
    assert answer_in(own.authorize(Browser(), prompt="none"))["error"] == "login_required"
    with time_machine.travel(now() + timedelta(seconds=20)):
        assert answer_in(own.authorize(browser, prompt="none", max_age="10"))["error"] == "login_required"
        assert "code" in answer_in(own.authorize(browser, prompt="none", max_age="60"))


@pytest.mark.parametrize("change", [{"prompt": "login"}, {"max_age": "0"}, {"max_age": "10"}])
def test_a_client_can_demand_a_new_login(alice: Person, browser: Browser, change: dict[str, str]) -> None:
    app = register()

    with time_machine.travel(now() + timedelta(seconds=20)) as clock:
        asked_at = now()
        app.authorize(browser, **change)
        assert path_of(browser.url) == to_path("authsvc-confirm")
        browser.open(next_of(browser))
        assert path_of(browser.location) == to_path("authsvc-confirm")
        clock.shift(5)
        browser.open(browser.location)
        browser.submit("authsvc-confirm-password", password=alice.password).follow()
        app.tokens = app.redeem(answer_in(browser)["code"]).body

    assert app.id_claims()["auth_time"] >= int(asked_at.timestamp()) + 4


def test_an_id_token_names_the_expected_person(alice: Person, bob: Person, browser: Browser) -> None:
    app, other = register(), register(name="Other")
    hint = app.sign_in(browser).tokens["id_token"]

    def answer(person: Browser, application: Application, token: str) -> dict[str, str]:
        return answer_in(application.authorize(person, prompt="none", id_token_hint=token))

    assert "code" in answer(browser, app, hint)
    assert answer(signed_in(bob), app, hint)["error"] == "login_required"
    assert answer(browser, other, hint)["error"] == "login_required"
    assert answer(browser, app, hint[:-4])["error"] == "login_required"
    assert answer(browser, app, app.tokens["access_token"])["error"] == "login_required"


def test_claims_can_be_asked_for_by_name(alice: Person, browser: Browser) -> None:
    app = register()
    claims = '{"userinfo": {"email": {"essential": true}, "shoe_size": null}, "id_token": {"email_verified": null}}'

    app.sign_in(browser, scope="openid", claims=claims)

    assert app.userinfo().body == {"sub": alice.user_id, "email": alice.email}
    assert app.id_claims()["email_verified"] is False
    assert "email" not in app.id_claims()
    two = '{"id_token": {"acr": {"essential": true, "values": ["aal2"]}}}'
    assert answer_in(app.authorize(browser, claims=two))["error"] == "unmet_authentication_requirements"
    assert "code" in answer_in(app.authorize(browser, claims=two.replace("aal2", "aal1")))


def test_an_account_gets_a_limited_number_of_codes(browser: Browser, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "authorize=2/d"}
    app = register()

    answers = [app.authorize(browser).status for _ in range(3)]

    assert answers == [302, 302, 429]


@pytest.mark.parametrize("signature", ["", "AA"])
def test_a_request_object_is_refused_where_it_asks_for_the_answer(browser: Browser, signature: str) -> None:
    app = register()
    stated = b'{"response_mode": "form_post", "state": "inside", "redirect_uri": "https://evil.example/"}'
    parts = [base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in (b'{"alg":"none"}', stated)]

    app.authorize(browser, request=".".join([*parts, signature]), state=None)

    [form] = [one for one in browser.forms if one.action == app.redirect_uri]
    assert (form.fields["error"], form.fields["state"]) == ("request_not_supported", "inside")


def test_a_request_too_long_for_an_address_waits_in_the_database(alice: Person, settings: Settings) -> None:
    app, state, nonce = register(is_first_party=False), token_urlsafe(2_900), token_urlsafe(2_900)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "pushed=2/d"}
    browser = app.authorize(Browser(), state=state, nonce=nonce)

    assert len(browser.url) < 2_000
    browser.sign_in(alice, following=next_of(browser)).follow()
    browser.submit("authsvc-oidc-consent", decision="allow")

    answer = answer_in(browser)
    assert answer["state"] == state
    app.tokens = app.redeem(answer["code"]).body
    assert app.id_claims()["nonce"] == nonce
    assert answer_in(app.authorize(Browser(), state=token_urlsafe(3_001)))["error"] == "invalid_request"
    # Anyone can send such requests, so their number is limited. Short ones do not count.
    statuses = [app.authorize(Browser(), state=length * "x").status for length in (3_999, 9)]
    assert statuses == [200, 200]
    assert [app.authorize(Browser(), state=state).status for _ in range(2)] == [200, 429]


def test_the_sign_in_has_the_language_that_the_application_asks_for(alice: Person) -> None:
    app, browser = register(is_first_party=False), Browser()

    app.authorize(browser, ui_locales="xx de-AT fr")

    assert 'lang="de"' in browser.text
    browser.sign_in(alice, following=next_of(browser)).follow()
    assert browser.shows_form("authsvc-oidc-consent")
    assert 'lang="de"' in browser.text
    browser.submit("authsvc-oidc-consent", decision="allow")
    assert 'lang="en"' in browser.open("authsvc-account").text
    browser.client.cookies["gatehouse-language"] = "ja"
    app.authorize(browser, ui_locales="fr", prompt="consent")
    assert 'lang="ja"' in browser.text


def test_the_language_of_the_application_ends_with_its_answer(alice: Person) -> None:
    app, browser = register(), Browser()
    app.authorize(browser, ui_locales="de")
    assert 'lang="de"' in browser.text

    browser.sign_in(alice, following=next_of(browser)).follow()

    assert answer_in(browser)["code"]
    assert not browser.client.cookies["gatehouse-language-asked"].value


def test_a_foreign_host_name_gets_no_answer(browser: Browser) -> None:
    app = register()

    page = browser.client.get("/oauth2/authorize", app.request(), headers={"Host": "eve.example"})

    assert page.status_code == 400
