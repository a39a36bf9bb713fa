"""Logins by an OpenID Connect issuer that does what the standards demand."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
import time_machine
from cryptography.hazmat.primitives.asymmetric import ed25519

from accounts.models import Account, Event
from core.clock import now
from sessions_app.models import Family, Identity, OauthFlow
from tests.api.users.commands import users
from tests.client import Api
from tests.issuers import (
    CLIENT_SECRET,
    REDIRECT_URI,
    Issuer,
    complete,
    ec_key,
    link,
    rsa_key,
    session_of,
    sign_in,
    start,
    user,
)
from tests.key_bound import ProbingApi, bound_session, check_bound
from tests.mails import delivered, token_in
from tests.people import Person, sign_up
from tests.second_factors import complete_by_totp, enroll_totp

Configure = Callable[..., None]


def events(kind: str) -> list[dict[str, object]]:
    return list(Event.objects.filter(type=kind).order_by("pk").values_list("metadata", flat=True))


def test_without_a_provider_the_list_is_empty_and_no_flow_starts(api: Api) -> None:
    assert api.get("/v1/oauth/providers").data == {"providers": []}

    answer = api.post("/v1/oauth/google/start", {"redirect_uri": REDIRECT_URI})

    assert (answer.status, answer.code) == (404, "not_configured")


def test_the_list_names_the_configured_providers_for_buttons(api: Api, issuer: Issuer, configure: Configure) -> None:
    configure(OAUTH_GITHUB_CLIENT_ID="x", OAUTH_GITHUB_CLIENT_SECRET="x", OAUTH_GITLAB_CLIENT_ID="x")
    configure(OAUTH_ACME_LABEL="Acme & Sons")

    assert api.get("/v1/oauth/providers").data == {
        "providers": [{"name": "github", "label": "GitHub"}, {"name": "acme", "label": "Acme & Sons"}]
    }


def test_the_authorization_url_has_a_challenge_and_no_secret(api: Api, issuer: Issuer) -> None:
    started = start(api)

    parts = urlsplit(started["authorize_url"])
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    assert started["authorize_url"].startswith(f"{issuer.url}/authorize?tenant=a&")
    assert {name: query[name] for name in ("response_type", "redirect_uri", "scope", "code_challenge_method")} == {
        "response_type": "code",
        "redirect_uri": REDIRECT_URI,
        "scope": "openid email profile",
        "code_challenge_method": "S256",
    }
    assert {len(query[name]) for name in ("state", "nonce", "code_challenge")} == {43}
    assert len({query["state"], query["nonce"], query["code_challenge"]}) == 3
    assert started["state_token"] not in started["authorize_url"]
    assert CLIENT_SECRET not in started["authorize_url"]


def test_the_calls_of_a_request_pass_its_trace_on(api: Api, issuer: Issuer) -> None:
    trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    api.post("/v1/oauth/acme/start", {"redirect_uri": REDIRECT_URI}, headers={"traceparent": trace})

    assert {asked.headers.get("traceparent") for asked in issuer.asked} == {trace}


def test_the_database_has_neither_the_state_token_nor_the_state_nor_the_nonce(api: Api, issuer: Issuer) -> None:
    started = start(api)

    flow = OauthFlow.objects.get()
    stored = b"".join(bytes(value) for value in (flow.digest, flow.state_digest, flow.secret))
    query = parse_qs(urlsplit(started["authorize_url"]).query)
    for secret in (started["state_token"], query["state"][0], query["nonce"][0]):
        assert secret.encode() not in stored


@pytest.mark.parametrize(
    "uri",
    [
        "https://app.example/signed-in/",
        "https://app.example/signed-in?next=x",
        "https://app.example.evil.example/signed-in",
        "http://app.example/signed-in",
        "http://127.0.0.1:8000/other",
        "http://localhost:8000/return",
        "http://127.0.0.1:8000@evil.example/return",
        "http://[::1]:1/return",
        "javascript:alert(1)",
        "",
    ],
)
def test_only_a_listed_redirect_uri_is_accepted(api: Api, issuer: Issuer, configure: Configure, uri: str) -> None:
    configure(OAUTH_REDIRECT_URIS=f"{REDIRECT_URI},http://127.0.0.1/return,com.example.app:/return")

    answer = api.post("/v1/oauth/acme/start", {"redirect_uri": uri})

    assert (answer.status, answer.code) == (400, "bad_request")
    assert not OauthFlow.objects.exists()


@pytest.mark.parametrize(
    "uri", ["http://127.0.0.1:49152/return", "http://127.0.0.1/return", "com.example.app:/return", REDIRECT_URI]
)
def test_a_listed_loopback_uri_matches_any_port(api: Api, issuer: Issuer, configure: Configure, uri: str) -> None:
    configure(OAUTH_REDIRECT_URIS=f"{REDIRECT_URI},http://127.0.0.1:8000/return,com.example.app:/return")

    started = start(api, redirect_uri=uri)

    assert parse_qs(urlsplit(started["authorize_url"]).query)["redirect_uri"] == [uri]
    assert complete(api, started, issuer.approve(started["authorize_url"], user())).status == 200


def test_a_verified_address_of_no_account_becomes_an_unproven_account(
    api: Api, issuer: Issuer, configure: Configure
) -> None:
    configure(EMAIL_VERIFICATION="on")

    answer = sign_in(api, issuer, user(name="Alice  Example\n"))

    session = session_of(answer, api)
    assert session.is_live()
    account = session.person.account()
    assert account.email_proven_at is None
    assert not account.user.has_usable_password()
    assert events("signup_success") == [{"method": "oauth", "provider": "acme"}]
    assert events("oauth_linked") == [{"provider": "acme"}]
    assert events("login_success") == [{"method": "oauth", "provider": "acme"}]
    assert len(delivered("alice@example.com")) == 1
    (listed,) = api.get("/v1/identities", token=session.access).data["identities"]
    assert (listed["provider"], listed["issuer"], listed["name"]) == ("acme", issuer.url, "Alice Example")


def test_the_verified_address_of_a_trusted_issuer_is_proven(api: Api, trusted: Issuer, configure: Configure) -> None:
    configure(EMAIL_VERIFICATION="on")

    answer = sign_in(api, trusted, user())

    assert session_of(answer, api).person.account().email_proven_at is not None
    assert delivered("alice@example.com") == []


def test_the_identity_signs_in_again_whatever_its_address_is(api: Api, issuer: Issuer) -> None:
    first = session_of(sign_in(api, issuer, user()), api)

    again = sign_in(api, issuer, {"sub": "alice-at-acme", "email": "new@example.com", "email_verified": False})

    assert again.status == 200
    assert Account.objects.count() == 1
    assert session_of(again, api).person.user_id == first.person.user_id
    assert len(events("oauth_linked")) == 1
    identity = Identity.objects.get()
    assert identity.last_used_at > identity.created_at


def test_another_person_with_the_address_of_an_identity_is_another_person(api: Api, issuer: Issuer) -> None:
    sign_in(api, issuer, user())

    answer = sign_in(api, issuer, user(sub="eve-at-acme"))

    assert (answer.status, answer.code) == (409, "user_exists")
    assert "link" in str(answer.body["error"]["message"])


@pytest.mark.parametrize(
    "claims",
    [{"email_verified": False}, {"email_verified": None}, {"email_verified": "true"}, {"email": "no address"}],
)
def test_an_address_that_is_not_verified_makes_no_account(api: Api, issuer: Issuer, claims: dict[str, object]) -> None:
    issuer.claims = claims
    issuer.metadata = {"userinfo_endpoint": None}

    answer = sign_in(api, issuer, user())

    assert (answer.status, answer.code) == (403, "oauth_email_unverified")
    assert not Account.objects.exists()


def test_an_unverified_address_gets_the_same_answer_if_an_account_has_it(alice: Person, trusted: Issuer) -> None:
    answer = sign_in(Api(), trusted, user(email_verified=False))

    assert (answer.status, answer.code) == (403, "oauth_email_unverified")
    assert not Identity.objects.exists()


def test_the_address_comes_from_the_userinfo_when_the_id_token_lacks_it(api: Api, issuer: Issuer) -> None:
    issuer.userinfo = {"email": "alice@example.com", "email_verified": True, "name": "Alice"}

    answer = sign_in(api, issuer, {"sub": "alice-at-acme"})

    assert answer.status == 200
    assert Account.objects.get().email_key == "alice@example.com"


def test_the_userinfo_of_another_person_is_refused(api: Api, issuer: Issuer) -> None:
    issuer.userinfo = {"sub": "bob-at-acme", "email": "bob@example.com", "email_verified": True}

    answer = sign_in(api, issuer, {"sub": "alice-at-acme"})

    assert (answer.status, answer.code) == (400, "oauth_failed")
    assert not Account.objects.exists()


def test_a_second_factor_pauses_the_login(api: Api, issuer: Issuer) -> None:
    app = enroll_totp(session_of(sign_in(api, issuer, user()), api))

    paused = sign_in(api, issuer, user()).data

    assert (paused["second_factor_required"], paused["methods"]) == (True, ["totp"])
    assert complete_by_totp(api, paused["pending_token"], app.code(steps=1)).status == 200
    assert events("login_success")[-1] == {"method": "oauth", "provider": "acme", "second_factor": "totp"}


def test_required_verification_refuses_an_unproven_account_and_mails_a_link(
    api: Api, issuer: Issuer, configure: Configure
) -> None:
    configure(EMAIL_VERIFICATION="required")

    answers = [sign_in(api, issuer, user()) for _ in range(2)]

    assert {(answer.status, answer.code) for answer in answers} == {(403, "email_not_verified")}
    assert len(delivered("alice@example.com")) == 2
    assert not Family.objects.exists()


def test_required_verification_admits_the_address_of_a_trusted_issuer(
    api: Api, trusted: Issuer, configure: Configure
) -> None:
    configure(EMAIL_VERIFICATION="required")

    assert sign_in(api, trusted, user()).status == 200


def test_the_owner_of_an_account_without_a_password_can_set_one(api: Api, trusted: Issuer) -> None:
    sign_in(api, trusted, user())
    api.post("/v1/password/forgot", {"email": "alice@example.com"})
    body = {"token": token_in(delivered("alice@example.com")[-1]), "new_password": "staple orbit lantern"}

    assert api.post("/v1/password/reset", body).status == 200

    login = api.post("/v1/login", {"email": "alice@example.com", "password": "staple orbit lantern"})
    assert login.status == 200
    assert sign_in(api, trusted, user()).status == 200


def test_a_state_token_works_once_even_if_the_answer_is_wrong(api: Api, issuer: Issuer) -> None:
    started = start(api)
    returned = issuer.approve(started["authorize_url"], user())

    first = complete(api, started, {**returned, "state": "x" * 43})
    second = complete(api, started, returned)

    assert [(first.status, first.code), (second.status, second.code)] == [(400, "invalid_oauth_state")] * 2
    assert issuer.count("/token") == 0


def test_a_state_token_works_for_ten_minutes(api: Api, issuer: Issuer) -> None:
    with time_machine.travel(now(), tick=False) as travel:
        late, punctual = start(api), start(api)
        travel.shift(timedelta(seconds=599))
        in_time = complete(api, punctual, issuer.approve(punctual["authorize_url"], user()))
        travel.shift(1)
        too_late = complete(api, late, issuer.approve(late["authorize_url"], user()))

    assert in_time.status == 200
    assert (too_late.status, too_late.code) == (400, "invalid_oauth_state")


def test_the_limit_of_logins_by_network_applies(api: Api, issuer: Issuer, configure: Configure) -> None:
    configure(RATE_LIMITS="login_ip=2/m")
    started = start(api)

    assert complete(api, started, issuer.approve(started["authorize_url"], user())).status == 200
    assert api.post("/v1/oauth/acme/start", {"redirect_uri": REDIRECT_URI}).code == "rate_limited"
    assert api.post("/v1/oauth/acme/complete", {"state_token": "", "code": "x", "state": ""}).code == "rate_limited"


@pytest.mark.parametrize("algorithm", ["RS256", "PS256", "ES256", "EdDSA"])
def test_each_usual_algorithm_of_an_issuer_is_accepted(api: Api, issuer: Issuer, algorithm: str) -> None:
    key, public = key_of(algorithm)
    issuer.metadata = {"id_token_signing_alg_values_supported": [algorithm]}
    issuer.replies["/jwks"] = lambda _: {"keys": [{"kty": "oct", "k": "AA"}, json.loads(public)]}
    # Without an id, the key is the only one of its type.
    issuer.sign = lambda claims: jwt.encode(dict(claims), key, algorithm=algorithm)

    assert sign_in(api, issuer, user()).status == 200


def key_of(algorithm: str) -> tuple[Any, str]:
    """Return a key for the algorithm, and its public JWK."""
    if algorithm == "EdDSA":
        edwards = ed25519.Ed25519PrivateKey.generate()
        return edwards, jwt.algorithms.OKPAlgorithm.to_jwk(edwards.public_key())
    if algorithm == "ES256":
        elliptic = ec_key()
        return elliptic, jwt.algorithms.ECAlgorithm.to_jwk(elliptic.public_key())
    return rsa_key(), jwt.algorithms.RSAAlgorithm.to_jwk(rsa_key().public_key())


def test_metadata_and_keys_are_fetched_once_an_hour(api: Api, issuer: Issuer) -> None:
    with time_machine.travel(now(), tick=False) as travel:
        for _ in range(3):
            sign_in(api, issuer, user())
        counted = [issuer.count(path) for path in ("/.well-known/openid-configuration", "/jwks")]
        travel.shift(timedelta(hours=1))
        sign_in(api, issuer, user())

    assert counted == [1, 1]
    assert [issuer.count(path) for path in ("/.well-known/openid-configuration", "/jwks")] == [2, 2]


def test_a_new_key_of_the_issuer_is_fetched_at_most_once_a_minute(api: Api, issuer: Issuer) -> None:
    with time_machine.travel(now(), tick=False) as travel:
        sign_in(api, issuer, user())
        issuer.kid = "key-2"
        early = sign_in(api, issuer, user())
        travel.shift(timedelta(seconds=61))
        later = sign_in(api, issuer, user())

    assert (early.status, early.code) == (400, "oauth_failed")
    assert later.status == 200
    assert issuer.count("/jwks") == 2


def test_an_address_whose_twin_has_an_account_gets_an_account_of_its_own(api: Api, issuer: Issuer) -> None:
    sign_up("strasse@example.com")

    answer = sign_in(api, issuer, user(email="straße@example.com"))

    assert api.get("/v1/me", token=answer.data["access_token"]).data["email"] == "straße@example.com"


@pytest.mark.parametrize("variables", [{"SIGNUP": "invited"}, {"SIGNUP": "closed"}, {"SIGNUP_DOMAINS": "example.org"}])
def test_a_provider_opens_no_closed_sign_up_and_still_signs_its_users_in(
    api: Api, trusted: Issuer, configure: Configure, variables: dict[str, str]
) -> None:
    alice = user("alice")
    assert sign_in(api, trusted, alice).status == 200
    configure(**variables)

    refused = sign_in(api, trusted, user("bob", "bob@example.com"))

    assert (refused.status, refused.code) == (403, "signup_closed")
    assert Account.objects.count() == 1
    assert not Identity.objects.filter(subject="bob").exists()
    assert sign_in(api, trusted, alice).status == 200


def test_a_deactivated_account_refuses_its_identity_and_its_address(
    api: Api, trusted: Issuer, configure: Configure
) -> None:
    alice, other = user(), user("alice-elsewhere")
    assert sign_in(api, trusted, alice).status == 200
    users("deactivate", "alice@example.com")

    linked, by_address = sign_in(api, trusted, alice), sign_in(api, trusted, other)

    assert (linked.status, linked.code) == (400, "oauth_failed")
    # The answer of an address that the provider does not prove. Only a right password says more.
    assert (by_address.status, by_address.code) == (409, "user_exists")
    assert not Identity.objects.filter(subject="alice-elsewhere").exists()
    users("reactivate", "alice@example.com")
    assert sign_in(api, trusted, alice).status == 200


def test_a_proof_binds_the_tokens_and_a_wrong_one_spends_no_flow(db: None, issuer: Issuer) -> None:
    caller = ProbingApi({"/v1/oauth/acme/complete"})

    answer = sign_in(caller, issuer, user())

    assert caller.probed == caller.routes
    check_bound(answer.data, caller)


def test_a_bound_session_links_an_identity_with_one_proof_a_request(alice: Person, issuer: Issuer) -> None:
    session = bound_session(alice)

    assert link(session.api, issuer, user(), token=session.access).status == 200
    assert Identity.objects.count() == 1
