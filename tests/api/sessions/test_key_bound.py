"""Tokens of /v1 that are bound to a key of the client (DPoP, RFC 9449)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import jwt
import pytest
import time_machine
from pytest_django import Settings

from accounts.models import Event
from core.clock import now
from core.http.proof_stores import MEMORY
from core.keys.dpop import NONCE_SECONDS
from core.keys.jwt import current_signer, issue_access_token
from sessions_app.families.used_proofs import SWEEP_INTERVAL, SweepProofs
from sessions_app.models import Family, Token, UsedProof
from tests.api.users.commands import users
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Answer, Api
from tests.contract.mounted import view_at
from tests.contract.tables import ANSWERS_TOKENS, by_route
from tests.contract.test_routes import SERVED
from tests.key_bound import ProbingApi, ProvingApi, bound_session, check_bound
from tests.mails import delivered, text_of, token_in
from tests.passkeys import complete, enroll, log_in_alone
from tests.people import Person, existing
from tests.proofs import Prover, signed_by_secret
from tests.rows import each
from tests.second_factors import complete_by_recovery_code, complete_by_totp, enroll_totp, generate_codes, pause

OF_PROVIDERS = "POST /v1/oauth/{provider}/complete"


def log_in(api: Api, person: Person) -> Answer:
    return api.post("/v1/login", {"email": person.email, "password": person.password})


def refresh(api: Api, person: Person) -> Answer:
    return api.post("/v1/refresh", {"refresh_token": log_in(api, person).data["refresh_token"]})


def log_in_by_totp(api: Api, person: Person) -> Answer:
    app = enroll_totp(person.log_in())
    return complete_by_totp(api, pause(person, api), app.code(steps=1))


def log_in_by_recovery_code(api: Api, person: Person) -> Answer:
    session = person.log_in()
    enroll_totp(session)
    codes = generate_codes(session)
    return complete_by_recovery_code(api, pause(person, api), codes[0])


def log_in_by_passkey(api: Api, person: Person) -> Answer:
    authenticator = Authenticator()
    enroll(person, authenticator)
    return complete(api, pause(person, api), authenticator)


def log_in_by_passkey_alone(api: Api, person: Person) -> Answer:
    authenticator = Authenticator()
    enroll(person, authenticator)
    return log_in_alone(api, authenticator)


def log_in_by_link(api: Api, person: Person) -> Answer:
    api.post("/v1/magic-link/request", {"email": person.email})
    return api.post("/v1/magic-link/complete", {"token": token_in(delivered(person.email)[-1])})


def log_in_by_code(api: Api, person: Person) -> Answer:
    api.post("/v1/magic-link/request", {"email": person.email})
    (code,) = re.findall(r"instead: (\d{6})\n", text_of(delivered(person.email)[-1]))
    return api.post("/v1/magic-link/code", {"email": person.email, "code": code})


def accept_invitation(api: Api, person: Person) -> Answer:
    users("invite", f"new-{person.email}")
    token = token_in(delivered(f"new-{person.email}")[-1])
    return api.post("/v1/invitations/accept", {"token": token, "password": PASSWORD})


OPENERS: Mapping[str, Callable[[Api, Person], Answer]] = {
    "/v1/login": log_in,
    "/v1/refresh": refresh,
    "/v1/login/totp": log_in_by_totp,
    "/v1/login/recovery-code": log_in_by_recovery_code,
    "/v1/login/passkey/finish": log_in_by_passkey,
    "/v1/passkey-login/finish": log_in_by_passkey_alone,
    "/v1/magic-link/complete": log_in_by_link,
    "/v1/magic-link/code": log_in_by_code,
    "/v1/invitations/accept": accept_invitation,
}


@each("path", list(OPENERS))
def test_a_proof_binds_the_tokens_of_each_route_and_a_wrong_one_changes_nothing(db: None, path: str) -> None:
    api = ProbingApi({*OPENERS})

    answer = OPENERS[path](api, existing(path.replace("/", "-")))

    assert answer.status < 300
    assert path in api.probed
    check_bound(answer.data, api)
    assert not Event.objects.filter(type__in=("login_failed", "totp_challenge_failed")).exists()


def test_the_routes_above_are_all_that_answer_tokens() -> None:
    assert {f"POST {path}" for path in OPENERS} == ANSWERS_TOKENS - {OF_PROVIDERS}


@each("route", by_route(*SERVED))
def test_the_routes_that_answer_tokens_bind_them(route: Any) -> None:
    assert view_at(route.url).operations[route.method].binds_key == (route.name in ANSWERS_TOKENS)


def test_without_a_proof_the_answer_and_the_token_name_no_key(alice: Person) -> None:
    pair = log_in(alice.api, alice).data

    assert pair.keys() == {"access_token", "refresh_token"}
    assert "cnf" not in jwt.decode(pair["access_token"], options={"verify_signature": False})
    assert "DPoP-Nonce" not in alice.api.get("/v1/me", token=pair["access_token"]).headers


def test_an_unbound_token_is_refused_with_a_proof(alice: Person) -> None:
    session = alice.log_in()
    proving = ProvingApi()

    answer = proving.get("/v1/me", token=session.access)
    assert (answer.status, answer.code) == (401, "invalid_access_token")
    assert proving.post("/v1/refresh", {"refresh_token": session.refresh}).code == "invalid_token"
    assert session.is_live()


def test_a_stolen_token_without_its_key_ends_no_session(alice: Person) -> None:
    session = bound_session(alice)
    newer = session.refreshed()

    for thief in (Api(), ProvingApi()):
        for stolen in (session.refresh, newer.refresh):
            assert thief.post("/v1/refresh", {"refresh_token": stolen}).code == "invalid_token"
    assert newer.refreshed().access
    assert not Event.objects.filter(type="token_reuse_detected").exists()


def test_a_second_use_with_the_key_ends_the_session(alice: Person) -> None:
    session = bound_session(alice)
    newer = session.refreshed()

    assert session.api.post("/v1/refresh", {"refresh_token": session.refresh}).code == "token_reused"
    assert not newer.is_live()


def test_a_refresh_with_a_proof_can_be_repeated_by_its_idempotency_key(alice: Person) -> None:
    session = bound_session(alice)
    key = {"Idempotency-Key": "x3F8sPlC0mZ7QHkWnVbR2g"}
    body = {"refresh_token": session.refresh}

    lost = session.api.post("/v1/refresh", body, headers=key).data
    again = session.api.post("/v1/refresh", body, headers=key).data
    stolen = ProvingApi().post("/v1/refresh", body, headers=key)

    assert stolen.code == "invalid_token"
    assert session.api.post("/v1/refresh", {"refresh_token": lost["refresh_token"]}).code == "invalid_token"
    assert session.api.post("/v1/refresh", {"refresh_token": again["refresh_token"]}).status == 200


def test_the_database_holds_neither_the_key_nor_the_token(alice: Person) -> None:
    session = bound_session(alice)
    prover = session.api.prover  # type: ignore[attr-defined]  # the caller proves a key

    digests = [bytes(row.digest) for row in Token.objects.all()] + [
        bytes(row.digest) for row in UsedProof.objects.all()
    ]
    assert len(digests) == 2
    assert not any(text.encode() in digest for digest in digests for text in (prover.thumbprint, session.refresh))


def send(api: Api, headers: Mapping[str, str], path: str = "/v1/me") -> tuple[int, str, str]:
    """Return the status, the code and the challenge."""
    answer = api.get(path, headers=headers)
    return answer.status, answer.code if answer.status >= 400 else "ok", answer.headers.get("WWW-Authenticate", "")


def test_a_bound_access_token_needs_its_scheme_and_its_proof(alice: Person) -> None:
    api = ProvingApi()
    access, prover = bound_session(alice, api=api).access, api.prover
    right = prover.headers("GET", "/v1/me", access=access)

    assert send(Api(), right)[:2] == (200, "ok")
    replayed = send(Api(), right)
    assert replayed == (
        401,
        "invalid_dpop_proof",
        'DPoP error="invalid_dpop_proof", algs="ES256 PS256 EdDSA Ed25519"',
    )
    downgraded = {**prover.headers("GET", "/v1/me", access=access), "Authorization": f"Bearer {access}"}
    assert send(Api(), downgraded)[:2] == (401, "invalid_access_token")
    assert send(Api(), {"Authorization": f"Bearer {access}"})[2].startswith('DPoP error="invalid_token"')
    assert send(Api(), {"Authorization": f"DPoP {access}"})[:2] == (401, "invalid_dpop_proof")
    assert send(Api(), Prover().headers("GET", "/v1/me", access=access))[:2] == (401, "invalid_access_token")


FORGERIES: Mapping[str, Callable[[Prover, str], str]] = {
    "another method": lambda one, access: one.proof("POST", "/v1/me", access=access),
    "another address": lambda one, access: one.proof("GET", "/v1/sessions", access=access),
    "another host": lambda one, access: one.proof("GET", "/v1/me", access=access, htu="https://eve.example/v1/me"),
    "no ath": lambda one, _: one.proof("GET", "/v1/me"),
    "the ath of another token": lambda one, _: one.proof("GET", "/v1/me", access="other"),
    "the public key as a secret": lambda one, access: signed_by_secret(one, str(one.jwk) + access),
    "no algorithm": lambda one, access: re.sub(
        r"^[^.]+", "eyJhbGciOiJub25lIiwidHlwIjoiZHBvcCtqd3QifQ", one.proof("GET", "/v1/me", access=access)
    ),
    "a private key": lambda one, access: one.proof(
        "GET", "/v1/me", access=access, header={"jwk": {**one.jwk, "d": "AAAA"}}
    ),
    "two proofs": lambda one, access: ",".join(one.proof("GET", "/v1/me", access=access) for _ in range(2)),
}


@each("name", list(FORGERIES))
def test_a_forged_proof_of_an_access_token_is_refused(alice: Person, name: str) -> None:
    api = ProvingApi()
    access = bound_session(alice, api=api).access

    answer = send(Api(), {"Authorization": f"DPoP {access}", "DPoP": FORGERIES[name](api.prover, access)})

    assert answer[:2] == (401, "invalid_dpop_proof")


def test_an_old_nonce_is_refused_and_the_answer_has_the_new_one(alice: Person) -> None:
    api = ProvingApi()
    access = bound_session(alice, api=api).access
    old = api.get("/v1/me", token=access).headers["DPoP-Nonce"]

    with time_machine.travel(now() + timedelta(seconds=3 * NONCE_SECONDS)):
        asked = api.get("/v1/me", headers=api.prover.headers("GET", "/v1/me", access=access, nonce=old))
        assert (asked.status, asked.code) == (401, "use_dpop_nonce")
        nonce = asked.headers["DPoP-Nonce"]
        assert nonce != old
        again = api.get("/v1/me", headers=api.prover.headers("GET", "/v1/me", access=access, nonce=nonce))
        assert again.status == 200


def test_an_invalid_access_token_uses_no_proof_up(alice: Person) -> None:
    api = ProvingApi()

    assert api.get("/v1/me", token="a.b.c").code == "invalid_access_token"
    assert not UsedProof.objects.exists()


def test_used_proofs_are_deleted_some_minutes_later(alice: Person) -> None:
    job = SweepProofs()
    assert job.next_due(now()) is None
    bound_session(alice)
    due = job.next_due(now())

    assert due is not None
    assert timedelta() < due - now() <= MEMORY + SWEEP_INTERVAL
    job.run(now(), lambda: False)
    assert UsedProof.objects.count() == 1
    job.run(due, lambda: False)
    assert not UsedProof.objects.exists()


def test_the_metadata_of_an_account_bind_no_token(alice: Person) -> None:
    account = alice.account()
    account.metadata = {"cnf": {"jkt": Prover().thumbprint}, "plan": "pro"}
    account.save(update_fields=["metadata"])

    pair = log_in(alice.api, alice).data

    claims = jwt.decode(pair["access_token"], options={"verify_signature": False})
    assert "cnf" not in claims
    # Only a full deployment has metadata in its tokens.
    assert claims.get("plan", "pro") == "pro"
    assert alice.api.get("/v1/me", token=pair["access_token"]).status == 200


@each("cnf", [{}, {"jkt": ""}, {"jkt": 5}, {"x5t#S256": "x"}, "jkt", 1, []])
def test_another_confirmation_of_a_token_is_refused(alice: Person, cnf: object) -> None:
    access = issue_access_token(user_id=alice.user_id, token_id="t", claims={}, now=now())
    claims = {**jwt.decode(access, options={"verify_signature": False}), "cnf": cnf}
    token = current_signer(now=now()).sign(claims, type_="at+jwt")

    assert alice.api.get("/v1/verify", token=access).status == 200
    assert alice.api.get("/v1/verify", token=token).code == "invalid_access_token"
    assert ProvingApi().get("/v1/verify", token=token).code == "invalid_access_token"


def test_a_bound_session_does_what_a_session_does(alice: Person) -> None:
    session = bound_session(alice)

    (listed,) = session.api.get("/v1/sessions", token=session.access).data
    assert listed["current"]
    assert session.api.post("/v1/reauthenticate", {"password": PASSWORD}, token=session.access).status == 200
    done = session.api.post("/v1/logout", {"session_id": listed["id"]}, token=session.access)
    assert done.status == 200
    assert Family.objects.get().revoked_at is not None
    assert not session.is_live()


def test_a_paused_login_is_bound_at_its_completion(alice: Person) -> None:
    app = enroll_totp(alice.log_in())
    unbound = complete_by_totp(Api(), pause(alice, ProvingApi()), app.code(steps=1))

    assert unbound.data.keys() == {"access_token", "refresh_token"}


@pytest.fixture(autouse=True)
def _by_invitation(settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "SIGNUP": "invited"}


def test_a_person_keeps_bound_and_unbound_sessions_side_by_side(alice: Person) -> None:
    bound, unbound = bound_session(alice), alice.log_in()

    assert replace(bound, api=Api()).api.get("/v1/me", token=unbound.access).status == 200
    assert bound.refreshed().access
    assert unbound.is_live()
