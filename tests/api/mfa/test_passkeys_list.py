from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from pytest_django import Settings
from webauthn.helpers import bytes_to_base64url

from core import clock
from tests.authenticator import Authenticator
from tests.passkeys import begin, complete, enroll, finish, register
from tests.people import Person, SignedIn
from tests.second_factors import pause


def listed(session: SignedIn) -> Any:
    return session.api.get("/v1/passkeys", token=session.access).data


def test_an_account_without_passkeys_has_an_empty_list(alice: Person) -> None:
    assert listed(alice.log_in()) == []


def test_an_unused_passkey_has_no_last_use(alice: Person) -> None:
    session = alice.log_in()
    ceremony = begin(session)
    authenticator = Authenticator()
    finish(session, ceremony, authenticator.create(ceremony["public_key"]), nickname="Laptop")

    (passkey,) = listed(session)

    assert passkey == {
        "credential_id": bytes_to_base64url(authenticator.credentials[0].id),
        "nickname": "Laptop",
        "created_at": passkey["created_at"],
        "user_verified": True,
        "signs_in_alone": True,
    }
    assert abs(clock.now() - datetime.fromisoformat(passkey["created_at"])) < timedelta(minutes=1)


def test_only_a_completed_login_counts_as_a_use(alice: Person) -> None:
    authenticator = Authenticator()
    session = enroll(alice, authenticator)
    pending = pause(alice)

    complete(alice.api, pending, authenticator, origin="https://evil.example")
    assert "last_used_at" not in listed(session)[0]
    with time_machine.travel(clock.now() + timedelta(minutes=1)):
        complete(alice.api, pending, authenticator)

    (passkey,) = listed(session)
    assert set(passkey) == {
        *("credential_id", "nickname", "created_at", "last_used_at", "user_verified", "signs_in_alone"),
    }
    used, created = (datetime.fromisoformat(passkey[name]) for name in ("last_used_at", "created_at"))
    assert used - created >= timedelta(seconds=59)


def test_the_list_states_whether_the_last_use_verified_the_user(alice: Person) -> None:
    authenticator = Authenticator(is_verifying=False)
    session = enroll(alice, authenticator)
    assert listed(session)[0]["user_verified"] is False

    for is_verifying in (True, False):
        authenticator.is_verifying = is_verifying
        assert complete(alice.api, pause(alice), authenticator).status == 200
        assert listed(session)[0]["user_verified"] is is_verifying


def test_the_newest_passkey_comes_first(alice: Person) -> None:
    session = alice.log_in()
    authenticator = Authenticator()
    for _ in range(3):
        register(session, authenticator)

    ids = [passkey["credential_id"] for passkey in listed(session)]

    assert ids == [bytes_to_base64url(credential.id) for credential in reversed(authenticator.credentials)]


def test_each_user_sees_only_their_own_passkeys(alice: Person, bob: Person) -> None:
    enroll(alice, Authenticator())

    assert listed(bob.log_in()) == []


@pytest.mark.parametrize(
    ("token", "status", "code"), [(None, 401, "missing_auth_header"), ("x", 401, "invalid_access_token")]
)
def test_a_caller_without_a_token_sees_no_passkeys(alice: Person, token: str | None, status: int, code: str) -> None:
    answer = alice.api.get("/v1/passkeys", token=token)

    assert (answer.status, answer.code) == (status, code)


def test_without_an_encryption_key_passkeys_are_not_configured(alice: Person, settings: Settings) -> None:
    session = enroll(alice, Authenticator())

    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "ENCRYPTION_KEY": ""}

    answer = alice.api.get("/v1/passkeys", token=session.access)
    assert (answer.status, answer.code) == (404, "passkeys_not_configured")
