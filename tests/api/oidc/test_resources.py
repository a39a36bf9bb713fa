"""Access tokens for other services (RFC 8707), and the scopes of the deployment."""

from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import jwt as pyjwt
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError
from pytest_django import Settings

from oidc.conf import settings as oidc_settings
from oidc.models import Client, Code, Grant
from oidc.scopes import SCOPES
from tests.applications import Application, Reply, answer_in, register
from tests.client import Api
from tests.pages import Browser
from tests.people import Person

from .test_clients import create, run, value

INVOICES, FILES = "https://invoices.example.com", "https://files.example.com/api?v=2"
USERINFO = "http://localhost:8000/oauth2/userinfo"
OWN = {"invoices:read": {"en": "read your invoices", "de": "Ihre Rechnungen lesen"}}


@pytest.fixture
def own_scopes(settings: Settings) -> None:
    """A deployment with a scope of its own."""
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "OPENID_SCOPES": OWN}


@pytest.fixture
def app() -> Application:
    """A client that may ask for two resources."""
    return register(resources=[INVOICES, FILES])


def audience(app: Application) -> Any:
    """Return the audience of the access token. Its signature is checked."""
    keys = pyjwt.PyJWKSet.from_dict(Api().get("/.well-known/jwks.json").body)
    options: Any = {"verify_aud": False}
    return pyjwt.decode(app.tokens["access_token"], keys.keys[0], ["ES256"], options=options)["aud"]


def errors(*replies: Reply) -> list[str]:
    """Return the errors of the answers."""
    return [reply.body["error"] for reply in replies]


def test_a_token_is_for_the_resource_that_the_client_named(browser: Browser, app: Application, alice: Person) -> None:
    app.sign_in(browser, resource=INVOICES)

    assert audience(app) == INVOICES
    assert app.userinfo().body["error"] == "invalid_token"
    assert alice.api.get("/v1/verify", token=app.tokens["access_token"]).status == 401
    shown = app.post("introspect", {"token": app.tokens["access_token"]}).body
    assert (shown["active"], shown["aud"]) == (True, INVOICES)
    assert app.refresh().status == 200
    assert audience(app) == INVOICES
    assert app.refresh(resource=USERINFO).status == 200
    assert (audience(app), app.userinfo().status) == (USERINFO, 200)
    assert app.post("revoke", {"token": app.tokens["access_token"]}).status == 200
    assert app.refresh().body["error"] == "invalid_grant"


def test_each_token_of_a_grant_for_several_resources_is_for_one_of_them(browser: Browser, app: Application) -> None:
    code = app.code(browser, resource=f"{INVOICES} {FILES}")

    several = app.redeem(code), app.redeem(code, resource=f"{INVOICES} {FILES}")
    app.tokens = app.redeem(code, resource=FILES).body

    assert errors(*several) == ["invalid_target"] * 2
    assert audience(app) == FILES
    assert errors(app.refresh()) == ["invalid_target"]
    assert app.refresh(resource=INVOICES).status == 200
    assert audience(app) == INVOICES


def test_a_parameter_for_each_resource_counts_and_survives_the_sign_in(alice: Person, app: Application) -> None:
    browser = Browser()
    both = f"resource={quote(INVOICES)}&resource={quote(FILES)}"

    browser.open(f"/oauth2/authorize?{urlencode(app.request())}&{both}").follow()
    browser.sign_in(alice, following=parse_qs(urlsplit(browser.url).query)["next"][0]).follow()

    assert answer_in(browser)["code"]
    assert Code.objects.get().resource == f"{INVOICES} {FILES}"


def test_a_client_gets_only_what_it_was_registered_for(browser: Browser, app: Application, settings: Settings) -> None:
    plain = register()
    granted = app.sign_in(browser, resource=INVOICES)

    assert answer_in(plain.authorize(browser, resource=INVOICES))["error"] == "invalid_target"
    assert answer_in(app.authorize(browser, resource=f"{INVOICES}/"))["error"] == "invalid_target"
    assert answer_in(app.authorize(browser, resource=INVOICES.upper()))["error"] == "invalid_target"
    assert answer_in(app.authorize(browser, resource="x" * 7_000))["error"] == "invalid_target"
    assert errors(app.push(resource="https://eve.example")) == ["invalid_target"]
    assert errors(granted.refresh(resource=FILES)) == ["invalid_target"]
    assert granted.refresh().status == 200
    # The audience of the API changes after the registration. Otherwise the token of a client would open the account.
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "TOKEN_AUDIENCE": INVOICES}
    assert errors(granted.refresh()) == ["invalid_target"]
    assert answer_in(app.authorize(browser, resource=INVOICES))["error"] == "invalid_target"


def test_a_resource_that_is_taken_away_gets_no_tokens_any_more(browser: Browser, app: Application) -> None:
    code = app.code(browser, resource=FILES)
    app.sign_in(browser, resource=FILES)

    run("change", app.client_id, "--resource", INVOICES)

    assert errors(app.refresh(), app.redeem(code)) == ["invalid_target"] * 2
    assert app.post("introspect", {"token": app.tokens["access_token"]}).body == {"active": False}
    assert answer_in(app.authorize(browser, resource=FILES))["error"] == "invalid_target"
    assert app.refresh(resource=USERINFO).status == 200


def test_a_service_introspects_the_access_tokens_that_are_for_it(browser: Browser, app: Application) -> None:
    service = registered_service(INVOICES)
    mere = register(name="May only get tokens", resources=[INVOICES])
    app.tokens = app.redeem(app.code(browser, resource=f"{INVOICES} {FILES}"), resource=INVOICES).body
    tokens = [app.tokens["access_token"]]

    def seen(asking: Application, token: str) -> Any:
        return asking.post("introspect", {"token": token}).body

    shown = seen(service, tokens[0])
    assert (shown["active"], shown["aud"], shown["client_id"]) == (True, INVOICES, app.client_id)
    assert (shown["scope"], "token_type" in shown) == ("openid email", True)
    for resource in (FILES, USERINFO):
        app.refresh(resource=resource)
        tokens.append(app.tokens["access_token"])
    inactive = [*tokens[1:], app.tokens["refresh_token"], app.tokens["id_token"], "x"]
    assert [seen(service, token) for token in inactive] == [{"active": False}] * 5
    assert seen(mere, tokens[0]) == {"active": False}
    # The right to ask is no right to end.
    assert service.post("revoke", {"token": tokens[0]}).status == 200
    assert seen(service, tokens[0])["active"] is True
    app.post("revoke", {"token": app.tokens["refresh_token"]})
    assert seen(service, tokens[0]) == {"active": False}


def test_a_client_that_is_a_service_signs_nobody_in(browser: Browser) -> None:
    service = registered_service(INVOICES)

    assert service.authorize(browser).status == 400
    assert errors(service.push()) == ["invalid_request"]
    assert errors(service.post("device_authorization", {"scope": "openid"})) == ["unauthorized_client"]
    for options in ((), ("--public", "--serves", INVOICES)):
        with pytest.raises(CommandError):
            run("create", "Service", *options)


def registered_service(resource: str) -> Application:
    """Register a client that is the resource, by the command."""
    printed = run("create", "Invoices", "--serves", resource)
    assert value(run("show", value(printed, "client_id")), "serves") == resource
    client = Client.objects.get(pk=value(printed, "client_id"))
    return Application(client=client, secret=value(printed, "client_secret"))


@pytest.mark.usefixtures("own_scopes")
def test_a_scope_of_the_deployment_is_asked_for_in_the_language_of_the_person(browser: Browser) -> None:
    app = register(scopes=[*SCOPES, "invoices:read"], resources=[INVOICES], is_first_party=False)
    usual = register(name="Other")

    app.authorize(browser, scope="openid invoices:read", resource=INVOICES)
    assert "read your invoices" in browser.text
    browser.submit("authsvc-oidc-consent", decision="allow")
    app.tokens = app.redeem(answer_in(browser)["code"]).body
    app.authorize(browser, scope="openid email invoices:read", ui_locales="de")

    assert "Ihre Rechnungen lesen" in browser.text
    assert (app.tokens["scope"], Grant.objects.get().resource) == ("openid invoices:read", INVOICES)
    assert errors(app.refresh(scope="openid email invoices:read")) == ["invalid_scope"]
    assert app.refresh(scope="openid").body["scope"] == "openid"
    assert usual.sign_in(browser, scope="openid invoices:read").tokens["scope"] == "openid"
    document = Api().get("/.well-known/openid-configuration").body
    assert document["scopes_supported"] == [*SCOPES, "invoices:read"]


@pytest.mark.usefixtures("own_scopes")
def test_the_command_registers_resources_and_own_scopes(settings: Settings) -> None:
    client_id = value(
        create("Books", "--resource", INVOICES, "--resource", FILES, "--scope", "invoices:read"), "client_id"
    )

    client = Client.objects.get()
    assert (client.resources, client.scopes) == ([INVOICES, FILES], ["openid", "invoices:read"])
    assert FILES in run("show", client_id)
    for wrong in (
        "invoices",
        "https://a.example/#x",
        "https://a.example/ä",
        "https://a.example/ b",
        "https://" + "a" * 300,
    ):
        with pytest.raises(CommandError, match="a resource is an absolute URI"):
            create("Books", "--resource", wrong)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "TOKEN_AUDIENCE": INVOICES}
    with pytest.raises(CommandError, match="TOKEN_AUDIENCE"):
        create("Books", "--resource", INVOICES)
    with pytest.raises(CommandError):
        create("Books", "--scope", "invoices:write")


@pytest.mark.parametrize(
    "wrong",
    [
        "no JSON",
        "[]",
        '{"a b": {"en": "x"}}',
        '{"email": {"en": "x"}}',
        '{"a": "x"}',
        '{"a": {"de": "x"}}',
        '{"a": {"en": "x", "xx": "y"}}',
        '{"a": {"en": ""}}',
        {"a": {"en": "x" * 201}},
        {f"a{number}": {"en": "x"} for number in range(51)},
    ],
)
def test_a_malformed_scope_stops_the_start(settings: Settings, wrong: object) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "OPENID_SCOPES": wrong}

    with pytest.raises(ImproperlyConfigured, match="OPENID_SCOPES must be a JSON object"):
        oidc_settings()
