"""The applications with access to an account: the list for its owner, at /account and below /v1, and the end of an access."""

from html import unescape
from typing import Any

import pytest
import time_machine
from pytest_django import Settings

from core.clock import now
from oidc.models import Client, Consent, Grant
from sessions_app.models import Family
from tests.applications import Application, register
from tests.keys import events
from tests.pages import Browser, signed_in
from tests.people import Person, existing_session

from ..pages.account.sessions import notice, old_session

ROOM, END = "authsvc-account-applications", "authsvc-account-application-end"


def listed(person: Person) -> list[dict[str, Any]]:
    """Return the applications that the API lists."""
    answer = person.api.get("/v1/applications", token=existing_session(person).access)
    assert (answer.status, answer.data["count"]) == (200, len(answer.data["applications"]))
    return list(answer.data["applications"])


def end(person: Person, app: Application) -> Any:
    """End the access of the application by the API."""
    return person.api.delete(f"/v1/applications/{app.client_id}", token=existing_session(person).access)


def is_live(app: Application) -> bool:
    """Return whether the session of the application is live."""
    return app.userinfo().status == 200 and app.refresh().status == 200


def test_the_list_states_what_each_application_has(alice: Person, bob: Person, browser: Browser) -> None:
    ledger = register(name="Ledger", is_first_party=False)
    with time_machine.travel(now().replace(microsecond=0), tick=False) as clock:
        began_at = now()
        ledger.sign_in(browser, scope="openid email offline_access", claims='{"userinfo": {"nickname": null}}')
        clock.shift(600)
        grafana = register(name="Grafana").sign_in(browser, scope="openid profile")
        clock.shift(60)
        grafana.refresh()
        register(name="Of bob").sign_in(signed_in(bob))
        bound, offline = Grant.objects.filter(family__account=alice.account()).order_by("is_offline")

        first, second = listed(alice)

    moment = "%Y-%m-%dT%H:%M:%S"
    assert (first["name"], first["scopes"], first["claims"]) == ("Grafana", ["openid", "profile"], [])
    assert (first["survives_sign_out"], first["sessions"]) == (False, 1)
    assert first["last_used_at"] > first["created_at"]
    assert first["expires_at"].startswith(bound.family.absolute_expires_at.strftime(moment))
    assert second == {
        "client_id": ledger.client_id,
        "name": "Ledger",
        "hosts": ["app.example.com"],
        "scopes": ["openid", "email", "offline_access"],
        "claims": ["nickname"],
        "resources": [],
        "created_at": second["created_at"],
        "last_used_at": second["created_at"],
        "expires_at": second["expires_at"],
        "survives_sign_out": True,
        "sessions": 1,
    }
    assert second["created_at"].startswith(began_at.strftime(moment))
    assert second["expires_at"].startswith(offline.family.absolute_expires_at.strftime(moment))


def test_several_sessions_of_an_application_are_one_line(alice: Person, browser: Browser) -> None:
    app = register(is_first_party=False).sign_in(browser)
    app.sign_in(browser, scope="openid email profile offline_access")

    [line] = listed(alice)

    assert (line["sessions"], line["survives_sign_out"]) == (2, True)
    assert line["scopes"] == ["openid", "email", "profile", "offline_access"]
    app.post("revoke", {"token": app.tokens["refresh_token"]})
    assert [(one["sessions"], one["survives_sign_out"]) for one in listed(alice)] == [(1, False)]


def test_a_consent_without_a_session_is_listed_and_ends(alice: Person, browser: Browser) -> None:
    app = register(is_first_party=False).sign_in(browser)
    app.post("revoke", {"token": app.tokens["refresh_token"]})

    [line] = listed(alice)

    assert (line["sessions"], line["last_used_at"], line["expires_at"]) == (0, None, None)
    assert end(alice, app).status == 200
    assert listed(alice) == []
    assert app.authorize(browser).shows_form("authsvc-oidc-consent")


def test_a_deactivated_application_has_no_access(alice: Person, browser: Browser) -> None:
    app = register(is_first_party=False).sign_in(browser)
    Client.objects.filter(pk=app.client.pk).update(deactivated_at=now())

    assert listed(alice) == []


def test_the_end_takes_the_sessions_the_consent_and_the_codes_of_one_application(
    alice: Person, bob: Person, browser: Browser
) -> None:
    app, other = (register(name=name, is_first_party=False) for name in ("Grafana", "Other"))
    code = app.code(browser)
    app.sign_in(browser, scope="openid offline_access")
    other.sign_in(browser)
    [of_bob] = app.copies(1)
    of_bob.sign_in(signed_in(bob))

    answer = end(alice, app)

    assert (answer.status, answer.data) == (200, {"status": "application disconnected"})
    assert [is_live(one) for one in (app, other, of_bob)] == [False, True, True]
    assert app.redeem(code).body["error"] == "invalid_grant"
    assert app.authorize(browser).shows_form("authsvc-oidc-consent")
    assert Consent.objects.count() == 2
    [event] = events(alice, "application_disconnected")
    assert event.metadata == {"client_id": app.client_id, "client_name": "Grafana"}
    assert [one.metadata["cause"] for one in events(alice, "session_ended")] == ["session_revoked"]
    assert browser.is_signed_in()


@pytest.mark.parametrize("name", ["another account's", "already ended", "unknown", "nonsense"])
def test_no_other_access_ends(alice: Person, bob: Person, browser: Browser, name: str) -> None:
    app = register(is_first_party=False).sign_in(browser)
    person, ended = (bob, app) if name == "another account's" else (alice, register())
    client_id = {"unknown": "44444444-4444-7444-8444-444444444444", "nonsense": "x"}.get(name, ended.client_id)

    answer = person.api.delete(f"/v1/applications/{client_id}", token=existing_session(person).access)

    assert (answer.status, answer.code) == (404, "not_found")
    assert is_live(app)
    assert not events(person, "application_disconnected")


def test_an_ended_session_ends_no_access(alice: Person, browser: Browser) -> None:
    app = register().sign_in(browser, scope="openid offline_access")
    session = alice.log_in()
    Family.objects.exclude(pk__in=Grant.objects.values("pk")).update(revoked_at=now())

    answer = alice.api.delete(f"/v1/applications/{app.client_id}", token=session.access)

    assert (answer.status, answer.code) == (401, "invalid_access_token")
    assert is_live(app)


def test_the_room_shows_the_applications_and_ends_one(alice: Person) -> None:
    browser = old_session(alice)
    assert "No application has access to your account." in browser.open(ROOM).text
    app = register(name="<b>Ledger", is_first_party=False).sign_in(browser, scope="openid email offline_access")

    shown = unescape(browser.open(ROOM).text)

    assert "&lt;b&gt;Ledger" in browser.text
    assert all(text in shown for text in ("app.example.com", "your e-mail address", "It keeps the access"))
    assert "your name and your profile" not in shown
    assert shown.index("Devices</a>") < shown.index("Applications</a>") < shown.index("Activity</a>")
    browser.submit(END, app.client_id)
    assert notice(browser) == "The application no longer has access to your account."
    assert "No application has access to your account." in browser.text
    assert not is_live(app)


def test_the_owner_reads_of_sign_ins_and_ends(alice: Person, browser: Browser) -> None:
    app = register(name="Ledger <1>").sign_in(browser)
    end(alice, app)

    text = unescape(browser.open("authsvc-account-activity").text)

    assert "Sign-in to the application Ledger <1>." in text
    assert "The access of the application Ledger <1> was ended." in text
    assert events(alice, "application_signed_in")[0].metadata["client_id"] == app.client_id


def test_the_session_of_an_application_names_it(alice: Person, browser: Browser) -> None:
    register(name="Grafana").sign_in(browser)

    own = alice.log_in()
    sessions = alice.api.get("/v1/sessions", token=own.access).data

    assert sorted(one["application"] for one in sessions) == ["", "", "Grafana"]
    assert alice.api.get("/v1/session", token=own.access).data["application"] == ""
    assert "Grafana" in browser.open("authsvc-account-devices").text


def test_the_room_describes_the_scopes_of_the_deployment(alice: Person, browser: Browser, settings: Settings) -> None:
    texts = {"en": "read your invoices", "de": "Ihre Rechnungen lesen"}
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "OPENID_SCOPES": {"invoices:read": texts}}
    app = register(
        scopes=["openid", "invoices:read"], resources=["https://invoices.example.com/v1"], is_first_party=False
    )
    app.sign_in(browser, scope="openid invoices:read")

    app.sign_in(browser, scope="openid invoices:read", resource="https://invoices.example.com/v1")

    assert listed(alice)[0]["scopes"] == ["openid", "invoices:read"]
    assert listed(alice)[0]["resources"] == ["https://invoices.example.com/v1"]
    assert '<li class="user-text">invoices.example.com</li>' in browser.open(ROOM).text
    assert texts["en"] in browser.open(ROOM).text
    assert texts["de"] in browser.open(ROOM, headers={"Accept-Language": "de"}).text
