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
