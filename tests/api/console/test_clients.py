"""The clients of the OpenID provider, in the API of operators and on the pages of the console."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.clock import now
from events.webhooks.models import Delivery
from oidc.models import Client
from tests.applications import register
from tests.console_browser import Browser as ConsoleBrowser
from tests.console_browser import prefix
from tests.console_browser import signed_in as signed_in_operator
from tests.operators import Console
from tests.pages import signed_in
from tests.people import Person

from .invalid_numbers import invalid_numbers

ABSENT = "44444444-4444-7444-8444-444444444444"
STATEMENTS_MAX = 12


@pytest.fixture
def browser(console: Console, configure: Callable[..., None]) -> ConsoleBrowser:
    """A browser in which the operator is signed in."""
    configure(OPERATOR_SECOND_FACTOR="optional")
    return signed_in_operator(console.session.person)


def test_each_client_has_its_registration_and_its_counts(console: Console, alice: Person, bob: Person) -> None:
    ledger = register(name="Ledger", is_first_party=False)
    ledger.sign_in(signed_in(alice))
    ledger.sign_in(signed_in(alice), scope="openid offline_access")
    ledger.sign_in(signed_in(bob))
    ended = ledger.copies(1)[0].sign_in(signed_in(bob))
    ended.post("revoke", {"token": ended.tokens["refresh_token"]})
    unused = register(name="Unused", is_public=True)

    answer = console.get("/clients").data

    assert (answer["count"], answer["limit"]) == (2, 50)
    newest, oldest = answer["clients"]
    assert (newest["client_id"], newest["authentication"], newest["last_used_at"]) == (unused.client_id, "none", None)
    assert (newest["sessions"], newest["people"], newest["consents"]) == (0, 0, 0)
    assert oldest == {
        "client_id": ledger.client_id,
        "name": "Ledger",
        "active": True,
        "authentication": "secret",
        "first_party": False,
        "redirect_uris": ["https://app.example.com/back"],
        "scopes": list(ledger.client.scopes),
        "backchannel_logout_uri": "",
        "created_at": oldest["created_at"],
        "deactivated_at": None,
        "sessions": 3,
        "people": 2,
        "consents": 2,
        "last_used_at": oldest["last_used_at"],
    }
    assert console.get("/clients?limit=1").data["clients"] == [newest]


def test_a_client_has_its_live_sessions(console: Console, alice: Person, bob: Person) -> None:
    app = register(name="Ledger")
    app.sign_in(signed_in(alice), scope="openid email")
    app.sign_in(signed_in(bob), scope="openid offline_access")

    answer = console.get(f"/clients/{app.client_id}").data

    assert (answer["client"]["name"], answer["count"], answer["limit"]) == ("Ledger", 2, 50)
    newest, oldest = answer["sessions"]
    assert (newest["user_id"], newest["survives_sign_out"]) == (bob.user_id, True)
    assert (oldest["user_id"], oldest["survives_sign_out"]) == (alice.user_id, False)
    assert oldest["scopes"] == ["openid", "email"]
    assert oldest["created_at"] <= oldest["last_used_at"] < oldest["expires_at"]
    assert len(console.get(f"/clients/{app.client_id}?limit=1").data["sessions"]) == 1
    Client.objects.filter(pk=app.client.pk).update(deactivated_at=now())
    answer = console.get(f"/clients/{app.client_id}").data
    assert (answer["client"]["active"], answer["client"]["sessions"], answer["sessions"]) == (False, 0, [])


@pytest.mark.parametrize("client_id", [ABSENT, "x"])
def test_an_unknown_client_is_not_found(console: Console, client_id: str) -> None:
    answer = console.get(f"/clients/{client_id}")

    assert (answer.status, answer.code) == (404, "not_found")


@pytest.mark.parametrize("limit", invalid_numbers(1, 500))
def test_the_limit_has_bounds(console: Console, limit: str) -> None:
    assert console.get(f"/clients?limit={limit}").status == 400


def test_the_list_runs_few_statements(console: Console, alice: Person) -> None:
    for number in range(3):
        register(name=f"App {number}").sign_in(signed_in(alice))
    console.get("/clients")

    with CaptureQueriesContext(connection) as statements:
        console.get("/clients")

    assert len(statements) <= STATEMENTS_MAX - 7


def test_the_pages_show_an_application_and_the_commands(
    browser: ConsoleBrowser, alice: Person, console: Console
) -> None:
    assert "No application is registered" in browser.open("applications").text
    app = register(name="<b>Ledger", is_first_party=False).sign_in(signed_in(alice), scope="openid offline_access")

    browser.open("applications")
    assert f'href="{prefix()}applications/{app.client_id}">&lt;b&gt;Ledger</a>' in browser.text
    assert "app.example.com" in browser.text
    with CaptureQueriesContext(connection) as statements:
        browser.open(f"applications/{app.client_id}")

    shown = unescape(browser.text)
    assert len(statements) <= STATEMENTS_MAX
    assert f'href="{prefix()}users/{alice.user_id}">{alice.email}</a>' in browser.text
    assert f"manage.py clients deactivate {app.client_id}" in shown
    assert "Survives the sign-out" in shown
    assert app.secret not in shown
    assert browser.open(f"applications/{ABSENT}").status == 404
    assert "<b>Ledger</strong>" in unescape(browser.open(f"users/{alice.user_id}").text)


def test_failed_logouts_are_shown_without_a_webhook(browser: ConsoleBrowser, console: Console, alice: Person) -> None:
    assert console.get("/webhooks/deliveries").status != 200
    app = register(name="Ledger", backchannel_logout_uri="https://app.example.com/out").sign_in(signed_in(alice))
    app.post("revoke", {"token": app.tokens["refresh_token"]})
    Delivery.objects.update(status=Delivery.Status.FAILED)

    listed = console.get("/webhooks/deliveries").data["deliveries"]
    browser.open(f"applications/{app.client_id}")

    assert [one["kind"] for one in listed] == ["logout"]
    assert "https://app.example.com/out" in browser.text
    [link] = re.findall(r'href="([^"]*status=failed[^"]*)"', browser.text)
    assert str(listed[0]["id"]) in browser.open(unescape(link)).text
