"""Key-bound access tokens (RFC 9449) in the views of a host project."""

from typing import Any

import pytest
from django.conf import settings as django_settings
from pytest_django import Settings

from sessions_app.models import UsedProof
from tests.client import Api
from tests.key_bound import ProvingApi, bound_session
from tests.people import Person
from tests.proofs import Prover
from tests.rows import each

# Real transactions: ATOMIC_REQUESTS opens one for each request, and DRF rolls it back after a refusal.
pytestmark = [pytest.mark.urls("tests.api.host_site.tokens_site"), pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _defaults_of_drf(settings: Settings) -> None:
    settings.REST_FRAMEWORK = {} if "django.contrib.auth" in settings.INSTALLED_APPS else {"UNAUTHENTICATED_USER": None}


def get(path: str, headers: dict[str, str]) -> Any:
    return Api().client.get(path, headers=headers)


def outcome(response: Any) -> tuple[int, str]:
    """Return the status and the error code, or "ok"."""
    body = response.json()
    return response.status_code, body["error"]["code"] if "error" in body else "ok"


@each("path", ["/anything", "/live", "/payouts"])
def test_a_view_demands_the_scheme_and_a_proof_of_the_key(alice: Person, path: str) -> None:
    api = ProvingApi()
    access, prover = bound_session(alice, api=api).access, api.prover
    right = prover.headers("GET", path, access=access)

    accepted = get(path, right)
    assert outcome(accepted) == (200, "ok")
    assert accepted.headers["DPoP-Nonce"]
    assert outcome(get(path, right)) == (401, "invalid_dpop_proof")
    assert outcome(get(path, {"Authorization": f"Bearer {access}"})) == (401, "invalid_access_token")
    assert outcome(get(path, {"Authorization": f"DPoP {access}"})) == (401, "invalid_dpop_proof")
    assert outcome(get(path, Prover().headers("GET", path, access=access))) == (401, "invalid_access_token")
    assert outcome(get(path, prover.headers("GET", "/v1/me", access=access))) == (401, "invalid_dpop_proof")


def test_a_refusal_has_the_nonce_and_the_challenge(alice: Person) -> None:
    api = ProvingApi()
    access = bound_session(alice, api=api).access

    asked = get("/anything", api.prover.headers("GET", "/anything", access=access, nonce="old"))

    assert outcome(asked) == (401, "use_dpop_nonce")
    assert asked.headers["WWW-Authenticate"].startswith('DPoP error="use_dpop_nonce"')
    again = api.prover.headers("GET", "/anything", access=access, nonce=asked.headers["DPoP-Nonce"])
    assert outcome(get("/anything", again)) == (200, "ok")


def test_an_unbound_token_is_refused_with_a_proof(alice: Person) -> None:
    access = alice.log_in().access

    assert outcome(get("/anything", Prover().headers("GET", "/anything", access=access))) == (
        401,
        "invalid_access_token",
    )
    assert outcome(get("/anything", {"Authorization": f"Bearer {access}"})) == (200, "ok")


@pytest.mark.skipif(
    django_settings.AUTH_USER_MODEL == "authsvc_accounts.User", reason="the standalone project has no ATOMIC_REQUESTS"
)
def test_the_proof_of_a_request_that_was_rolled_back_can_be_sent_again(alice: Person) -> None:
    api = ProvingApi()
    access = bound_session(alice, api=api).access
    before = UsedProof.objects.count()
    headers = api.prover.headers("POST", "/anything", access=access)

    answers = [Api().client.post("/anything", headers=headers).status_code for _ in range(2)]

    # DRF refuses the method after the authentication, and the view's transaction is rolled back.
    assert answers == [405, 405]
    assert UsedProof.objects.count() == before
