"""The logout tokens that applications get, and their deliveries."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from io import StringIO
from typing import Any
from urllib.parse import parse_qs

import jwt as pyjwt
import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from accounts.lifecycle import account_listeners
from core import clock
from core.db.transactions import write
from events.webhooks.delivery import DeliverWebhooks
from events.webhooks.models import Delivery
from oidc.models import Grant
from sessions_app.families.revocation import Cause, revoke_families
from tests import password_resets
from tests.applications import Application, register
from tests.client import Api
from tests.loopback import Peer, answering, response, serving
from tests.mails import delivered, token_in
from tests.pages import Browser, signed_in
from tests.people import Person

TOLD = "https://app.example.com/logout"
ISSUER = "http://localhost:8000"


@dataclass
class Stage:
    """The people and things of an act."""

    alice: Person
    browser: Browser
    app: Application
    settings: Settings
    parts: dict[str, Any] = field(default_factory=dict)


def command(*arguments: str) -> None:
    call_command(*arguments, stdout=StringIO(), stderr=StringIO())


def log_out(stage: Stage) -> None:
    stage.browser.open("authsvc-sign-out").submit("authsvc-sign-out")


def log_out_everywhere(stage: Stage) -> None:
    assert stage.alice.api.post("/v1/logout-all", token=stage.alice.log_in().access).status == 200


def end_from_list(stage: Stage) -> None:
    own = stage.alice.log_in()
    listed = stage.alice.api.get("/v1/sessions", token=own.access).data
    [session] = [one for one in listed if one["label"] == "Grafana"]
    assert stage.alice.api.delete(f"/v1/sessions/{session['id']}", token=own.access).status == 200


def use_twice(stage: Stage) -> None:
    first = stage.app.tokens["refresh_token"]
    assert stage.app.refresh().status == 200
    assert stage.app.token("refresh_token", refresh_token=first).status == 400


def change_password(stage: Stage) -> None:
    body = {"current_password": stage.alice.password, "new_password": "another horse battery"}
    assert stage.alice.api.post("/v1/change-password", body, token=stage.alice.log_in().access).status == 200


def take_over(stage: Stage) -> None:
    Api().post("/v1/magic-link/request", {"email": stage.alice.email})
    Api().post("/v1/magic-link/complete", {"token": token_in(delivered(stage.alice.email)[-1])})


def delete_account(stage: Stage) -> None:
    body = {"current_password": stage.alice.password}
    assert stage.alice.api.post("/v1/delete-account", body, token=stage.alice.log_in().access).status == 200


def restore_address(stage: Stage) -> None:
    now = clock.now()

    @write
    def restore() -> None:
        for listener in account_listeners:
            listener.address_restored(account_id=stage.alice.account().pk, added_from=now - timedelta(days=1), now=now)

    restore()


def end_rights(stage: Stage) -> None:
    """End the browser's session as the end of the rights in the console does. An embedded deployment has no operators."""
    browsers = [Grant.objects.get().browser_id]
    account_id = stage.alice.account().pk
    write(revoke_families)(account_id=account_id, family_ids=browsers, cause=Cause.OPERATOR_REVOKED, now=clock.now())


def open_too_many(stage: Stage) -> None:
    stage.settings.AUTH_SERVICE = {**stage.settings.AUTH_SERVICE, "MAX_SESSIONS": "1"}
    stage.alice.log_in()


ACTS: dict[Cause, Callable[[Stage], None]] = {
    Cause.LOGOUT: log_out,
    Cause.LOGOUT_ALL: log_out_everywhere,
    Cause.SESSION_REVOKED: end_from_list,
    Cause.TOKEN_REUSED: use_twice,
    Cause.PASSWORD_CHANGED: change_password,
    Cause.ACCOUNT_TAKEN_OVER: take_over,
    Cause.ACCOUNT_DELETED: delete_account,
    Cause.OPERATOR_REVOKED: end_rights,
    Cause.APPLICATION_ENDED: lambda stage: command("clients", "delete", stage.app.client_id),
    Cause.EMAIL_CHANGE_UNDONE: restore_address,
    Cause.DATABASE_RESTORED: lambda _: command("revoke_sessions", "--all"),
    Cause.MAX_SESSIONS: open_too_many,
    Cause.ACCOUNT_DEACTIVATED: lambda stage: command("users", "deactivate", stage.alice.email),
    Cause.PASSWORD_RESET_REQUIRED: lambda stage: command("users", "require-reset", stage.alice.email),
    Cause.OPERATOR_SIGNED_OUT: lambda stage: command("users", "sign-out", stage.alice.email),
}
"""An act for each cause. The set of causes is closed."""


def queued() -> list[dict[str, Any]]:
    """Return the claims of the logout tokens in the queue."""
    rows = Delivery.objects.filter(kind="logout").order_by("id")
    return [json.loads(row.payload)["claims"] for row in rows]


@pytest.mark.parametrize("cause", Cause)
def test_the_application_is_told_of_every_end_of_its_session(
    alice: Person, browser: Browser, settings: Settings, cause: Cause
) -> None:
    if cause is Cause.PASSWORD_RESET_REQUIRED:
        password_resets.prove_address(alice)
        browser = signed_in(alice)
    app = register(backchannel_logout_uri=TOLD).sign_in(browser)
    grant = Grant.objects.get()

    ACTS[cause](Stage(alice=alice, browser=browser, app=app, settings=settings))

    event: dict[str, Any] = {"http://schemas.openid.net/event/backchannel-logout": {}}
    assert queued() == [
        {"iss": ISSUER, "aud": app.client_id, "sub": alice.user_id, "sid": str(grant.pk), "events": event}
    ]


def test_only_the_applications_of_the_session_are_told(alice: Person, bob: Person, browser: Browser) -> None:
    def open_at(person: Browser, **asked: str) -> str:
        app = register(backchannel_logout_uri=TOLD).sign_in(person, **asked)
        return str(app.id_claims()["sid"])

    bound, offline = open_at(browser), open_at(browser, scope="openid offline_access")
    open_at(signed_in(alice)), open_at(signed_in(bob))
    register().sign_in(browser)

    browser.open("authsvc-sign-out").submit("authsvc-sign-out")

    # The application with offline_access keeps its tokens, and learns that the person signed out.
    assert sorted(one["sid"] for one in queued()) == sorted([bound, offline])
    assert Grant.objects.get(is_offline=True).family.revoked_at is None


def deliver() -> None:
    DeliverWebhooks().run(clock.now(), lambda: False)


def end_session(browser: Browser, settings: Settings, answer: bytes, **registered: Any) -> tuple[Peer, Application]:
    """End the session of an application that is a server on loopback, and deliver what waits."""
    with serving(answering(answer)) as peer:
        app = register(backchannel_logout_uri=peer.url("/logout"), **registered).sign_in(browser)
        browser.open("authsvc-sign-out").submit("authsvc-sign-out")
        deliver()
    return peer, app


@pytest.fixture
def _private(settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "WEBHOOK_ALLOW_PRIVATE": "on", "WEBHOOK_URL": ""}


@pytest.mark.usefixtures("_private")
@pytest.mark.parametrize("algorithm", ["", "RS256"])
def test_a_worker_sends_a_signed_logout_token(
    browser: Browser, settings: Settings, algorithm: str, tmp_path: Any
) -> None:
    peer, app = end_session(browser, settings, response(b""), id_token_algorithm=algorithm)

    [received] = peer.received
    assert received.line == "POST /logout HTTP/1.1"
    assert received.headers["Content-Type"] == "application/x-www-form-urlencoded"
    [token] = parse_qs(received.body.decode(), strict_parsing=True).pop("logout_token")
    header = pyjwt.get_unverified_header(token)
    assert (header["typ"], header["alg"]) == ("logout+jwt", algorithm or "ES256")
    [key] = [one for one in Api().get("/.well-known/jwks.json").body["keys"] if one["kid"] == header["kid"]]
    claims = pyjwt.decode(token, pyjwt.PyJWK(key), [header["alg"]], audience=app.client_id, issuer=ISSUER)
    assert {"nonce"}.isdisjoint(claims)
    assert claims.pop("exp") - claims.pop("iat") == 120
    assert claims.pop("jti")
    assert claims == queued()[0]
    assert claims["sid"] == app.id_claims()["sid"]
    row = Delivery.objects.get(kind="logout")
    assert (row.status, row.response_code, row.user_id) == ("delivered", 200, app.id_claims()["sub"])
    # A logout token opens nothing.
    assert app.userinfo(token).status == 401
    assert DeliverWebhooks().next_due(clock.now()) is None


@pytest.mark.usefixtures("_private")
def test_a_failed_logout_token_is_tried_again_with_a_new_one(
    browser: Browser, settings: Settings, time_machine: Any
) -> None:
    peer, _ = end_session(browser, settings, response(b"no", status="500 Oops"))

    row = Delivery.objects.get(kind="logout")
    assert (row.status, row.attempts, row.error) == ("pending", 1, "The receiver answered 500.")
    time_machine.move_to(clock.now() + timedelta(minutes=1), tick=False)
    with serving(answering(response(b""))) as second:
        Delivery.objects.update(payload=row.payload.replace(str(peer.port), str(second.port)))
        deliver()
    assert Delivery.objects.get(kind="logout").status == "delivered"
    first, again = (parse_qs(one.body.decode())["logout_token"][0] for one in (*peer.received, *second.received))
    before, after = (pyjwt.decode(token, options={"verify_signature": False}) for token in (first, again))
    assert before["jti"] != after["jti"]
    assert after["iat"] > before["exp"] - 120


@pytest.mark.usefixtures("_private")
def test_a_delivery_that_has_no_request_fails_alone(browser: Browser, settings: Settings, tmp_path: Any) -> None:
    with serving(answering(response(b""))) as peer:
        app = register(backchannel_logout_uri=peer.url("/logout")).sign_in(browser)
        browser.open("authsvc-sign-out").submit("authsvc-sign-out")
        good = Delivery.objects.get(kind="logout")
        for change in ({"payload": "{}"}, {"kind": "later"}):
            values = {"kind": "logout", "payload": good.payload, "event_type": "backchannel_logout", **change}
            Delivery.objects.create(
                event_id=good.event_id, created_at=good.created_at, next_attempt_at=good.created_at, **values
            )
        deliver()

    assert app.client_id in good.payload
    bad = Delivery.objects.exclude(pk=good.pk)
    assert [(row.status, row.error) for row in bad] == [("pending", "The request could not be made, see the log.")] * 2
    good.refresh_from_db()
    assert (good.status, len(peer.received)) == ("delivered", 1)


def test_no_logout_token_goes_into_the_own_network(browser: Browser, settings: Settings) -> None:
    app = register().sign_in(browser)
    app.client.backchannel_logout_uri = "http://127.0.0.1:1/logout"
    app.client.save()

    browser.open("authsvc-sign-out").submit("authsvc-sign-out")
    deliver()

    assert Delivery.objects.get(kind="logout").error.startswith("Refused: ")


@pytest.mark.parametrize(
    "uri",
    [
        "http://app.example.com/x",
        "https://a@app.example.com/x",
        "https://app.example.com/#x",
        "ftp://x/",
        "x",
        "https://ä/",
    ],
)
def test_an_address_that_cannot_get_logout_tokens_is_refused(uri: str) -> None:
    with pytest.raises(CommandError):
        command(
            "clients", "create", "App", "--redirect-uri", "https://app.example.com/x", "--backchannel-logout-uri", uri
        )
