from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.auth import get_user_model

from tests import passkeys
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Answer, Api
from tests.description import TIMESTAMP
from tests.mails import delivered, token_in
from tests.people import Person, SignedIn
from tests.second_factors import begin_totp, enroll_totp


def me(session: SignedIn) -> Answer:
    return session.api.get("/v1/me", token=session.access)


def verify_address(session: SignedIn) -> None:
    session.api.post("/v1/email/verify/request", token=session.access)
    token = token_in(delivered(session.person.email)[-1])
    session.api.post("/v1/email/verify/confirm", {"token": token, "password": PASSWORD})


def test_a_new_account_has_no_factor_and_an_unverified_address(alice: Person) -> None:
    answer = me(alice.log_in())

    assert answer.data == {
        "user_id": alice.user_id,
        "email": alice.email,
        "email_verified": False,
        "factors": [],
        "created_at": answer.data["created_at"],
    }
    assert TIMESTAMP.fullmatch(answer.data["created_at"])


def test_each_caller_sees_their_own_account(alice: Person, bob: Person) -> None:
    assert [me(person.log_in()).data["email"] for person in (alice, bob)] == [alice.email, bob.email]


def test_a_proof_of_the_address_is_shown(alice: Person) -> None:
    session = alice.log_in()

    verify_address(session)

    assert me(session).data["email_verified"] is True


def test_only_confirmed_factors_are_shown_in_the_order_of_a_paused_login(alice: Person) -> None:
    session = alice.log_in()
    begin_totp(session)
    assert me(session).data["factors"] == []

    passkeys.register(session, Authenticator())
    enroll_totp(session)

    assert me(session).data["factors"] == ["totp", "passkey"]


def test_the_token_of_an_ended_session_still_reads_the_account(alice: Person) -> None:
    session = alice.log_in()
    session.api.post("/v1/logout-all", token=session.access)

    assert me(session).status == 200


def test_a_deleted_account_is_refused(alice: Person) -> None:
    session = alice.log_in()
    session.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access)

    assert me(session).code == "invalid_access_token"


def test_a_caller_without_a_token_is_refused(api: Api) -> None:
    assert api.get("/v1/me").code == "missing_auth_header"


@pytest.mark.skipif(
    django_settings.AUTH_USER_MODEL == "authsvc_accounts.User", reason="only a host project changes users by itself"
)
def test_an_address_that_the_host_project_set_is_shown_unverified(alice: Person) -> None:
    session = alice.log_in()
    verify_address(session)
    users: Any = get_user_model()._default_manager
    users.filter(pk=alice.user_id).update(contact="carol@example.com")

    shown = me(session).data

    assert (shown["email"], shown["email_verified"]) == ("carol@example.com", False)
