from collections.abc import Callable
from uuid import UUID

import pytest
from pytest_django import Settings
from webauthn.helpers import bytes_to_base64url

from accounts.models import Event
from mfa.models import Passkey
from tests.authenticator import Authenticator, Credential, Es256
from tests.client import PASSWORD, Answer
from tests.mails import delivered, text_of
from tests.passkeys import begin_login, complete, enroll, finish_login, register
from tests.people import Person, SignedIn
from tests.rows import each
from tests.second_factors import pause

YUBIKEY = UUID("cb69481e-8ff7-4039-93ec-0a2729a154a8")


def remove(session: SignedIn, credential: Credential | str, password: object = PASSWORD) -> Answer:
    name = credential if isinstance(credential, str) else bytes_to_base64url(credential.id)
    return session.api.delete(f"/v1/passkeys/{name}", {"password": password}, token=session.access)


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


def test_a_login_does_not_pause_for_a_removed_passkey(alice: Person) -> None:
    authenticator = Authenticator()
    session = enroll(alice, authenticator)

    answer = remove(session, authenticator.credentials[0])

    assert (answer.status, answer.data) == (200, {"status": "passkey removed"})
    assert session.api.get("/v1/passkeys", token=session.access).data == []
    assert alice.log_in().is_live()


def test_the_other_passkeys_stay_and_logins_still_pause(alice: Person) -> None:
    first, second = Authenticator(), Authenticator()
    session = enroll(alice, first)
    register(session, second)

    remove(session, first.credentials[0])

    assert [bytes(passkey.credential_id) for passkey in Passkey.objects.all()] == [second.credentials[0].id]
    assert complete(alice.api, pause(alice), second).status == 200


def test_the_removal_is_mailed_to_the_owner_and_recorded(alice: Person) -> None:
    authenticator = Authenticator(aaguid=YUBIKEY)
    session = enroll(alice, authenticator)
    delivered(alice.email)

    remove(session, authenticator.credentials[0])

    (mail,) = delivered(alice.email)
    assert "removed" in mail["Subject"]
    assert "passkey Passkey (YubiKey 5)" in text_of(mail)
    event = Event.objects.get(type="passkey_removed")
    assert (event.user_id, event.metadata) == (alice.user_id, {"authenticator": "YubiKey 5"})


def test_a_wrong_password_removes_nothing_and_counts_as_a_failure(alice: Person) -> None:
    authenticator = Authenticator()
    session = enroll(alice, authenticator)

    assert refusal(remove(session, authenticator.credentials[0], "wrong")) == (401, "invalid_credentials")

    assert Passkey.objects.exists()
    assert alice.account().failed_attempts == 1
    assert not Event.objects.filter(type="passkey_removed").exists()


def test_five_wrong_passwords_lock_the_account_and_the_right_password_is_not_checked(alice: Person) -> None:
    authenticator = Authenticator()
    session = enroll(alice, authenticator)
    for _ in range(5):
        remove(session, authenticator.credentials[0], "wrong")

    assert refusal(remove(session, authenticator.credentials[0])) == (401, "invalid_credentials")

    assert Passkey.objects.exists()
    assert alice.api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).code == "account_locked"


@pytest.mark.parametrize(
    "credential_id", ["x", "AAAA", "%00", "%2F", "no%20base64!", "%C3%A9", "%F0%9F%97%9D", "A" * 4_000, "None"]
)
def test_an_unknown_credential_is_not_found(alice: Person, credential_id: str) -> None:
    session = enroll(alice, Authenticator())

    assert refusal(remove(session, credential_id)) == (404, "not_found")

    assert Passkey.objects.exists()


@each(
    "misspell",
    [
        lambda given: f"{given}=",
        lambda given: f"{given}%3D",
        lambda given: f"{given}==",
        lambda given: f"{given}.",
        lambda given: f"{given[:5]}%20{given[5:]}",
        lambda given: f"{given[:5]}%0A{given[5:]}",
        lambda given: given.replace("_", "%2F"),
        lambda given: given.replace("-", "+"),
        lambda given: given[:-1] + {"w": "x"}[given[-1]],
    ],
)
def test_a_credential_is_found_only_by_the_exact_id(alice: Person, misspell: Callable[[str], str]) -> None:
    session = alice.log_in()
    register(session, Authenticator(), Credential(key=Es256(), user_handle=b"", id=b"\xff\xef\xbe" * 10 + b"\xff"))
    (passkey,) = session.api.get("/v1/passkeys", token=session.access).data
    given = passkey["credential_id"]

    assert {"_", "-"} <= set(given)
    assert refusal(remove(session, misspell(given))) == (404, "not_found")
    assert remove(session, given).status == 200


def test_a_passkey_of_another_user_is_not_found(alice: Person, bob: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)

    assert refusal(remove(bob.log_in(), authenticator.credentials[0])) == (404, "not_found")

    assert Passkey.objects.exists()


def test_a_removed_passkey_is_not_found_and_may_be_registered_again(alice: Person) -> None:
    authenticator = Authenticator()
    session = enroll(alice, authenticator)
    remove(session, authenticator.credentials[0])

    assert refusal(remove(session, authenticator.credentials[0])) == (404, "not_found")
    assert register(session, Authenticator(), authenticator.credentials[0]).status == 200


def test_the_longest_credential_id_can_be_removed(alice: Person) -> None:
    session = alice.log_in()
    authenticator = Authenticator()
    register(session, authenticator, Credential(key=Es256(), user_handle=b"", id=b"\xff" * 1023))
    (passkey,) = session.api.get("/v1/passkeys", token=session.access).data

    assert remove(session, passkey["credential_id"]).status == 200


@pytest.mark.parametrize("password", [None, 5, ["x"], "a\0b"])
def test_a_password_of_the_wrong_type_is_named(alice: Person, password: object) -> None:
    answer = remove(enroll(alice, Authenticator()), "x", password)

    assert refusal(answer) == (400, "bad_request")
    assert "password" in answer.body["error"]["message"]


def test_a_pending_login_is_refused_after_the_last_passkey_is_removed(alice: Person) -> None:
    authenticator = Authenticator()
    session = enroll(alice, authenticator)
    pending = pause(alice)
    ceremony = begin_login(alice.api, pending)

    remove(session, authenticator.credentials[0])

    answer = finish_login(alice.api, pending, ceremony, authenticator.get(ceremony["public_key"]))
    assert refusal(answer) == (400, "no_passkeys_enrolled")
    assert refusal(alice.api.post("/v1/login/passkey/begin", {"pending_token": pending})) == (
        400,
        "no_passkeys_enrolled",
    )


def test_a_removed_passkey_completes_no_login_that_began_before(alice: Person) -> None:
    first, second = Authenticator(), Authenticator()
    session = enroll(alice, first)
    register(session, second)
    pending = pause(alice)
    ceremony = begin_login(alice.api, pending)

    remove(session, first.credentials[0])

    answer = finish_login(alice.api, pending, ceremony, first.get(ceremony["public_key"]))
    assert refusal(answer) == (401, "invalid_passkey_response")


def test_the_checks_run_in_the_documented_order(alice: Person, settings: Settings) -> None:
    session = enroll(alice, Authenticator())

    assert refusal(remove(session, "unknown")) == (404, "not_found")
    assert refusal(remove(session, "unknown", "wrong")) == (401, "invalid_credentials")
    assert refusal(session.api.delete("/v1/passkeys/unknown", token=session.access)) == (400, "bad_request")
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "ENCRYPTION_KEY": ""}
    assert refusal(session.api.delete("/v1/passkeys/unknown", token=session.access)) == (404, "passkeys_not_configured")
    assert refusal(session.api.delete("/v1/passkeys/unknown", token="x")) == (401, "invalid_access_token")
    assert refusal(session.api.delete("/v1/passkeys/unknown")) == (401, "missing_auth_header")
