"""Tokens that are bound to a key of the client (DPoP, RFC 9449)."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import jwt as pyjwt
import pytest
import time_machine
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from core.clock import now
from core.http.proof_stores import MEMORY
from core.keys.dpop import NONCE_SECONDS
from oidc.models import Code, Grant
from sessions_app.families.used_proofs import prunable_proofs
from sessions_app.models import UsedProof
from tests.applications import Application, answer_in, register
from tests.pages import Browser
from tests.proofs import Prover, encode, signed_by_secret

TOKEN, USERINFO, PAR = "/oauth2/token", "/oauth2/userinfo", "/oauth2/par"
RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


@pytest.fixture
def app() -> Application:
    """A public client with a key."""
    made = register(is_public=True, redirect_uri="https://spa.example.com/")
    made.prover = Prover()
    return made


def claims_of(token: str) -> dict[str, Any]:
    """Return the claims of a JWT."""
    claims: dict[str, Any] = pyjwt.decode(token, options={"verify_signature": False})
    return claims


def get_userinfo(app: Application, headers: dict[str, str]) -> tuple[int, str, str]:
    """Return the status, the error and the challenge of userinfo."""
    reply = app.call("GET", "userinfo", headers=headers)
    return reply.status, reply.body.get("error", ""), reply.headers.get("WWW-Authenticate", "")


def test_tokens_work_with_the_key_alone(browser: Browser, app: Application) -> None:
    prover = app.prover or Prover()
    app.sign_in(browser)
    access, first = app.tokens["access_token"], app.tokens["refresh_token"]
    thief = replace(app, prover=Prover())
    careless = replace(app, prover=None)

    assert app.tokens["token_type"] == "DPoP"
    assert claims_of(access)["cnf"] == {"jkt": prover.thumbprint}
    assert app.userinfo().status == 200
    assert get_userinfo(app, {"Authorization": f"Bearer {access}"})[:2] == (401, "invalid_token")
    assert get_userinfo(app, {"Authorization": f"DPoP {access}"})[:2] == (401, "invalid_dpop_proof")
    status, error, challenge = get_userinfo(app, Prover().headers("GET", USERINFO, access=access))
    assert (status, error) == (401, "invalid_dpop_proof")
    assert challenge == 'DPoP error="invalid_dpop_proof", algs="ES256 PS256 EdDSA Ed25519"'
    for other in (thief, careless):
        refused = other.refresh()
        assert (refused.status, refused.body["error"]) == (400, "invalid_dpop_proof")
    assert app.refresh().status == 200
    assert app.tokens["refresh_token"] != first
    assert app.userinfo().status == 200
    assert not any(prover.thumbprint.encode() in bytes(row.digest) for row in UsedProof.objects.all())


def test_a_token_without_a_key_is_no_token_with_one(browser: Browser) -> None:
    app = register().sign_in(browser)

    reply = app.call("GET", "userinfo", headers=Prover().headers("GET", USERINFO, access=app.tokens["access_token"]))

    assert (reply.status, reply.body["error"]) == (401, "invalid_token")
    assert app.userinfo().status == 200


def test_a_client_that_authenticates_can_change_its_key(browser: Browser) -> None:
    app = register()
    app.prover = Prover()
    app.sign_in(browser)

    shown = app.post("introspect", {"token": app.tokens["access_token"]}).body
    assert (shown["token_type"], shown["cnf"]) == ("DPoP", {"jkt": app.prover.thumbprint})
    app.prover = Prover(key=ed25519.Ed25519PrivateKey.generate(), algorithm="EdDSA")
    assert app.refresh().status == 200
    assert claims_of(app.tokens["access_token"])["cnf"] == {"jkt": app.prover.thumbprint}
    assert app.userinfo().status == 200
    app.prover = Prover(key=RSA_KEY, algorithm="PS256")
    assert app.refresh().body["token_type"] == "DPoP"
    assert app.userinfo().status == 200
    app.prover = None
    assert app.refresh().body["token_type"] == "Bearer"
    assert app.userinfo().status == 200


def test_a_proof_needs_the_nonce_of_the_service(browser: Browser, app: Application) -> None:
    prover, code = app.prover or Prover(), app.code(browser)
    app.prover = None

    def redeem(**changed: Any) -> Any:
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": app.redirect_uri}
        verifier = {"code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"}
        return app.post("token", {**form, **verifier}, headers=prover.headers("POST", TOKEN, **changed))

    asked = redeem(nonce=None)
    assert (asked.status, asked.body["error"]) == (400, "use_dpop_nonce")
    for nonce in ("x", 1, asked.headers["DPoP-Nonce"] + "x"):
        assert redeem(nonce=nonce).body["error"] == "use_dpop_nonce"
    with time_machine.travel(now() + timedelta(seconds=3 * NONCE_SECONDS)):
        assert redeem(nonce=asked.headers["DPoP-Nonce"]).body["error"] == "use_dpop_nonce"
    assert not UsedProof.objects.exists()
    # The clock of the client does not matter, because the nonce shows when the proof was made.
    answer = redeem(nonce=asked.headers["DPoP-Nonce"], iat=1_000_000_000)
    assert (answer.status, answer.body["token_type"]) == (200, "DPoP")
    assert answer.headers["DPoP-Nonce"]
    status, error, challenge = get_userinfo(
        app, prover.headers("GET", USERINFO, access=answer.body["access_token"], nonce=None)
    )
    assert (status, error) == (401, "use_dpop_nonce")
    assert challenge.startswith('DPoP error="use_dpop_nonce"')


def test_a_proof_works_once(browser: Browser, app: Application) -> None:
    prover = app.prover or Prover()
    app.sign_in(browser)
    headers = prover.headers("GET", USERINFO, access=app.tokens["access_token"])

    assert get_userinfo(app, headers)[0] == 200
    assert get_userinfo(app, headers)[:2] == (401, "invalid_dpop_proof")
    assert not prunable_proofs(now()).exists()
    with time_machine.travel(now() + MEMORY + timedelta(seconds=1)):
        assert prunable_proofs(now()).count() == UsedProof.objects.count()
        assert get_userinfo(app, headers)[:2] == (401, "use_dpop_nonce")


OTHER, RSA_PROVER = Prover(), Prover(key=RSA_KEY, algorithm="PS256")
FORGERIES: dict[str, Callable[[Prover], str]] = {
    "another method": lambda one: one.proof("GET", TOKEN),
    "another address": lambda one: one.proof("POST", USERINFO),
    "another host": lambda one: one.proof("POST", TOKEN, htu=f"https://eve.example{TOKEN}"),
    "a relative address": lambda one: one.proof("POST", TOKEN, htu=TOKEN),
    "an address that is none": lambda one: one.proof("POST", TOKEN, htu="http://[x"),
    "no method": lambda one: one.proof("POST", TOKEN, htm=None),
    "no address": lambda one: one.proof("POST", TOKEN, htu=None),
    "no jti": lambda one: one.proof("POST", TOKEN, jti=None),
    "a jti that is a number": lambda one: one.proof("POST", TOKEN, jti=5),
    "a long jti": lambda one: one.proof("POST", TOKEN, jti="x" * 501),
    "no time": lambda one: one.proof("POST", TOKEN, iat=None),
    "another type": lambda one: one.proof("POST", TOKEN, header={"typ": "JWT"}),
    "no key": lambda one: one.proof("POST", TOKEN, header={"jwk": None}),
    "a key that is no object": lambda one: one.proof("POST", TOKEN, header={"jwk": "x"}),
    "a key of another": lambda one: one.proof("POST", TOKEN, header={"jwk": OTHER.jwk}),
    "a kid in place of the key": lambda one: one.proof("POST", TOKEN, header={"jwk": None, "kid": "one"}),
    "a private key": lambda one: one.proof("POST", TOKEN, header={"jwk": {**one.jwk, "d": "AAAA"}}),
    "a secret as its key": lambda one: one.proof("POST", TOKEN, header={"jwk": {"kty": "oct", "k": "c2VjcmV0"}}),
    "the public key as a secret": lambda one: signed_by_secret(one, json.dumps(one.jwk)),
    "no algorithm": lambda one: _with_header(one, {"alg": "none", "typ": "dpop+jwt", "jwk": one.jwk}),
    "an algorithm of another kind of key": lambda one: _with_header(
        one, {"alg": "PS256", "typ": "dpop+jwt", "jwk": one.jwk}
    ),
    "RS256": lambda _: Prover(key=RSA_KEY, algorithm="RS256").proof("POST", TOKEN),
    "a short RSA key": lambda _: RSA_PROVER.proof(
        "POST", TOKEN, header={"jwk": {**RSA_PROVER.jwk, "n": RSA_PROVER.jwk["n"][:171]}}
    ),
    "a large exponent": lambda _: RSA_PROVER.proof("POST", TOKEN, header={"jwk": {**RSA_PROVER.jwk, "e": "A" * 300}}),
    "another curve": lambda _: Prover(key=ec.generate_private_key(ec.SECP384R1())).proof(
        "POST", TOKEN, header={"alg": "ES384"}
    ),
    "a critical extension": lambda one: one.proof("POST", TOKEN, header={"crit": ["x"], "x": 1}),
    "two proofs": lambda one: f"{one.proof('POST', TOKEN)},{one.proof('POST', TOKEN)}",
    "a cut signature": lambda one: one.proof("POST", TOKEN)[:-8] + "AAAAAAAA",
    "a long proof": lambda one: one.proof("POST", TOKEN, extra="x" * 6_000),
    "nonsense": lambda _: "a.b.c",
    "nothing": lambda _: "",
}


def _with_header(prover: Prover, header: dict[str, Any]) -> str:
    _, claims, signature = prover.proof("POST", TOKEN).split(".")
    return f"{encode(json.dumps(header).encode())}.{claims}.{signature}"


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_proof_is_refused(browser: Browser, app: Application, name: str) -> None:
    prover = app.prover or Prover()
    app.sign_in(browser)
    form = {"grant_type": "refresh_token", "refresh_token": app.tokens["refresh_token"]}

    refused = app.post("token", form, headers={"DPoP": FORGERIES[name](prover)})

    assert (refused.status, refused.body["error"]) == (400, "invalid_dpop_proof")
    assert app.refresh().status == 200


def test_the_address_of_a_proof_is_compared_in_its_normal_form(browser: Browser, app: Application) -> None:
    prover = app.prover or Prover()
    app.sign_in(browser)

    for address in (f"HTTP://LOCALHOST:8000{USERINFO}", f"http://localhost:8000{USERINFO}?a=1#b"):
        headers = prover.headers("GET", USERINFO, access=app.tokens["access_token"], htu=address)
        assert get_userinfo(app, headers)[0] == 200
    for ath in (None, "x", encode(b"x" * 32)):
        headers = prover.headers("GET", USERINFO, access=app.tokens["access_token"], ath=ath)
        assert get_userinfo(app, headers)[:2] == (401, "invalid_dpop_proof")


def test_a_refresh_with_a_proof_can_be_repeated_until_its_answer_is_used(browser: Browser, app: Application) -> None:
    app.sign_in(browser)
    first, prover = app.tokens["refresh_token"], app.prover

    assert app.refresh().status == 200
    lost = app.tokens["refresh_token"]
    assert app.refresh(refresh_token=first).status == 200
    app.prover = Prover()
    assert app.refresh(refresh_token=first).body["error"] == "invalid_dpop_proof"
    app.prover = prover
    assert app.refresh().status == 200
    assert lost != app.tokens["refresh_token"]
    assert app.refresh(refresh_token=first).body["error"] == "invalid_grant"
    assert app.refresh().body["error"] == "invalid_grant"


def test_a_client_that_authenticates_repeats_a_refresh_with_another_key(browser: Browser) -> None:
    app = register()
    app.prover = Prover()
    first = app.sign_in(browser).tokens["refresh_token"]

    assert app.refresh().status == 200
    app.prover = Prover()
    assert app.refresh(refresh_token=first).status == 200
    app.prover = None
    assert app.refresh(refresh_token=first).body["error"] == "invalid_grant"


def test_a_code_can_be_bound_to_a_key(browser: Browser) -> None:
    app = register()
    prover = Prover()
    by_parameter = app.code(browser, dpop_jkt=prover.thumbprint)

    assert app.redeem(by_parameter).body["error"] == "invalid_dpop_proof"
    app.prover = Prover()
    assert app.redeem(by_parameter).body["error"] == "invalid_dpop_proof"
    assert app.push(dpop_jkt=prover.thumbprint).body["error"] == "invalid_dpop_proof"
    app.prover = prover
    assert app.redeem(by_parameter).status == 200
    app.visit(browser, app.push().body["request_uri"])
    by_push = answer_in(browser)["code"]
    assert Code.objects.get(consumed_at=None).key_thumbprint == prover.thumbprint
    app.prover = None
    assert app.redeem(by_push).body["error"] == "invalid_dpop_proof"
    app.prover = prover
    assert app.redeem(by_push).status == 200
    assert answer_in(app.authorize(browser, dpop_jkt="short"))["error"] == "invalid_request"


def test_a_pushed_request_can_name_the_key_without_a_proof(browser: Browser) -> None:
    app = register()
    prover = Prover()

    app.visit(browser, app.push(dpop_jkt=prover.thumbprint).body["request_uri"])

    code = answer_in(browser)["code"]
    assert app.redeem(code).body["error"] == "invalid_dpop_proof"
    app.prover = prover
    assert app.redeem(code).status == 200


def test_a_client_can_be_bound_to_prove_a_key(browser: Browser) -> None:
    app = register(needs_dpop=True)
    code = app.code(browser)

    assert app.redeem(code).body["error"] == "invalid_dpop_proof"
    assert not Grant.objects.exists()
    app.prover = Prover()
    app.tokens = app.redeem(code).body
    assert app.tokens["token_type"] == "DPoP"
    app.prover = None
    assert app.refresh().body["error"] == "invalid_dpop_proof"
