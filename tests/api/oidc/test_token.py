"""The token endpoint: codes, refreshes, and what a client cannot do with them."""

from pathlib import Path
from typing import Any

import jwt as pyjwt
import pytest
from django.conf import settings as django_settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from core.db.deployment import STANDALONE_USER
from events.models import Event
from oidc.endpoint import VALUE_MAX
from oidc.models import Code, Grant
from sessions_app.models import Family
from tests.applications import REDIRECT_URI, VERIFIER, Application, answer_in, register
from tests.client import Api
from tests.pages import Browser, signed_in
from tests.people import Person, existing


def test_a_code_becomes_the_tokens_of_a_session(alice: Person, browser: Browser) -> None:
    app = register()

    reply = app.redeem(app.code(browser))

    tokens = reply.body
    assert reply.status == 200
    assert set(tokens) == {"access_token", "token_type", "expires_in", "refresh_token", "scope", "id_token"}
    assert (tokens["token_type"], tokens["expires_in"], tokens["scope"]) == ("Bearer", 900, "openid email")
    keys = pyjwt.PyJWKSet.from_dict(Api().get("/.well-known/jwks.json").body)
    issuer = "http://localhost:8000"
    family = Family.objects.get(pk=Grant.objects.get().browser_id)
    login = {"auth_time": int(family.authenticated_at.timestamp()), "amr": ["pwd"], "acr": "aal1"}
    id_token = pyjwt.decode(tokens["id_token"], keys.keys[0], ["ES256"], audience=app.client_id, issuer=issuer)
    times = {name: id_token[name] for name in ("iat", "exp")}
    about = {"iss": issuer, "sub": alice.user_id, "aud": app.client_id, "sid": str(Grant.objects.get().pk)}
    assert id_token == {**about, "nonce": "n-0S6", **login, **times}
    audience = f"{issuer}/oauth2/userinfo"
    access = pyjwt.decode(tokens["access_token"], keys.keys[0], ["ES256"], audience=audience, issuer=issuer)
    assert pyjwt.get_unverified_header(tokens["access_token"])["typ"] == "at+jwt"
    jti = str(Grant.objects.get().family.current_token_id)
    assert access == {
        "iss": issuer,
        "sub": alice.user_id,
        "aud": audience,
        "jti": jti,
        "client_id": app.client_id,
        "scope": "openid email",
        **login,
        **times,
    }


def test_an_application_can_demand_id_tokens_by_rs256(browser: Browser, settings: Settings, tmp_path: Path) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "SIGNING_KEYS_FILE": str(tmp_path / "keys.json")}
    browser = signed_in(existing("bob"))
    other = register().sign_in(browser)
    assert [key["alg"] for key in Api().get("/.well-known/jwks.json").body["keys"]] == ["ES256"]

    app = register(id_token_algorithm="RS256").sign_in(browser)

    document = Api().get("/.well-known/jwks.json").body
    keys = {key["alg"]: pyjwt.PyJWK(key) for key in document["keys"]}
    assert set(keys) == {"ES256", "RS256"}
    assert not {"d", "p", "q"} & {name for key in document["keys"] for name in key}
    for _ in range(2):
        headers = [pyjwt.get_unverified_header(app.tokens[kind])["alg"] for kind in ("id_token", "access_token")]
        assert headers == ["RS256", "ES256"]
        assert pyjwt.decode(app.tokens["id_token"], keys["RS256"], ["RS256"], audience=app.client_id)["sid"]
        assert app.userinfo().body["sub"] == app.id_claims()["sub"]
        app.refresh()
    other.refresh()
    assert pyjwt.get_unverified_header(other.tokens["id_token"])["alg"] == "ES256"
    hint = app.tokens["id_token"]
    assert "code" in answer_in(app.authorize(browser, prompt="none", id_token_hint=hint))


def test_a_refresh_rotates_and_a_reuse_ends_the_session(alice: Person, browser: Browser) -> None:
    app = register().sign_in(browser)
    first, subject = app.tokens["refresh_token"], app.id_claims()

    assert app.refresh().status == 200
    assert {**app.id_claims(), "iat": 0, "exp": 0} == {
        **{name: value for name, value in subject.items() if name != "nonce"},
        "iat": 0,
        "exp": 0,
    }
    assert app.userinfo().body["sub"] == alice.user_id
    reuse = app.token("refresh_token", refresh_token=first)

    assert (reuse.status, reuse.body["error"]) == (400, "invalid_grant")
    assert app.refresh().body["error"] == "invalid_grant"
    assert app.userinfo().status == 401
    assert Event.objects.filter(type="token_reuse_detected", user_id=alice.user_id).count() == 1
    assert browser.is_signed_in()


def test_a_refresh_can_be_repeated_with_its_key(browser: Browser) -> None:
    app = register().sign_in(browser)
    form = {"grant_type": "refresh_token", "refresh_token": app.tokens["refresh_token"]}
    key = {"Idempotency-Key": "x3F8sPlC0mZ7QHkWnVbR2g"}
    proof = {"client_id": app.client_id, "client_secret": app.secret}

    lost, kept = (app.post("token", {**form, **proof}, headers=key) for _ in range(2))

    assert (lost.status, kept.status) == (200, 200)
    app.tokens = kept.body
    assert app.refresh().status == 200
    short = app.post("token", {**form, **proof}, headers={"Idempotency-Key": "short"})
    assert (short.status, short.body["error"]) == (400, "invalid_request")


@pytest.mark.skipif(django_settings.AUTH_USER_MODEL != STANDALONE_USER, reason="a site's user is checked first")
def test_a_usual_refresh_takes_the_statements_of_a_session(alice: Person, browser: Browser) -> None:
    app = register().sign_in(browser)
    public = register(is_public=True, redirect_uri="https://spa.example.com/").sign_in(browser)
    books = register(name="Books", resources=["https://a.example", "https://b.example"])
    books.sign_in(browser, resource="https://b.example")
    session = alice.log_in()

    with CaptureQueriesContext(connection) as usual:
        session.refreshed()
    for one in (app, public):
        with CaptureQueriesContext(connection) as taken:
            assert one.refresh().status == 200
        assert len(taken) == len(usual)
        assert (one.tokens["scope"], one.id_claims()["aud"]) == ("openid email", one.client_id)
        assert one.userinfo().status == 200
    with CaptureQueriesContext(connection) as taken:
        assert books.refresh().status == 200
    assert len(taken) == len(usual)
    assert books.post("introspect", {"token": books.tokens["access_token"]}).body["aud"] == "https://b.example"


def test_a_refused_authentication_spends_no_refresh_token(browser: Browser) -> None:
    app, other = register().sign_in(browser), register(name="Other")
    public = register(is_public=True, redirect_uri="https://spa.example.com/").sign_in(browser)
    wrong: list[tuple[Application, dict[str, str | None]]] = [
        (app, {"client_secret": app.secret + "0"}),
        (app, {"client_secret": other.secret}),
        (app, {"client_secret": None}),
        (app, {"client_id": other.client_id}),
        (app, {"client_id": public.client_id}),
        (app, {"client_id": "x"}),
        (public, {"client_secret": other.secret}),
    ]

    replies = [one.refresh(**form) for one, form in wrong]

    assert [(reply.status, reply.body["error"]) for reply in replies] == [(401, "invalid_client")] * len(wrong)
    assert (app.refresh().status, public.refresh().status) == (200, 200)


def test_a_refresh_narrows_the_scopes_of_the_access_token_and_never_widens_them(browser: Browser) -> None:
    app = register().sign_in(browser, scope="openid email")

    wider = app.refresh(scope="openid email profile")
    narrower = app.refresh(scope="openid")
    claims = app.userinfo().body
    again = app.refresh()

    assert (wider.status, wider.body["error"]) == (400, "invalid_scope")
    assert narrower.body["scope"] == "openid"
    assert set(claims) == {"sub"}
    assert again.body["scope"] == "openid email"


def test_a_replayed_code_ends_the_session_that_it_opened(alice: Person, browser: Browser) -> None:
    app = register()
    code = app.code(browser)
    app.tokens = app.redeem(code).body

    injected = app.redeem(code, code_verifier="A" * 43)
    still = app.userinfo().status
    replay = app.redeem(code)

    assert (injected.body["error"], still) == ("invalid_grant", 200)
    assert (replay.status, replay.body["error"]) == (400, "invalid_grant")
    assert app.userinfo().status == 401
    assert app.refresh().body["error"] == "invalid_grant"
    assert Event.objects.get(type="token_reuse_detected").metadata == {"client_id": app.client_id}


@pytest.mark.parametrize(
    "change",
    [
        {"code_verifier": None},
        {"code_verifier": "short"},
        {"code_verifier": VERIFIER[:-1] + "j"},
        {"redirect_uri": REDIRECT_URI + "/"},
        {"code": "oac_" + "A" * 43},
        {"code": "nonsense"},
    ],
)
def test_a_code_needs_its_verifier_and_its_redirect_uri(browser: Browser, change: dict[str, str | None]) -> None:
    app = register()
    code = app.code(browser)

    refused = app.redeem(**{"code": code, **change})  # type: ignore[arg-type]  # the form permits a missing value

    assert (refused.status, refused.body["error"]) == (400, "invalid_grant")
    assert app.redeem(code).status == 200


def test_a_verifier_without_a_challenge_is_refused(browser: Browser) -> None:
    app = register(needs_pkce=False)
    code = app.code(browser, code_challenge=None, code_challenge_method=None)

    downgraded = app.redeem(code)

    assert downgraded.body["error"] == "invalid_grant"
    assert app.redeem(code, code_verifier=None).status == 200


def test_codes_and_refresh_tokens_belong_to_one_client(browser: Browser) -> None:
    app, other = register().sign_in(browser), register(name="Other")
    code = app.code(browser)

    stolen_code = other.redeem(code)
    stolen_token = other.token("refresh_token", refresh_token=app.tokens["refresh_token"])
    revoked = other.post("revoke", {"token": app.tokens["refresh_token"]})

    assert stolen_code.body["error"] == stolen_token.body["error"] == "invalid_grant"
    assert revoked.status == 200
    assert app.refresh().status == 200
    assert app.redeem(code).status == 200


def test_each_route_refreshes_its_own_kind_of_tokens(alice: Person, browser: Browser) -> None:
    app, session = register().sign_in(browser), alice.log_in()
    token = app.tokens["refresh_token"]

    for text in (token, token.replace("ort_", "srt_")):
        answer = alice.api.post("/v1/refresh", {"refresh_token": text})
        assert (answer.status, answer.code) == (401, "invalid_token")
    for text in (session.refresh, session.refresh.replace("srt_", "ort_")):
        assert app.token("refresh_token", refresh_token=text).body["error"] == "invalid_grant"

    assert session.is_live()
    assert app.refresh().status == 200


def end_session(alice: Person, browser: Browser) -> None:
    browser.open("authsvc-sign-out").submit("authsvc-sign-out")


def change_password(alice: Person, browser: Browser) -> None:
    body = {"current_password": alice.password, "new_password": "another long enough one"}
    assert alice.api.post("/v1/change-password", body, token=alice.log_in().access).status == 200


def let_expire(alice: Person, browser: Browser) -> None:
    Code.objects.update(expires_at="2020-01-01T00:00:00Z")


@pytest.mark.parametrize("act", [end_session, change_password, let_expire])
def test_a_code_lives_as_long_as_the_session_and_the_credentials(alice: Person, browser: Browser, act: Any) -> None:
    app = register()
    code = app.code(browser)
    act(alice, browser)

    late = app.redeem(code)

    assert (late.status, late.body["error"]) == (400, "invalid_grant")
    assert not Grant.objects.exists()


def test_the_endpoint_refuses_what_it_does_not_know(browser: Browser) -> None:
    app = register()

    def error(**form: str | None) -> tuple[int, str]:
        reply = app.post("token", form)
        return reply.status, reply.body["error"]

    assert error() == (400, "invalid_request")
    assert error(grant_type="password") == (400, "unsupported_grant_type")
    assert error(grant_type="authorization_code") == (400, "invalid_request")
    assert error(grant_type="refresh_token") == (400, "invalid_request")
    twice = app.call("POST", "token", b"grant_type=refresh_token&grant_type=refresh_token", headers={})
    assert (twice.status, twice.body["error"]) == (400, "invalid_request")
    for code in ("\0", "x" * (VALUE_MAX + 1)):
        reply = app.post("token", {"grant_type": "authorization_code", "code": code})
        assert (reply.status, reply.body["error_description"]) == (400, "The value of code is not valid.")
    assert app.call("GET", "token", headers={}).status == 405
