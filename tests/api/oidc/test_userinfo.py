"""Userinfo, revocation and introspection: which tokens they take."""

import base64
import json
from datetime import timedelta

import pytest
import time_machine

from accounts.models import Account
from core.clock import now
from oidc.scopes import PROFILE_CLAIMS
from tests.applications import Application, register
from tests.pages import Browser
from tests.people import Person


@pytest.fixture
def app(browser: Browser) -> Application:
    """An application with a session of alice."""
    return register().sign_in(browser, scope="openid email profile")


def test_userinfo_answers_what_the_scopes_permit(alice: Person, app: Application) -> None:
    metadata = {**{name: f"the {name}" for name in PROFILE_CLAIMS}, "role_at_work": "spy", "gender": 7}
    Account.objects.update(metadata=metadata, email_proven_at=now())

    claims = app.userinfo().body

    updated_at = int(Account.objects.get().updated_at.timestamp())
    assert claims == {
        **{name: f"the {name}" for name in PROFILE_CLAIMS if name != "gender"},
        "sub": alice.user_id,
        "email": alice.email,
        "email_verified": True,
        "updated_at": updated_at,
    }
    assert claims["sub"] == app.id_claims()["sub"]


def test_the_token_can_be_in_the_header_or_in_the_form(app: Application) -> None:
    token = app.tokens["access_token"]
    header = {"Authorization": f"Bearer {token}"}

    assert app.call("POST", "userinfo", headers=header).status == 200
    assert app.call("POST", "userinfo", f"access_token={token}".encode(), headers={}).status == 200
    both = app.call("POST", "userinfo", f"access_token={token}".encode(), headers=header)
    none = app.call("GET", "userinfo", headers={})
    in_query = app.call("GET", f"userinfo?access_token={token}", headers={})

    assert (both.status, both.body["error"]) == (400, "invalid_request")
    assert (none.status, none.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert in_query.status == 401


def test_no_other_token_opens_userinfo(alice: Person, app: Application) -> None:
    session = alice.log_in()
    header, claims, signature = app.tokens["access_token"].split(".")
    unsigned = base64.urlsafe_b64encode(json.dumps({"alg": "none", "typ": "at+jwt"}).encode()).rstrip(b"=").decode()
    others = [session.access, session.refresh, app.tokens["id_token"], app.tokens["refresh_token"], app.secret]
    others += [f"{header}.{claims}.{signature[:-4]}AAAA", f"{unsigned}.{claims}.", "x", "a.b.c", "x" * 17_000]

    for token in others:
        refused = app.userinfo(token)
        assert (refused.status, refused.body["error"]) == (401, "invalid_token")
        assert refused.headers["WWW-Authenticate"] == 'Bearer error="invalid_token"'
    with time_machine.travel(now() + timedelta(seconds=901)):
        assert app.userinfo().status == 401
    assert app.userinfo().status == 200


def test_a_token_without_openid_gets_no_claims(browser: Browser) -> None:
    app = register().sign_in(browser, scope="email", nonce=None)

    refused = app.userinfo()

    assert (refused.status, refused.body["error"]) == (403, "insufficient_scope")
    assert "id_token" not in app.tokens


def test_a_client_ends_its_own_session(alice: Person, browser: Browser, app: Application) -> None:
    other = register(name="Other").sign_in(browser)
    assert other.post("revoke", {"token": app.tokens["access_token"]}).status == 200
    assert app.userinfo().status == 200

    for token in ("x", app.tokens["id_token"], app.tokens["access_token"], app.tokens["access_token"]):
        assert app.post("revoke", {"token": token, "token_type_hint": "refresh_token"}).status == 200

    assert app.userinfo().status == 401
    assert app.refresh().body["error"] == "invalid_grant"
    app.sign_in(browser)
    assert app.post("revoke", {"token": app.tokens["refresh_token"]}).status == 200
    assert app.refresh().body["error"] == "invalid_grant"
    assert app.post("revoke", {}).body["error"] == "invalid_request"
    assert app.post("revoke", {"token": "x", "client_secret": "wrong"}).status == 401
    assert other.userinfo().status == 200
    assert browser.is_signed_in()


def test_introspection_tells_a_client_about_its_own_tokens(alice: Person, browser: Browser, app: Application) -> None:
    other = register(name="Other")
    public = register(is_public=True, redirect_uri="https://spa.example.com/")

    access = app.post("introspect", {"token": app.tokens["access_token"]}).body
    refresh = app.post("introspect", {"token": app.tokens["refresh_token"]}).body
    former = app.tokens["refresh_token"]
    app.refresh()
    inactive = [former, app.tokens["id_token"], alice.log_in().access, "x"]

    assert (access["active"], access["sub"], access["client_id"]) == (True, alice.user_id, app.client_id)
    assert access["scope"] == refresh["scope"] == "openid profile email"
    assert refresh["active"] is True
    assert all(app.post("introspect", {"token": token}).body == {"active": False} for token in inactive)
    assert other.post("introspect", {"token": app.tokens["access_token"]}).body == {"active": False}
    refused = public.post("introspect", {"token": "x"})
    assert (refused.status, refused.body["error"]) == (401, "invalid_client")
    app.post("revoke", {"token": app.tokens["refresh_token"]})
    for kind in ("access_token", "refresh_token"):
        assert app.post("introspect", {"token": app.tokens[kind]}).body == {"active": False}
