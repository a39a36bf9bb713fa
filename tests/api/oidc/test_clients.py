"""The command that registers clients."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from events.models import Event
from oidc.models import Client
from tests.applications import Application, answer_in, register
from tests.pages import Browser
from tests.people import Person
from tests.rows import each

from .test_client_authentication import KEYS, OTHER_KEY, public_jwk

BACK = "https://grafana.example.com/login/generic_oauth"


def run(*arguments: str) -> str:
    """Run the command, and return what it prints."""
    out = StringIO()
    call_command("clients", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def create(name: str = "Grafana", *options: str, uri: str = BACK) -> str:
    """Register a client, and return what the command prints."""
    return run("create", name, "--redirect-uri", uri, *options)


def value(text: str, name: str) -> str:
    """Return the value of the line with this name."""
    [line] = [line for line in text.splitlines() if line.startswith(name)]
    return line.removeprefix(name).strip()


def test_a_client_gets_its_secret_once(browser: Browser) -> None:
    printed = create("Grafana", "--first-party")

    client = Client.objects.get()
    secret = value(printed, "client_secret")
    app = Application(client=client, secret=secret, redirect_uri=BACK)
    assert app.sign_in(browser).userinfo().status == 200
    assert value(printed, "client_id") == app.client_id
    assert value(printed, "issuer") == "http://localhost:8000"
    shown = run("show", app.client_id)
    assert secret not in shown + run("list")
    assert secret.encode() not in bytes(client.secret_digest or b"")
    assert value(shown, "redirect URI") == BACK
    assert f"{app.client_id}  active" in run("list")
    assert "--now" not in run("rotate", app.client_id)
    assert "works until" in run("show", app.client_id)
    assert app.refresh().status == 200
    assert "no longer works" in run("rotate", app.client_id, "--now")
    assert app.refresh().body["error"] == "invalid_client"
    events = Event.objects.filter(type="operator_command").order_by("id").values_list("metadata", flat=True)
    assert [one["command"] for one in events] == ["clients create", "clients rotate", "clients rotate"]
    assert {one["client_id"] for one in events} == {app.client_id}


def test_a_client_can_sign_in_place_of_a_secret(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    path.write_text(json.dumps(KEYS))

    printed = create("Bank", "--jwks", str(path))

    assert "client_secret" not in printed
    client_id = value(printed, "client_id")
    assert Client.objects.get().jwks == KEYS
    path.write_text(json.dumps({"keys": [public_jwk(OTHER_KEY, kid="next")]}))
    run("rotate", client_id, "--jwks", str(path))
    assert value(run("show", client_id), "key") == "next"
    with pytest.raises(CommandError, match="no secret"):
        run("rotate", client_id)


@pytest.mark.parametrize(
    "keys",
    [
        "no JSON",
        "[]",
        '{"keys": []}',
        '{"keys": [{"kty": "oct", "k": "c2VjcmV0"}]}',
        '{"keys": [{"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}]}',
        '{"keys": [{"kty": "RSA", "n": "AQAB", "e": "AQAB"}]}',
        '{"keys": [1]}',
    ],
)
def test_keys_that_cannot_sign_are_refused(tmp_path: Path, keys: str) -> None:
    path = tmp_path / "keys.json"
    path.write_text(keys)

    with pytest.raises(CommandError):
        create("Bank", "--jwks", str(path))

    assert not Client.objects.exists()


@each(
    "uri",
    [
        "http://grafana.example.com/back",
        "https://grafana.example.com/*",
        "https://*.example.com/back",
        "https://grafana.example.com/back#x",
        "https://alice@grafana.example.com/back",
        "https://grafana.example.com/a/../b",
        "https://grafana.example.com/b\\ack",
        "https://grafäna.example.com/back",
        "https:///back",
        "https://grafana.example.com:x/back",
        "/back",
        "javascript:alert(1)",
        "data:text/html,x",
        "com.example.app:/back",
        "https://grafana.example.com/" + "a" * 500,
    ],
)
def test_a_redirect_uri_that_could_lead_elsewhere_is_refused(uri: str) -> None:
    with pytest.raises(CommandError):
        create("Grafana", uri=uri)

    assert not Client.objects.exists()


def test_a_client_without_authentication_keeps_pkce() -> None:
    assert "client_secret" not in create("App", "--public", uri="com.example.app:/back")

    for options in (("--public", "--without-pkce"), ("--scope", "everything")):
        with pytest.raises(CommandError):
            create("App", *options)
    for name in ("", " App", "A\nB", "A" * 101):
        with pytest.raises(CommandError):
            create(name)
    assert Client.objects.count() == 1


def test_a_client_asks_for_its_own_scopes_alone(browser: Browser) -> None:
    printed = create("Grafana", "--first-party", "--scope", "email")
    app = Application(client=Client.objects.get(), secret=value(printed, "client_secret"), redirect_uri=BACK)

    app.sign_in(browser, scope="openid profile email offline_access")

    assert app.tokens["scope"] == "openid email"


def test_a_deactivated_and_a_deleted_client_has_no_session(browser: Browser) -> None:
    apps = [register(name=name) for name in ("One", "Two", "Three")]
    codes = [app.code(browser) for app in apps]
    for app in apps:
        app.sign_in(browser, scope="openid offline_access")
    one, two, three = apps

    assert run("deactivate", one.client_id) == "Deactivated One. Sessions ended: 1.\n"
    assert run("delete", two.client_id) == "Deleted Two. Sessions ended: 1.\n"

    assert [app.userinfo().status for app in apps] == [401, 401, 200]
    assert [app.refresh().status for app in apps] == [401, 401, 200]
    assert [app.redeem(code).status for app, code in zip(apps, codes, strict=True)] == [401, 401, 200]
    ended = Event.objects.filter(type="session_ended").values_list("metadata__cause", flat=True)
    assert list(ended) == ["application_ended"] * 2
    shown = browser.open("authsvc-account-activity").text
    assert shown.count("An application was taken out of the service, and its sessions ended.") == 2
    assert "rights in the console" not in shown
    assert "deactivated" in run("list")
    assert answer_in(three.authorize(browser))["code"]
    with pytest.raises(CommandError, match="There is no client"):
        run("show", two.client_id)


def test_a_change_replaces_what_the_command_names_and_keeps_the_rest(browser: Browser) -> None:
    printed = create("Grafana", "--first-party", "--post-logout-uri", BACK)
    app = Application(client=Client.objects.get(), secret=value(printed, "client_secret"), redirect_uri=BACK)
    app.sign_in(browser)
    other = "https://grafana.example.com/other"

    said = run("change", app.client_id, "--name", "Charts", "--redirect-uri", other, "--post-logout-uri", "")

    assert said == "Changed: name, post-logout-uri, redirect-uri.\n"
    client = Client.objects.get()
    assert (client.name, client.redirect_uris, client.post_logout_uris) == ("Charts", [other], None)
    assert (client.is_first_party, client.scopes, app.refresh().status) == (True, app.client.scopes, 200)
    assert app.authorize(browser).status == 400
    assert "code" in answer_in(app.authorize(browser, redirect_uri=other))
    assert run("change", app.client_id, "--name", "Charts") == "Changed: nothing.\n"
    run("change", app.client_id, "--no-first-party", "--require-par", "--without-pkce")
    assert (value(run("show", app.client_id), "PAR"), value(run("show", app.client_id), "PKCE")) == (
        "required",
        "optional",
    )
    events = Event.objects.filter(type="operator_command", metadata__command="clients change").order_by("id")
    assert [one.metadata["changed"] for one in events] == [
        ["name", "post_logout_uris", "redirect_uris"],
        ["is_first_party", "needs_par", "needs_pkce"],
    ]
    assert BACK not in str([one.metadata for one in events])


@pytest.mark.parametrize(
    "options",
    [
        ("--redirect-uri", "http://grafana.example.com/back"),
        ("--redirect-uri", ""),
        ("--post-logout-uri", "https://grafana.example.com/*"),
        ("--backchannel-logout-uri", "http://grafana.example.com/"),
        ("--name", " "),
        ("--resource", "invoices"),
        ("--serves", "invoices"),
        ("--without-pkce",),
        ("--serves", "https://invoices.example.com"),
    ],
)
def test_a_change_has_the_checks_of_a_registration(options: tuple[str, ...]) -> None:
    create("App", "--public")
    before = Client.objects.values().get()

    with pytest.raises(CommandError):
        run("change", str(before["id"]), *options)

    assert Client.objects.values().get() == before
    assert not Event.objects.filter(metadata__command="clients change").exists()


def test_a_scope_that_is_taken_away_stops_at_once_and_the_session_goes_on(alice: Person, browser: Browser) -> None:
    app = register(is_first_party=False)
    code = app.code(browser, scope="openid email profile")
    app.sign_in(browser, scope="openid email profile")

    run("change", app.client_id, "--scope", "profile")

    assert set(app.userinfo().body) == {"sub", "updated_at"}
    assert app.post("introspect", {"token": app.tokens["access_token"]}).body["scope"] == "openid profile"
    assert app.post("introspect", {"token": app.tokens["refresh_token"]}).body["scope"] == "openid profile"
    assert (app.refresh(scope="openid email").body["error"], app.refresh().status) == ("invalid_scope", 200)
    assert app.tokens["scope"] == "openid profile"
    assert app.redeem(code).body["scope"] == "openid profile"
    [listed] = alice.api.get("/v1/applications", token=alice.log_in().access).data["applications"]
    assert listed["scopes"] == ["openid", "profile"]
    run("change", app.client_id, "--scope", "email", "--scope", "profile")
    assert app.refresh().body["scope"] == "openid profile email"
