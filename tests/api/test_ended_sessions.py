"""An access token stays valid for minutes after its session ended. It must not change a credential in this time."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from accounts.models import MailToken
from apikeys.models import ApiKey
from mfa.models import Passkey, RecoveryBatch, Totp
from tests import passkeys
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Answer, Api
from tests.mails import delivered, token_in
from tests.operators import only_on_full, operator
from tests.people import Person, SignedIn
from tests.second_factors import begin_totp

NEW_PASSWORD = "another horse battery"


def log_out(session: SignedIn, other: SignedIn) -> Answer:
    listed = session.api.get("/v1/sessions", token=session.access).data
    for row in listed:
        answer = session.api.post("/v1/logout", {"session_id": row["id"]}, token=session.access)
    return answer


def revoke(session: SignedIn, other: SignedIn) -> Answer:
    listed = other.api.get("/v1/sessions", token=other.access).data
    # The caller's own session comes last, because its token then ends no session.
    for row in sorted(listed, key=lambda row: row["current"]):
        answer = other.api.delete(f"/v1/sessions/{row['id']}", token=other.access)
    return answer


def log_out_everywhere(session: SignedIn, other: SignedIn) -> Answer:
    return other.api.post("/v1/logout-all", token=other.access)


def change_password(session: SignedIn, other: SignedIn) -> Answer:
    body = {"current_password": PASSWORD, "new_password": NEW_PASSWORD}
    return other.api.post("/v1/change-password", body, token=other.access)


def reuse(session: SignedIn, other: SignedIn) -> Answer:
    session.refreshed()
    answer = session.api.post("/v1/refresh", {"refresh_token": session.refresh})
    assert answer.code == "token_reused"
    return session.api.get("/v1/verify", token=session.access)


ENDS: tuple[Callable[[SignedIn, SignedIn], Answer], ...] = (
    log_out,
    revoke,
    log_out_everywhere,
    change_password,
    reuse,
)

CHANGES: Mapping[str, tuple[str, str, Mapping[str, Any]]] = {
    "change-password": ("POST", "/v1/change-password", {"current_password": PASSWORD, "new_password": NEW_PASSWORD}),
    "delete-account": ("POST", "/v1/delete-account", {"current_password": PASSWORD}),
    "email/request-change": ("POST", "/v1/email/request-change", {"new_email": "eve@example.com"}),
    "email/verify/request": ("POST", "/v1/email/verify/request", {}),
    "reauthenticate": ("POST", "/v1/reauthenticate", {"password": PASSWORD}),
    "reauthenticate/passkey/begin": ("POST", "/v1/reauthenticate/passkey/begin", {}),
    "totp/enroll": ("POST", "/v1/totp/enroll", {}),
    "totp/qr": ("GET", "/v1/totp/qr.svg", {}),
    "totp/confirm": ("POST", "/v1/totp/confirm", {"code": "123456"}),
    "totp/disable": ("POST", "/v1/totp/disable", {"password": PASSWORD}),
    "passkeys/register/begin": ("POST", "/v1/passkeys/register/begin", {}),
    "passkeys/register/finish": ("POST", "/v1/passkeys/register/finish", {"ceremony_token": "x", "credential": {}}),
    "passkey delete": ("DELETE", "/v1/passkeys/AAAA", {"password": PASSWORD}),
    "recovery-codes/generate": ("POST", "/v1/recovery-codes/generate", {}),
    "api-keys create": ("POST", "/v1/api-keys", {"name": "deploy"}),
    "api-keys delete": ("DELETE", "/v1/api-keys/01a1fd7f-8a59-70bd-8e98-a7342831606a", {}),
}


def credentials_of(person: Person) -> list[object]:
    """Return all values that a change of credentials would alter."""
    account = person.account()
    return [
        account.user.password,
        account.credentials_epoch,
        account.failed_attempts,
        *(rows.filter(account=account).count() for rows in (ApiKey.objects, Passkey.objects, Totp.objects)),
        *(rows.filter(account=account).count() for rows in (RecoveryBatch.objects, MailToken.objects)),
    ]


@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.__name__)
def test_a_token_of_an_ended_session_changes_no_credential(alice: Person, end: Callable[..., Answer]) -> None:
    session, other = alice.log_in(), alice.log_in()
    begin_totp(other)

    assert end(session, other).status == 200

    before = credentials_of(alice)
    assert set(refusals(session).values()) == {(401, "invalid_access_token")}
    assert credentials_of(alice) == before


def test_a_token_of_a_deleted_account_changes_no_credential(alice: Person) -> None:
    session = alice.log_in()
    begin_totp(session)

    session.api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access)

    assert set(refusals(session).values()) == {(401, "invalid_access_token")}
    assert not ApiKey.objects.exists()
    assert not Totp.objects.exists()


def refusals(session: SignedIn) -> dict[str, tuple[int, str]]:
    """Try each change with the token of the session. Return the status and the code of each answer."""
    answers = {
        name: session.api.call(method, path, body, token=session.access)
        for name, (method, path, body) in CHANGES.items()
    }
    return {name: (answer.status, answer.code) for name, answer in answers.items()}


def test_a_token_of_an_ended_session_can_still_verify_and_read(alice: Person) -> None:
    session = alice.log_in()
    session.api.post("/v1/logout-all", token=session.access)

    paths = ("/v1/verify", "/v1/sessions", "/v1/api-keys", "/v1/passkeys", "/v1/identities")
    read = [session.api.get(path, token=session.access) for path in paths]

    assert {answer.status for answer in read} == {200}


def test_a_token_of_an_ended_session_ends_no_session(alice: Person) -> None:
    session, other = alice.log_in(), alice.log_in()
    log_out_everywhere(session, other)
    newest = alice.log_in()
    (row,) = newest.api.get("/v1/sessions", token=newest.access).data

    answers = [
        session.api.post("/v1/logout-all", token=session.access),
        session.api.post("/v1/logout", {"session_id": row["id"]}, token=session.access),
        session.api.delete(f"/v1/sessions/{row['id']}", token=session.access),
    ]

    assert {(answer.status, answer.code) for answer in answers} == {(401, "invalid_access_token")}
    assert newest.is_live()


@only_on_full
def test_a_token_of_an_ended_operators_session_neither_reads_nor_writes(alice: Person) -> None:
    session = operator(alice)
    session.api.post("/v1/logout-all", token=session.access)
    path = f"/v1/admin/users/{alice.user_id}/metadata"

    answers = [
        session.api.get(path, token=session.access),
        session.api.call("PUT", f"{path}/plan", {"value": "gold"}, token=session.access),
        session.api.get("/v1/admin/nowhere", token=session.access),
    ]

    assert {(answer.status, answer.code) for answer in answers} == {(401, "invalid_access_token")}


def test_a_token_of_an_ended_session_does_not_count_a_wrong_password(alice: Person) -> None:
    session = alice.log_in()
    session.api.post("/v1/logout-all", token=session.access)

    answer = session.api.post("/v1/delete-account", {"current_password": "wrong"}, token=session.access)

    assert answer.code == "invalid_access_token"
    assert alice.account().failed_attempts == 0


def test_every_token_of_a_live_session_can_change_credentials_after_a_refresh_too(alice: Person) -> None:
    first = alice.log_in()
    second = first.refreshed()

    answers = [first.api.post("/v1/api-keys", {"name": "k"}, token=token) for token in (first.access, second.access)]

    assert [answer.status for answer in answers] == [201, 201]


def test_a_passkey_ceremony_ends_with_its_session(alice: Person) -> None:
    session, authenticator = alice.log_in(), Authenticator()
    begun = passkeys.begin(session)
    credential = authenticator.create(begun["public_key"])
    session.api.post("/v1/logout-all", token=session.access)

    answer = passkeys.finish(session, begun, credential)

    assert answer.code == "invalid_access_token"
    assert not Passkey.objects.exists()


@pytest.mark.parametrize("end", [revoke, log_out_everywhere, change_password, reuse], ids=lambda end: end.__name__)
def test_the_end_of_the_session_voids_a_pending_change_of_address(
    api: Api, alice: Person, end: Callable[..., Answer]
) -> None:
    session, other = alice.log_in(), alice.log_in()
    session.api.post("/v1/email/request-change", {"new_email": "eve@example.com"}, token=session.access)
    (mail,) = delivered("eve@example.com")

    end(session, other)

    answer = api.post("/v1/email/confirm-change", {"token": token_in(mail)})
    assert (answer.status, answer.code) == (400, "verification_token_invalid")


def test_a_single_logout_leaves_a_pending_change_of_address(api: Api, alice: Person) -> None:
    session, other = alice.log_in(), alice.log_in()
    session.api.post("/v1/email/request-change", {"new_email": "alice2@example.com"}, token=session.access)
    (mail,) = delivered("alice2@example.com")

    log_out(session, other)

    assert api.post("/v1/email/confirm-change", {"token": token_in(mail)}).status == 200


def test_a_live_session_of_another_account_does_not_help(alice: Person, bob: Person) -> None:
    session = alice.log_in()
    token_of_bob = bob.log_in()
    session.api.post("/v1/logout-all", token=session.access)

    answer = session.api.post("/v1/api-keys", {"name": "k"}, token=session.access)

    assert answer.code == "invalid_access_token"
    assert token_of_bob.api.post("/v1/api-keys", {"name": "k"}, token=token_of_bob.access).status == 201


def test_a_token_of_an_ended_session_uses_up_no_limit_of_the_account(alice: Person) -> None:
    session = alice.log_in()
    session.api.post("/v1/logout-all", token=session.access)
    body = {"current_password": PASSWORD, "new_password": NEW_PASSWORD}

    refused = {session.api.post("/v1/change-password", body, token=session.access).code for _ in range(11)}

    assert refused == {"invalid_access_token"}
    again = alice.log_in()
    assert again.api.post("/v1/change-password", body, token=again.access).status == 200


def test_a_token_of_an_ended_session_uses_up_no_limit_of_the_api_keys(alice: Person) -> None:
    session = alice.log_in()
    session.api.post("/v1/logout-all", token=session.access)

    refused = {session.api.post("/v1/api-keys", {"name": "k"}, token=session.access).code for _ in range(21)}

    assert refused == {"invalid_access_token"}
    again = alice.log_in()
    assert again.api.post("/v1/api-keys", {"name": "k"}, token=again.access).status == 201
