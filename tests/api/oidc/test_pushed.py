"""Authorization requests that clients push (RFC 9126)."""

import base64
from urllib.parse import parse_qsl, urlsplit

import pytest
import time_machine

from core.clock import now
from oidc.authorize.pushed import LIFETIME
from oidc.authorize.requests import TEXT_MAX
from oidc.authorize.waiting import WAIT_MAX
from oidc.models import Code, PushedRequest
from oidc.retention import prunable_requests
from tests.applications import Application, answer_in, register
from tests.pages import Browser, path_of, to_path
from tests.people import Person
from tests.rows import each

from .test_client_authentication import KEYS, assertion, by

UNKNOWN = "urn:ietf:params:oauth:request_uri:" + "A" * 43


def refuses(browser: Browser) -> bool:
    """Return whether the person sees the error page, and no application gets an answer."""
    return browser.status == 400 and "Go back to the application" in browser.text and not browser.location


def test_a_pushed_request_leads_to_one_code(browser: Browser) -> None:
    app = register()

    pushed = app.push(scope="openid email", state="s-1")

    assert (pushed.status, pushed.body["expires_in"]) == (201, 60)
    uri = pushed.body["request_uri"]
    assert uri not in PushedRequest.objects.get().query
    # The parameters of the address do not count, so nobody between the browser and the service can change the request.
    app.visit(browser, uri, scope="openid profile", state="changed", redirect_uri="https://eve.example")
    answer = answer_in(browser)
    assert answer["state"] == "s-1"
    app.tokens = app.redeem(answer["code"]).body
    assert app.tokens["scope"] == "openid email"
    assert refuses(app.visit(browser, uri))
    assert Code.objects.count() == 1


def test_every_authentication_of_a_client_can_push(browser: Browser) -> None:
    secret, signing = register(), register(jwks=KEYS)
    public = register(is_public=True, redirect_uri="https://spa.example.com/")
    basic = base64.b64encode(f"{secret.client_id}:{secret.secret}".encode()).decode()
    alone = {**secret.request(), "client_id": None}

    assert secret.post("par", alone, headers={"Authorization": f"Basic {basic}"}).status == 201
    assert public.push().status == 201
    signed = {**signing.request(), **by(assertion(signing))}
    assert signing.post("par", signed).status == 201
    assert signing.post("par", signed).body["error"] == "invalid_client"
    assert signing.push().body["error"] == "invalid_client"
    assert secret.post("par", {**secret.request(), "client_secret": "x"}).status == 401
    assert PushedRequest.objects.count() == 3


def test_a_pushed_request_belongs_to_its_client(browser: Browser) -> None:
    app, other = register(), register(name="Other")

    pushed = app.push().body["request_uri"]
    for_other = app.post(
        "par",
        {**app.request(), "client_id": other.client_id},
        headers={"Authorization": "Basic " + base64.b64encode(f"{app.client_id}:{app.secret}".encode()).decode()},
    )

    assert refuses(other.visit(browser, pushed))
    assert (for_other.status, for_other.body["error"]) == (400, "invalid_request")
    assert "code" in answer_in(app.visit(browser, pushed))


def test_a_request_uri_is_valid_for_a_minute_and_the_sign_in_after_it_longer(alice: Person) -> None:
    app, browser = register(), Browser()
    uri = app.push(login_hint=alice.email).body["request_uri"]

    app.visit(browser, uri)
    first = browser.url
    app.visit(browser, uri)

    assert path_of(first) == path_of(browser.url) == to_path("authsvc-sign-in")
    assert browser.form("authsvc-sign-in").fields["email"] == alice.email
    with time_machine.travel(now() + LIFETIME):
        assert refuses(app.visit(Browser(), uri))
        browser.sign_in(alice, following=dict(parse_qsl(urlsplit(first).query))["next"]).follow()
        assert answer_in(browser)["code"]
        assert not prunable_requests(now()).exists()
    assert refuses(app.visit(browser, uri))
    with time_machine.travel(now() + 2 * WAIT_MAX):
        assert prunable_requests(now()).exists()


@each(
    "change, error",
    [
        ({"redirect_uri": "https://eve.example"}, "invalid_request"),
        ({"redirect_uri": None}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"scope": "everything"}, "invalid_scope"),
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"nonce": "n" * 4001}, "invalid_request"),
        ({"request_uri": UNKNOWN}, "invalid_request"),
        ({"request": "e30.e30."}, "request_not_supported"),
    ],
)
def test_a_faulty_request_is_refused_when_it_is_pushed(change: dict[str, str | None], error: str) -> None:
    refused = register().push(**change)

    assert (refused.status, refused.body["error"]) == (400, error)
    assert not PushedRequest.objects.exists()


def test_the_length_of_a_request_has_a_bound() -> None:
    app = register()

    assert app.push(ui_locales="x" * TEXT_MAX).status == 201
    assert app.push(ui_locales="x" * (TEXT_MAX + 1)).body["error"] == "invalid_request"
    large = app.push(unknown="x" * 66_000)
    assert (large.status, large.body["error"]) == (413, "invalid_request")
    assert PushedRequest.objects.count() == 1


def test_a_client_can_be_bound_to_push(browser: Browser) -> None:
    app = register(needs_par=True)

    direct = answer_in(app.authorize(browser))
    pushed = answer_in(app.visit(browser, app.push().body["request_uri"]))

    assert (direct["error"], "code" in pushed) == ("invalid_request", True)


@pytest.mark.parametrize("uri", [UNKNOWN, "urn:ietf:params:oauth:request_uri:", "urn:ietf:params:oauth:request_uri:ä"])
def test_an_unknown_request_uri_is_refused(browser: Browser, uri: str) -> None:
    app: Application = register()

    assert refuses(app.visit(browser, uri))


def test_a_refused_request_can_be_tried_again(browser: Browser) -> None:
    app = register(is_first_party=False)
    uri = app.push().body["request_uri"]

    denied = answer_in(app.visit(browser, uri).submit("authsvc-oidc-consent", decision="deny"))
    app.visit(browser, uri).submit("authsvc-oidc-consent", decision="allow")

    assert denied["error"] == "access_denied"
    assert answer_in(browser)["code"]
