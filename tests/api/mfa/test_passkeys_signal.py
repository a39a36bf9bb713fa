import pytest
from pytest_django import Settings
from webauthn.helpers import bytes_to_base64url

from tests.authenticator import Authenticator
from tests.client import PASSWORD
from tests.passkeys import begin, register
from tests.people import Person

URL = "/v1/passkeys/signal"


def test_the_answer_is_the_argument_of_the_signal(alice: Person, bob: Person) -> None:
    session, authenticator = alice.log_in(), Authenticator()
    user_id = begin(session)["public_key"]["user"]["id"]
    for _ in range(2):
        register(session, authenticator)
    register(bob.log_in(), Authenticator())

    answer = session.api.get(URL, token=session.access)

    assert answer.data == {
        "rpId": "localhost",
        "userId": user_id,
        "allAcceptedCredentialIds": [bytes_to_base64url(credential.id) for credential in authenticator.credentials],
    }


def test_a_removed_passkey_is_no_longer_accepted(alice: Person) -> None:
    session, authenticator = alice.log_in(), Authenticator()
    register(session, authenticator)
    (credential,) = authenticator.credentials
    path = f"/v1/passkeys/{bytes_to_base64url(credential.id)}"
    session.api.delete(path, {"password": PASSWORD}, token=session.access)

    answer = session.api.get(URL, token=session.access)

    assert answer.data["allAcceptedCredentialIds"] == []


def test_the_domain_is_that_of_the_setting(alice: Person, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "WEBAUTHN_RP_ID": "example.com"}
    session = alice.log_in()

    assert session.api.get(URL, token=session.access).data["rpId"] == "example.com"


@pytest.mark.parametrize(
    ("token", "status", "code"), [(None, 401, "missing_auth_header"), ("x", 401, "invalid_access_token")]
)
def test_a_caller_without_a_token_is_refused(alice: Person, token: str | None, status: int, code: str) -> None:
    answer = alice.api.get(URL, token=token)

    assert (answer.status, answer.code) == (status, code)


def test_without_an_encryption_key_passkeys_are_not_configured(alice: Person, settings: Settings) -> None:
    session = alice.log_in()

    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "ENCRYPTION_KEY": ""}

    answer = alice.api.get(URL, token=session.access)
    assert (answer.status, answer.code) == (404, "passkeys_not_configured")
