"""The authentication of clients at the endpoints."""

import base64
import hmac
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import jwt as pyjwt
import pytest
import time_machine
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from joserfc.jwk import ECKey, RSAKey

from core.clock import now
from oidc.clients.authentication import ASSERTION_TYPE
from oidc.clients.keys import read_key_set
from oidc.clients.registration import OVERLAP, rotate_secret
from tests.applications import VERIFIER, Application, Reply, register
from tests.pages import Browser

EC_KEY, OTHER_KEY = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
ISSUER = "http://localhost:8000"


def public_jwk(key: Any, *, kid: str) -> dict[str, Any]:
    """Return the public JWK of the key."""
    kind = ECKey if isinstance(key, ec.EllipticCurvePrivateKey) else RSAKey
    return {**kind.import_key(key.public_key()).as_dict(private=False), "kid": kid}


KEYS = read_key_set(json.dumps({"keys": [public_jwk(EC_KEY, kid="one"), public_jwk(RSA_KEY, kid="two")]}))


@pytest.fixture
def signing(browser: Browser) -> Application:
    """A client that signs."""
    return register(jwks=KEYS)


def basic(client_id: str, secret: str) -> dict[str, str]:
    """Return the header of HTTP Basic."""
    return {"Authorization": "Basic " + base64.b64encode(f"{client_id}:{secret}".encode()).decode()}


def redeem(app: Application, code: str, proof: dict[str, str | None], headers: dict[str, str] | None = None) -> Reply:
    """Redeem the code with this proof of the client alone."""
    form = {"grant_type": "authorization_code", "code": code, "code_verifier": VERIFIER}
    given = {"redirect_uri": app.redirect_uri, "client_id": None, "client_secret": None, **proof}
    return app.post("token", {**form, **given}, headers=headers)


def test_a_secret_comes_by_basic_or_in_the_body(browser: Browser) -> None:
    app = register()

    assert redeem(app, app.code(browser), {}, basic(app.client_id, app.secret)).status == 200
    in_body: dict[str, str | None] = {"client_id": app.client_id, "client_secret": app.secret}
    assert redeem(app, app.code(browser), in_body).status == 200


def test_a_client_cannot_do_with_less_than_its_proof(browser: Browser) -> None:
    app, public = register(), register(is_public=True, redirect_uri="https://spa.example.com/")
    code = app.code(browser)
    wrong: list[tuple[dict[str, str | None], dict[str, str] | None]] = [
        ({"client_id": app.client_id}, None),
        ({"client_id": app.client_id, "client_secret": app.secret + "x"}, None),
        ({"client_id": app.client_id, "client_secret": ""}, None),
        ({"client_id": public.client_id, "client_secret": app.secret}, None),
        ({}, basic(app.client_id, "")),
        ({}, basic(public.client_id, "")),
        ({}, basic("nobody", app.secret)),
        ({}, {"Authorization": "Basic !!!"}),
        ({}, {"Authorization": f"Bearer {app.secret}"}),
        ({}, None),
    ]

    for proof, headers in wrong:
        refused = redeem(app, code, proof, headers)
        assert (refused.status, refused.body["error"]) == (401, "invalid_client"), proof
        assert refused.headers["WWW-Authenticate"].startswith("Basic")

    both = redeem(
        app, code, {"client_id": app.client_id, "client_secret": app.secret}, basic(app.client_id, app.secret)
    )
    assert (both.status, both.body["error"]) == (400, "invalid_request")
    mixed = redeem(app, code, {"client_id": public.client_id}, basic(app.client_id, app.secret))
    assert (mixed.status, mixed.body["error"]) == (400, "invalid_request")
    assert app.redeem(code).status == 200
    assert public.redeem(public.code(browser)).status == 200


def test_a_former_secret_works_for_a_day(browser: Browser) -> None:
    app = register()
    former = app.secret

    app.secret = rotate_secret(client=app.client, is_overlapping=True, now=now())
    assert app.sign_in(browser).tokens
    app.secret, new = former, app.secret
    assert app.refresh().status == 200
    with time_machine.travel(now() + OVERLAP):
        assert app.refresh().body["error"] == "invalid_client"
    app.secret = new
    app.secret = rotate_secret(client=app.client, is_overlapping=False, now=now())
    assert app.refresh().status == 200
    app.secret = new
    assert app.refresh().body["error"] == "invalid_client"


def assertion(app: Application, *, key: Any = EC_KEY, header: dict[str, Any] | None = None, **changed: Any) -> str:
    """Return a signed assertion. None leaves a claim out."""
    usual = {
        "iss": app.client_id,
        "sub": app.client_id,
        "aud": ISSUER,
        "jti": str(now().timestamp()),
        "iat": int(now().timestamp()),
        "exp": int(now().timestamp()) + 60,
    }
    claims = {name: value for name, value in {**usual, **changed}.items() if value is not None}
    given = {"alg": "ES256", "kid": "one", **(header or {})}
    return pyjwt.encode(claims, key, algorithm=given.pop("alg"), headers=given)


def signed_by_secret(app: Application, secret: str) -> str:
    """Return an assertion whose signature is an HMAC. PyJWT refuses to make it with a public key."""
    header = base64.urlsafe_b64encode(b'{"alg":"HS256","kid":"one"}').rstrip(b"=").decode()
    signed = f"{header}.{assertion(app).split('.')[1]}"
    signature = hmac.digest(secret.encode(), signed.encode(), "sha256")
    return f"{signed}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def by(raw: str, **more: str) -> dict[str, str | None]:
    """Return the parameters of the assertion."""
    return {"client_assertion_type": ASSERTION_TYPE, "client_assertion": raw, **more}


def test_a_signed_assertion_works_once(browser: Browser, signing: Application) -> None:
    raw = assertion(signing, jti="one")

    assert redeem(signing, signing.code(browser), by(raw)).status == 200
    replay = redeem(signing, signing.code(browser), by(raw))
    assert (replay.status, replay.body["error"]) == (401, "invalid_client")
    assert "used before" in replay.body["error_description"]
    rs = assertion(signing, key=RSA_KEY, header={"alg": "PS256", "kid": "two"}, aud=f"{ISSUER}/oauth2/token")
    assert redeem(signing, signing.code(browser), by(rs, client_id=signing.client_id)).status == 200


FORGERIES: dict[str, Callable[[Application], str]] = {
    "another key": lambda app: assertion(app, key=OTHER_KEY),
    "an unknown kid": lambda app: assertion(app, header={"kid": "three"}),
    "the kid of another key": lambda app: assertion(app, header={"kid": "two"}),
    "a kid that is no text": lambda app: assertion(app, header={"kid": "../../one"}),
    "no signature": lambda app: pyjwt.encode({"sub": app.client_id}, "", algorithm="none"),
    "the public key as a secret": lambda app: signed_by_secret(app, json.dumps(KEYS["keys"][0])),
    "its own key in the header": lambda app: assertion(
        app, key=OTHER_KEY, header={"jwk": public_jwk(OTHER_KEY, kid="one")}
    ),
    "an unknown critical header": lambda app: assertion(app, header={"crit": ["x"], "x": 1}),
    "another issuer": lambda app: assertion(app, iss="eve"),
    "another audience": lambda app: assertion(app, aud="https://eve.example"),
    "two audiences": lambda app: assertion(app, aud=[ISSUER, "https://eve.example"]),
    "no audience": lambda app: assertion(app, aud=None),
    "an empty list of audiences": lambda app: assertion(app, aud=[]),
    "no end": lambda app: assertion(app, exp=None),
    "its end passed": lambda app: assertion(app, exp=int(now().timestamp()) - 1),
    "a late end": lambda app: assertion(app, exp=int(now().timestamp()) + 7200),
    "a text as its end": lambda app: assertion(app, exp="soon", jti="x"),
    "a later beginning": lambda app: assertion(app, nbf=int(now().timestamp()) + 60),
    "a later issue": lambda app: assertion(app, iat=int(now().timestamp()) + 60),
    "no jti": lambda app: assertion(app, jti=None),
    "nonsense": lambda _: "a.b.c",
    "text beyond ASCII": lambda _: "ä.ä.ä",
    "claims that are no object": lambda _: "eyJhbGciOiJFUzI1NiJ9.W10.AAAA",
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_assertion_is_refused(browser: Browser, signing: Application, name: str) -> None:
    raw = FORGERIES[name](signing)

    refused = redeem(signing, signing.code(browser), by(raw))

    assert (refused.status, refused.body["error"]) == (401, "invalid_client")


def test_a_client_that_pushes_states_the_issuer_alone() -> None:
    app = register(jwks=KEYS, needs_par=True)

    for audience in ([ISSUER], f"{ISSUER}/oauth2/token", f"{ISSUER}/oauth2/par"):
        refused = app.post("par", {**app.request(), **by(assertion(app, aud=audience))})
        assert (refused.status, refused.body["error"]) == (401, "invalid_client")
    assert app.post("par", {**app.request(), **by(assertion(app))}).status == 201


def test_an_assertion_proves_its_own_client_alone(browser: Browser, signing: Application) -> None:
    other, secret = register(jwks=KEYS), register()
    code = signing.code(browser)

    named = redeem(signing, code, by(assertion(signing), client_id=other.client_id))
    other_client = redeem(signing, code, by(assertion(other)))
    no_keys = redeem(signing, code, by(assertion(secret)))
    with_secret = redeem(signing, code, {"client_id": signing.client_id, "client_secret": "x"})
    no_proof = redeem(signing, code, {"client_id": signing.client_id})
    other_type = redeem(signing, code, {**by(assertion(signing)), "client_assertion_type": "x"})

    refusals = [named, no_keys, with_secret, no_proof, other_type]
    assert [one.body["error"] for one in refusals] == ["invalid_client"] * 5
    assert other_client.body["error"] == "invalid_grant"
    with time_machine.travel(now() + timedelta(seconds=1)):
        assert redeem(signing, code, by(assertion(signing))).status == 200
