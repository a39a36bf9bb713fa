"""The claims of an access token about the login of its session (ACCESS_TOKEN_CLAIMS)."""

from datetime import timedelta
from typing import Any

import jwt
import pytest
import time_machine
from pytest_django import Settings

from accounts.models import Account
from core.clock import now
from sessions_app.models import Family
from tests.authenticator import Authenticator
from tests.client import Api
from tests.mails import delivered, token_in
from tests.passkeys import enroll, log_in_alone
from tests.people import Person, SignedIn
from tests.second_factors import complete_by_totp, enroll_totp, pause_by_link

REGISTERED = {"iss", "sub", "aud", "exp", "nbf", "iat", "jti"}


@pytest.fixture
def _claims(settings: Settings) -> None:
    """Turn both claims on."""
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "ACCESS_TOKEN_CLAIMS": "auth_time,amr"}


def claims_of(token: str) -> dict[str, Any]:
    return jwt.decode(token, options={"verify_signature": False})


def refreshed(api: Api, tokens: dict[str, str]) -> dict[str, Any]:
    return claims_of(api.post("/v1/refresh", {"refresh_token": tokens["refresh_token"]}).data["access_token"])


def test_by_default_a_token_has_no_claim_about_the_login(alice: Person) -> None:
    assert set(claims_of(alice.log_in().access)) == REGISTERED


@pytest.mark.usefixtures("_claims")
def test_a_refresh_and_a_reauthentication_keep_the_claims_of_the_login(alice: Person) -> None:
    session = alice.log_in()
    first = claims_of(session.access)
    assert set(first) == REGISTERED | {"auth_time", "amr"}
    assert first["auth_time"] == first["iat"]

    with time_machine.travel(now() + timedelta(minutes=10)):
        second = session.refreshed()
        second.api.post("/v1/reauthenticate", {"password": alice.password}, token=second.access)
        third = claims_of(second.refreshed().access)

    assert third["iat"] > first["iat"]
    assert (third["auth_time"], third["amr"]) == (first["auth_time"], ["pwd"])


@pytest.mark.usefixtures("_claims")
def test_the_methods_name_the_first_factor_and_the_second_one(api: Api, alice: Person, bob: Person) -> None:
    authenticator = Authenticator()
    enroll(bob, authenticator)
    alone = log_in_alone(api, authenticator).data
    api.post("/v1/magic-link/request", {"email": alice.email})
    by_link = api.post("/v1/magic-link/complete", {"token": token_in(delivered(alice.email)[-1])}).data
    access, refresh = by_link["access_token"], by_link["refresh_token"]
    app = enroll_totp(SignedIn(person=alice, api=api, access=access, refresh=refresh))
    with_app = complete_by_totp(api, pause_by_link(alice), app.code(steps=1)).data

    assert claims_of(access)["amr"] == ["email"]
    assert claims_of(alone["access_token"])["amr"] == ["passkey", "mfa"]
    assert claims_of(with_app["access_token"])["amr"] == ["email", "otp", "mfa"]
    assert refreshed(api, with_app)["amr"] == ["email", "otp", "mfa"]


@pytest.mark.usefixtures("_claims")
def test_metadata_never_replace_a_claim_about_the_login(alice: Person) -> None:
    Account.objects.filter(pk=alice.account().pk).update(
        metadata={"auth_time": 1, "amr": ["otp", "mfa"], "plan": "gold"}
    )

    session = alice.log_in()

    for token in (session.access, session.refreshed().access):
        claims = claims_of(token)
        # Only a full deployment has metadata in its tokens.
        assert (claims["amr"], claims.get("plan", "gold")) == (["pwd"], "gold")
        assert claims["auth_time"] > 1


@pytest.mark.usefixtures("_claims")
def test_a_session_whose_login_is_unknown_has_neither_claim(alice: Person) -> None:
    session = alice.log_in()
    Account.objects.filter(pk=alice.account().pk).update(metadata={"amr": ["mfa"]})
    Family.objects.update(amr="")

    assert set(claims_of(session.refreshed().access)) == REGISTERED


def test_one_claim_can_be_on_alone(alice: Person, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "ACCESS_TOKEN_CLAIMS": "amr"}

    assert set(claims_of(alice.log_in().access)) == REGISTERED | {"amr"}
