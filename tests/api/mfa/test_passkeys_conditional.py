"""Passkeys that a passkey manager makes without asking the user, right after it filled in the password."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from pytest_django import Settings

from core import clock
from mfa.models import Passkey
from tests.authenticator import ATTESTED, PRESENT, Authenticator
from tests.client import Answer, Api
from tests.mails import delivered, token_in
from tests.passkeys import begin, complete, finish, log_in_alone
from tests.people import Person, SignedIn
from tests.second_factors import complete_by_totp, enroll_totp, pause

BEGIN = "/v1/passkeys/register/begin"
WITHOUT_USER = ATTESTED
"""The flags of a response of a passkey manager: the user was neither present nor verified."""


def begin_conditional(session: SignedIn, *, conditional: object = True) -> Answer:
    return session.api.post(BEGIN, {"conditional": conditional}, token=session.access)


def upgrade(session: SignedIn, authenticator: Authenticator, *, flags: int = WITHOUT_USER) -> Answer:
    """Register a passkey in a conditional ceremony."""
    ceremony: dict[str, Any] = begin_conditional(session).data
    return finish(session, ceremony, authenticator.create(ceremony["public_key"], flags=flags))


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


def sign_in_by_link(person: Person) -> SignedIn:
    person.api.post("/v1/magic-link/request", {"email": person.email})
    tokens = person.api.post("/v1/magic-link/complete", {"token": token_in(delivered(person.email)[-1])}).data
    return SignedIn(person=person, api=person.api, access=tokens["access_token"], refresh=tokens["refresh_token"])


def test_the_options_ask_for_a_discoverable_passkey(alice: Person) -> None:
    options = begin_conditional(alice.log_in()).data["public_key"]

    assert options["authenticatorSelection"] == {
        "residentKey": "required",
        "requireResidentKey": True,
        "userVerification": "preferred",
    }


def test_a_passkey_without_user_presence_is_registered_and_signs_in_alone(alice: Person, api: Api) -> None:
    session, authenticator = alice.log_in(), Authenticator()

    assert upgrade(session, authenticator).data == {"status": "passkey registered"}

    (passkey,) = session.api.get("/v1/passkeys", token=session.access).data
    assert (passkey["user_verified"], passkey["signs_in_alone"]) == (False, True)
    assert log_in_alone(api, authenticator, flags=PRESENT).code == "invalid_passkey_response"
    assert log_in_alone(api, authenticator).status == 200
    assert complete(api, pause(alice), authenticator).status == 200


def test_a_completed_password_login_is_a_password_login(alice: Person) -> None:
    app = enroll_totp(alice.log_in())
    tokens = complete_by_totp(alice.api, pause(alice), app.code()).data
    session = SignedIn(person=alice, api=alice.api, access=tokens["access_token"], refresh=tokens["refresh_token"])

    assert upgrade(session, Authenticator()).status == 200


def test_only_a_ceremony_that_began_as_conditional_accepts_an_absent_user(alice: Person) -> None:
    session, authenticator = alice.log_in(), Authenticator()

    for body in ({}, {"conditional": False}):
        ceremony = session.api.post(BEGIN, body, token=session.access).data
        answer = finish(session, ceremony, authenticator.create(ceremony["public_key"], flags=WITHOUT_USER))
        assert refusal(answer) == (401, "invalid_passkey_response")

    assert not Passkey.objects.exists()


def test_a_login_needs_a_present_user_also_after_a_conditional_registration(alice: Person, api: Api) -> None:
    authenticator = Authenticator()
    upgrade(alice.log_in(), authenticator)

    assert refusal(complete(api, pause(alice), authenticator, flags=0)) == (401, "invalid_passkey_response")
    assert refusal(log_in_alone(api, authenticator, flags=0)) == (401, "invalid_passkey_response")


def test_the_password_login_must_be_recent(alice: Person) -> None:
    session = alice.log_in()

    with time_machine.travel(clock.now() + timedelta(seconds=299)):
        assert begin_conditional(session).status == 200
    with time_machine.travel(clock.now() + timedelta(seconds=301)):
        answer = begin_conditional(session)
        assert refusal(answer) == (400, "bad_request")
        assert "conditional" in answer.body["error"]["message"]
        assert begin(session)["public_key"], "The user can still register a passkey."


def test_the_login_must_be_by_password(alice: Person, api: Api) -> None:
    by_link = sign_in_by_link(alice)

    assert refusal(begin_conditional(by_link)) == (400, "bad_request")


def test_a_password_login_of_another_session_does_not_count(alice: Person) -> None:
    old = alice.log_in()

    with time_machine.travel(clock.now() + timedelta(seconds=301)):
        alice.log_in()
        assert refusal(begin_conditional(old)) == (400, "bad_request")


def test_a_passkey_login_is_no_password_login(alice: Person, api: Api) -> None:
    authenticator = Authenticator()
    upgrade(alice.log_in(), authenticator)
    tokens = log_in_alone(api, authenticator).data
    session = SignedIn(person=alice, api=api, access=tokens["access_token"], refresh=tokens["refresh_token"])

    assert refusal(begin_conditional(session)) == (400, "bad_request")


def test_a_conditional_ceremony_needs_no_user_verification_although_it_is_required(
    alice: Person, api: Api, settings: Settings
) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "PASSKEY_USER_VERIFICATION": "required"}
    authenticator = Authenticator()

    assert upgrade(alice.log_in(), authenticator).status == 200

    assert refusal(complete(api, pause(alice), authenticator, flags=PRESENT)) == (401, "invalid_passkey_response")
    assert complete(api, pause(alice), authenticator).status == 200


@pytest.mark.parametrize("value", [None, 1, "true", []])
def test_the_member_is_a_boolean(alice: Person, value: object) -> None:
    answer = begin_conditional(alice.log_in(), conditional=value)

    assert refusal(answer) == (400, "bad_request")
    assert "conditional" in answer.body["error"]["message"]
