"""Issuers and callers that break the rules. Each test tries an attack that succeeded at other implementations."""

import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import timedelta
from hashlib import sha256
from time import monotonic
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from accounts.models import Account
from core.threads import PROVIDER_THREADS
from sessions_app.models import Family, Identity
from sessions_app.oauth import connection
from tests import issuers
from tests.client import Answer, Api
from tests.issuers import Asked, Issuer, at, complete, dripping, response, rsa_key, sign_in, start, user
from tests.patience import is_soon

# The checks come before the database.
pytestmark = pytest.mark.once

Configure = Callable[..., None]
Claims = Mapping[str, Any]

FAILED = (400, "oauth_failed")
UNAVAILABLE = (502, "oauth_unavailable")
DISCOVERY = "/.well-known/openid-configuration"


def outcome(answer: Answer) -> tuple[int, str]:
    assert not Account.objects.exists()
    assert not Identity.objects.exists()
    assert not Family.objects.exists()
    return answer.status, answer.code


def part(value: object) -> str:
    return urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def unsigned(claims: Claims) -> str:
    return f"{part({'alg': 'none', 'kid': 'key-1'})}.{part(claims)}."


def signed_by_the_public_key(claims: Claims) -> str:
    """Return an ID token with HS256 under the bytes of the RSA public key."""
    secret = rsa_key().public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    message = f"{part({'alg': 'HS256', 'kid': 'key-1'})}.{part(claims)}"
    return f"{message}.{urlsafe_b64encode(hmac.digest(secret, message.encode(), sha256)).decode().rstrip('=')}"


def signed_by_the_client_secret(claims: Claims) -> str:
    return jwt.encode(dict(claims), issuers.CLIENT_SECRET * 2, algorithm="HS256", headers={"kid": "key-1"})


def signed_by_another_key(claims: Claims) -> str:
    return jwt.encode(dict(claims), issuers.other_rsa_key(), algorithm="RS256", headers={"kid": "key-1"})


def with_its_own_key(claims: Claims) -> str:
    public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(issuers.other_rsa_key().public_key()))
    return jwt.encode(dict(claims), issuers.other_rsa_key(), algorithm="RS256", headers={"kid": "key-1", "jwk": public})


def signed_by_an_algorithm_of_no_metadata(claims: Claims) -> str:
    return jwt.encode(dict(claims), rsa_key(), algorithm="RS512", headers={"kid": "key-1"})


def with_an_unknown_key_id(claims: Claims) -> str:
    return jwt.encode(dict(claims), rsa_key(), algorithm="RS256", headers={"kid": "../key-1"})


def with_a_changed_claim(claims: Claims) -> str:
    header, _, signature = jwt.encode(dict(claims), rsa_key(), algorithm="RS256", headers={"kid": "key-1"}).split(".")
    return f"{header}.{part({**claims, 'sub': 'bob-at-acme'})}.{signature}"


def with_an_unknown_critical_header(claims: Claims) -> str:
    headers = {"kid": "key-1", "crit": ["b64x"], "b64x": False}
    return jwt.encode(dict(claims), rsa_key(), algorithm="RS256", headers=headers)


@pytest.mark.parametrize(
    "sign",
    [
        unsigned,
        signed_by_the_public_key,
        signed_by_the_client_secret,
        signed_by_another_key,
        with_its_own_key,
        signed_by_an_algorithm_of_no_metadata,
        with_an_unknown_key_id,
        with_a_changed_claim,
        with_an_unknown_critical_header,
        lambda _claims: "",
        lambda _claims: "a.b.c",
        lambda _claims: f"{part({'alg': 'RS256', 'kid': ['key-1']})}.{part([])}.",
        lambda claims: f"{part('alg')}.{part(claims)}.",
        lambda claims: f"{part({'alg': ['RS256']})}.{part(claims)}.",
        lambda claims: f"{part({'alg': 'RSA-OAEP', 'enc': 'A256GCM'})}.{part(claims)}.a.b.c",
        lambda _claims: None,
    ],
)
def test_an_id_token_needs_a_signature_by_a_key_of_the_issuer(
    api: Api, trusted: Issuer, sign: Callable[[Claims], str]
) -> None:
    trusted.sign = sign

    assert outcome(sign_in(api, trusted, user())) == FAILED


@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "another nonce"},
        {"nonce": None},
        {"aud": "another client"},
        {"aud": None},
        {"aud": []},
        {"aud": [issuers.CLIENT_ID, "another client"]},
        {"aud": [issuers.CLIENT_ID, "another client"], "azp": "another client"},
        {"azp": "another client"},
        {"iss": "https://accounts.google.com"},
        {"iss": None},
        {"sub": None},
        {"sub": 7},
        {"sub": "x" * 256},
        {"sub": "a\0b"},
        {"exp": timedelta(seconds=-120)},
        {"exp": None},
        {"exp": "never"},
        {"exp": True},
        {"iat": timedelta(seconds=-1000)},
        {"iat": timedelta(seconds=120)},
        {"iat": None},
    ],
    ids=str,
)
def test_each_claim_of_an_id_token_is_checked(api: Api, trusted: Issuer, claims: dict[str, Any]) -> None:
    trusted.claims = {
        name: at(value.total_seconds()) if isinstance(value, timedelta) else value for name, value in claims.items()
    }

    assert outcome(sign_in(api, trusted, user())) == FAILED


def test_several_audiences_are_accepted_with_the_client_as_authorized_party(api: Api, issuer: Issuer) -> None:
    issuer.claims = {"aud": [issuers.CLIENT_ID, "another client"], "azp": issuers.CLIENT_ID}

    assert sign_in(api, issuer, user()).status == 200


def weak_key(_asked: Asked) -> Mapping[str, Any]:
    key = rsa.generate_private_key(public_exponent=65537, key_size=1024)  # noqa: S505 - it must be refused
    return {"keys": [{**json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key())), "kid": "key-1"}]}


@pytest.mark.parametrize(
    ("path", "reply", "expected"),
    [
        (DISCOVERY, lambda _: response(b"", "302 Found", "Location: http://127.0.0.1:9/\r\n"), FAILED),
        (DISCOVERY, lambda _: response(b"", "404 Not Found"), FAILED),
        (DISCOVERY, lambda _: response(b"", "503 Service Unavailable"), UNAVAILABLE),
        (DISCOVERY, lambda _: response(b"[]"), FAILED),
        (DISCOVERY, lambda _: response(b"<html>"), FAILED),
        (DISCOVERY, lambda _: b"", UNAVAILABLE),
        ("/jwks", lambda _: response(b" " * 10_000_000), FAILED),
        ("/jwks", lambda _: response(b'{"keys": {}}'), FAILED),
        (
            "/jwks",
            lambda _: response(b'{"keys": [1, {"kid": "key-1"}, {"kid": "key-1", "kty": "oct", "k": "AA"}]}'),
            FAILED,
        ),
        ("/jwks", weak_key, FAILED),
        ("/jwks", lambda _: response(b"", "500 Internal Server Error"), UNAVAILABLE),
        ("/token", lambda _: response(b'{"error": "access_denied"}'), FAILED),
        ("/token", lambda _: response(b'["id_token"]'), FAILED),
        ("/token", lambda _: response(b"{}"), FAILED),
        ("/token", lambda _: response(b'{"error": "slow down"}', "429 Too Many Requests"), UNAVAILABLE),
        ("/token", lambda _: response(b"", "307 Temporary Redirect", "Location: http://127.0.0.1:9/\r\n"), FAILED),
        ("/token", lambda _: b"SSH-2.0\r\n", UNAVAILABLE),
        ("/userinfo", lambda _: response(b'{"email": "alice@example.com", "email_verified": true}'), FAILED),
        ("/userinfo", lambda _: response(b"", "401 Unauthorized"), FAILED),
    ],
)
def test_an_answer_that_breaks_the_rules_ends_the_login(
    api: Api, trusted: Issuer, path: str, reply: issuers.Reply, expected: tuple[int, str]
) -> None:
    trusted.replies[path] = reply
    answer = api.post("/v1/oauth/acme/start", {"redirect_uri": issuers.REDIRECT_URI})
    if answer.status == 200:
        answer = complete(api, answer.data, trusted.approve(answer.data["authorize_url"], {"sub": "alice-at-acme"}))

    assert outcome(answer) == expected
    assert "text of the provider" not in str(answer.body)


@pytest.mark.parametrize(
    ("path", "step"), [(DISCOVERY, "discovery"), ("/jwks", "keys"), ("/token", "token"), ("/userinfo", "user")]
)
@pytest.mark.parametrize("status", ["404 Not Found", "503 Service Unavailable"])
def test_the_log_names_the_step_at_which_a_provider_failed(
    api: Api, trusted: Issuer, caplog: pytest.LogCaptureFixture, path: str, step: str, status: str
) -> None:
    trusted.replies[path] = lambda _: response(b"", status)
    answer = api.post("/v1/oauth/acme/start", {"redirect_uri": issuers.REDIRECT_URI})
    if answer.status == 200:
        complete(api, answer.data, trusted.approve(answer.data["authorize_url"], {"sub": "alice-at-acme"}))

    assert logged(caplog) == [("acme", step, f"status {status[:3]}")]


def test_the_log_names_the_step_of_an_answer_that_fails_a_check(
    api: Api, issuer: Issuer, caplog: pytest.LogCaptureFixture
) -> None:
    started = start(api)
    complete(api, started, issuer.approve(started["authorize_url"], user()) | {"iss": "https://evil.example"})
    issuer.claims = {"nonce": "another nonce"}
    sign_in(api, issuer, user())

    assert logged(caplog) == [
        ("acme", "return", "the answer came from another issuer"),
        ("acme", "ID token", "the nonce of the ID token is wrong"),
    ]


def logged(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str, str]]:
    """Return the provider, step and reason of each failure in the log."""
    lines = [vars(record) for record in caplog.records if record.name == "authsvc.oauth"]
    return [(line["provider"], line["step"], line["reason"]) for line in lines]


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://accounts.google.com"},
        {"issuer": None},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": "//evil.example/authorize"},
        {"authorization_endpoint": None},
        {"token_endpoint": "file:///etc/passwd"},
        {"token_endpoint": "http://user:password@127.0.0.1/token"},
        {"jwks_uri": 7},
        {"jwks_uri": "http://[::1"},
    ],
    ids=str,
)
def test_the_metadata_must_belong_to_the_issuer_and_name_web_addresses(
    api: Api, issuer: Issuer, metadata: dict[str, Any]
) -> None:
    issuer.metadata = metadata

    assert outcome(api.post("/v1/oauth/acme/start", {"redirect_uri": issuers.REDIRECT_URI})) == FAILED


@pytest.mark.parametrize("member", ["token_endpoint", "jwks_uri"])
def test_an_endpoint_on_another_host_must_be_public(api: Api, issuer: Issuer, member: str) -> None:
    issuer.metadata = {member: f"http://localhost:{issuer.port}{'/token' if 'token' in member else '/jwks'}"}

    assert outcome(sign_in(api, issuer, user())) == FAILED


def test_an_https_issuer_cannot_name_an_endpoint_without_tls() -> None:
    from sessions_app.errors import OauthFailed  # noqa: PLC0415
    from sessions_app.oauth.known import KNOWN  # noqa: PLC0415
    from sessions_app.oauth.providers import Provider  # noqa: PLC0415

    provider = Provider(
        name="google",
        label="Google",
        issuer=KNOWN["google"].issuer,
        client_id="x",
        client_secret="x",
        authorize_url="",
        team_id="",
        key_id="",
        facts=KNOWN["google"],
    )

    with pytest.raises(OauthFailed):
        connection.check_url(provider, "http://accounts.google.com/token")


def test_a_slow_provider_holds_a_login_for_a_limited_time(
    api: Api, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "TIMEOUT_SECONDS", 0.4)
    started = start(api)
    issuer.replies["/token"] = dripping(issuer)
    began = monotonic()

    answer = complete(api, started, issuer.approve(started["authorize_url"], user()))

    assert outcome(answer) == UNAVAILABLE
    assert is_soon(monotonic() - began, limit=5)


def test_beyond_the_slots_for_slow_providers_a_login_is_refused_and_can_be_repeated(
    api: Api, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = start(api)
    returned = issuer.approve(started["authorize_url"], user())
    with ExitStack() as slots:
        for _ in range(PROVIDER_THREADS):
            slots.enter_context(connection.slot())

        answer = complete(api, started, returned)

    assert (answer.status, answer.code) == (503, "overloaded")
    assert complete(api, started, returned).status == 200


def test_a_flow_completes_only_at_its_own_provider(api: Api, issuer: Issuer, configure: Configure) -> None:
    with issuers.running() as other:
        configure(**other.variables("other"))
        started = start(api)
        returned = issuer.approve(started["authorize_url"], user())

        assert outcome(complete(api, started, returned, "other")) == (400, "invalid_oauth_state")
        assert other.asked == []


def test_a_hostile_provider_cannot_pass_on_the_answer_of_another(
    api: Api, issuer: Issuer, configure: Configure
) -> None:
    """Eve's provider sends the user on to acme, which states no issuer, with the state of the flow at Eve's provider."""
    with issuers.running() as hostile:
        configure(**hostile.variables("hostile"))
        shared = api.post("/v1/oauth/acme/start", {"redirect_uri": issuers.REDIRECT_URI})
        eves_flow = start(Api(), "acme")
        started = start(api, "hostile")
        state = dict(parse_qsl(urlsplit(started["authorize_url"]).query))["state"]

        returned = issuer.approve(eves_flow["authorize_url"], user()) | {"state": state}

        assert outcome(shared) == (400, "bad_request")
        # The browser returns to acme's address, so the application completes the flow at acme.
        assert outcome(complete(api, started, returned, "acme")) == (400, "invalid_oauth_state")
        assert not hostile.count("/token")


@pytest.mark.parametrize(("states_issuer", "iss"), [(True, None), (False, "https://evil.example"), (True, "")])
def test_the_issuer_of_the_answer_is_checked_before_the_code_is_sent(
    api: Api, issuer: Issuer, states_issuer: bool, iss: str | None
) -> None:
    issuer.metadata = {"authorization_response_iss_parameter_supported": states_issuer}
    started = start(api)
    returned = issuer.approve(started["authorize_url"], user()) | ({} if iss is None else {"iss": iss})

    answer = complete(api, started, returned)

    assert outcome(answer) == ((400, "bad_request") if iss == "" else FAILED)
    assert issuer.count("/token") == 0


def test_the_right_issuer_in_the_answer_is_accepted(api: Api, issuer: Issuer) -> None:
    issuer.metadata = {"authorization_response_iss_parameter_supported": True}
    started = start(api)
    returned = issuer.approve(started["authorize_url"], user())

    assert complete(api, started, {**returned, "iss": issuer.url}).status == 200


def test_the_code_of_an_attackers_flow_does_not_sign_a_victim_in(api: Api, issuer: Issuer) -> None:
    """Login CSRF: the attacker sends the victim's browser to the application with the attacker's code."""
    of_eve, of_alice = start(Api()), start(api)
    returned = issuer.approve(of_eve["authorize_url"], user(sub="eve-at-acme"))

    assert outcome(complete(api, of_alice, returned)) == (400, "invalid_oauth_state")


def test_a_stolen_code_is_useless_in_another_flow(api: Api, issuer: Issuer) -> None:
    """Code injection: the verifier of the attacker's flow does not belong to the victim's code."""
    of_alice, of_eve = start(api), start(Api())
    stolen = issuer.approve(of_alice["authorize_url"], user())["code"]
    own = issuer.approve(of_eve["authorize_url"], user(sub="eve-at-acme"))

    assert outcome(complete(Api(), of_eve, {**own, "code": stolen})) == FAILED


def test_an_id_token_of_another_flow_is_refused(api: Api, issuer: Issuer) -> None:
    """The provider is deceived to answer with the ID token of another login: the nonce differs."""
    kept: list[str] = []

    def keep(claims: Claims) -> str:
        kept.append(issuer.signed(claims))
        return kept[0]

    issuer.sign = keep
    sign_in(api, issuer, user())
    Account.objects.all().delete()
    Family.objects.all().delete()

    assert outcome(sign_in(Api(), issuer, user(sub="eve-at-acme"))) == FAILED
