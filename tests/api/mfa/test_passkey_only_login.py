"""Logins with a passkey alone, without an address or a password."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.db import connection
from pytest_django import Settings
from webauthn.helpers import base64url_to_bytes

from accounts.models import Event
from core import clock
from mfa.models import Ceremony, Passkey
from sessions_app.models import Family
from tests.authenticator import (
    BACKED_UP,
    BACKUP_ELIGIBLE,
    PRESENT,
    VERIFIED,
    Authenticator,
    Credential,
    EdDsa,
    Es256,
    FalseValues,
    Key,
    Rs256,
)
from tests.client import CHROME_ON_MAC, PASSWORD, Answer, Api
from tests.mails import delivered, token_in
from tests.passkeys import begin, begin_alone, complete, enroll, finish, finish_alone, log_in_alone, register
from tests.people import Person, SignedIn
from tests.second_factors import enroll_totp, lock, pause

WRONG = (401, "invalid_passkey_response")


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


def failures() -> list[tuple[str | None, str]]:
    """Return the user and the reason of each recorded failure."""
    events = Event.objects.filter(type="passkey_challenge_failed").order_by("created_at", "id")
    return [(event.user_id, event.metadata["reason"]) for event in events]


def signs_in_alone(session: SignedIn) -> list[bool]:
    """Return the member of each passkey in the list, the newest first."""
    return [passkey["signs_in_alone"] for passkey in session.api.get("/v1/passkeys", token=session.access).data]


def test_begin_answers_options_for_every_discoverable_passkey(api: Api) -> None:
    ceremony = begin_alone(api)

    options = ceremony["public_key"]
    assert options == {
        "challenge": options["challenge"],
        "timeout": 300_000,
        "rpId": "localhost",
        "allowCredentials": [],
        "userVerification": "required",
    }
    assert len(base64url_to_bytes(options["challenge"])) == 32
    assert set(ceremony) == {"public_key", "ceremony_token"}
    assert ceremony["ceremony_token"].startswith("sct_")


@pytest.mark.parametrize("key", [Es256, EdDsa, Rs256])
def test_a_passkey_signs_in_alone(api: Api, alice: Person, key: type[Key]) -> None:
    authenticator = Authenticator(key=key)
    enroll(alice, authenticator)

    answer = log_in_alone(api, authenticator)

    assert answer.status == 200
    assert set(answer.data) == {"access_token", "refresh_token"}
    assert api.get("/v1/verify", token=answer.data["access_token"]).data == {"user_id": alice.user_id}
    assert api.post("/v1/refresh", {"refresh_token": answer.data["refresh_token"]}).status == 200
    newest = Event.objects.filter(type="login_success").latest("created_at", "id")
    assert (newest.user_id, newest.metadata) == (alice.user_id, {"method": "passkey"})


def test_the_login_does_not_pause_for_another_factor(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    enroll_totp(enroll(alice, authenticator))

    assert set(log_in_alone(api, authenticator).data) == {"access_token", "refresh_token"}


def test_the_session_has_the_device_and_address_of_the_request(alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    caller = Api(ip="198.51.100.9", user_agent=CHROME_ON_MAC)

    tokens = log_in_alone(caller, authenticator).data

    session = caller.get("/v1/sessions", token=tokens["access_token"]).data[0]
    assert (session["ip"], session["label"]) == ("198.51.100.9", "Chrome on macOS")


def test_the_login_stores_the_use_of_the_passkey(api: Api, alice: Person) -> None:
    authenticator = Authenticator(is_backup_eligible=True)
    enroll(alice, authenticator)
    authenticator.is_backed_up = True

    assert log_in_alone(api, authenticator, count=7).status == 200

    passkey = Passkey.objects.get()
    assert (passkey.sign_count, passkey.is_backed_up, passkey.user_verified) == (7, True, True)
    assert passkey.last_used_at is not None


def test_the_login_finds_the_account_of_the_passkey(api: Api, alice: Person, bob: Person) -> None:
    shared = Authenticator()
    enroll(alice, shared)
    enroll(bob, shared)

    users = []
    for credential in shared.credentials[:]:
        shared.credentials = [credential]
        token = log_in_alone(api, shared).data["access_token"]
        users.append(api.get("/v1/verify", token=token).data["user_id"])

    assert users == [alice.user_id, bob.user_id]


FALSE_VALUES: dict[str, FalseValues] = {
    "an unverified user": {"flags": PRESENT},
    "an absent user": {"flags": VERIFIED},
    "another challenge": {"challenge": b"x" * 32},
    "another origin": {"origin": "https://evil.example"},
    "a frame in a page of another site": {"cross_origin": True},
    "another domain": {"rp_id": "evil.example"},
    "a registration": {"type": "webauthn.create"},
    "backed up though it cannot be": {"flags": PRESENT | VERIFIED | BACKED_UP},
    "to be backed up, which it was not": {"flags": PRESENT | VERIFIED | BACKUP_ELIGIBLE},
    "a wrong signature": {"signature": b"x" * 70},
    "another id": {"id": "eHh4"},
}


@pytest.mark.parametrize("false_values", FALSE_VALUES.values(), ids=FALSE_VALUES)
def test_an_invalid_response_is_refused_and_does_not_count_for_the_lock(
    api: Api, alice: Person, false_values: FalseValues
) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)

    assert refusal(log_in_alone(api, authenticator, **false_values)) == WRONG

    assert failures() == [(alice.user_id, "wrong")]
    assert alice.account().failed_attempts == 0
    assert Family.objects.count() == 1
    assert Passkey.objects.get().last_used_at is None


@pytest.mark.parametrize("handle", [None, b"", b"x"])
def test_the_user_handle_is_required(api: Api, alice: Person, handle: bytes | None) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)

    assert refusal(log_in_alone(api, authenticator, user_handle=handle)) == WRONG

    assert failures() == [(alice.user_id, "foreign")]


def test_the_user_handle_of_another_account_is_refused(api: Api, alice: Person, bob: Person) -> None:
    hers, his = Authenticator(), Authenticator()
    enroll(alice, hers)
    enroll(bob, his)

    assert refusal(log_in_alone(api, hers, user_handle=his.credentials[0].user_handle)) == WRONG

    assert Family.objects.count() == 2


def test_an_unknown_passkey_is_refused(api: Api, alice: Person) -> None:
    stranger = Authenticator(credentials=[Credential(key=Es256(), user_handle=b"x" * 32)])

    assert refusal(log_in_alone(api, stranger)) == WRONG

    assert failures() == [(None, "foreign")]


@pytest.mark.parametrize("credential", [{}, {"id": 5}, {"response": []}, {"rawId": "é", "id": "é"}])
def test_a_malformed_credential_is_refused(api: Api, credential: dict[str, Any]) -> None:
    assert refusal(finish_alone(api, begin_alone(api), credential)) == WRONG

    assert failures() == [(None, "wrong")]


def test_a_signature_counter_that_does_not_rise_is_refused_and_recorded(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    log_in_alone(api, authenticator, count=9)

    for count in (0, 8, 9):
        assert refusal(log_in_alone(api, authenticator, count=count)) == WRONG

    assert failures() == [(alice.user_id, "counter")] * 3
    assert Passkey.objects.get().sign_count == 9
    assert log_in_alone(api, authenticator, count=10).status == 200


def test_a_removed_passkey_is_refused(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    session = enroll(alice, authenticator)
    (passkey,) = session.api.get("/v1/passkeys", token=session.access).data
    path = f"/v1/passkeys/{passkey['credential_id']}"
    assert session.api.delete(path, {"password": PASSWORD}, token=session.access).status == 200

    assert refusal(log_in_alone(api, authenticator)) == WRONG


def test_a_passkey_of_a_session_that_logged_in_long_ago_is_a_second_factor_only(api: Api, alice: Person) -> None:
    early, late = Authenticator(), Authenticator()
    session = alice.log_in()
    with time_machine.travel(clock.now() + timedelta(seconds=299)):
        assert register(session, early).status == 200
    with time_machine.travel(clock.now() + timedelta(seconds=301)):
        session = session.refreshed()
        assert register(session, late).status == 200

        assert signs_in_alone(session) == [False, True]
        assert refusal(log_in_alone(api, late)) == WRONG
        assert failures() == [(alice.user_id, "second_factor_only")]
        assert log_in_alone(api, early).status == 200
        assert complete(api, pause(alice), late).status == 200


def test_the_time_of_the_finished_registration_decides(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    session = alice.log_in()
    with time_machine.travel(clock.now() + timedelta(seconds=200)):
        ceremony = begin(session)
    with time_machine.travel(clock.now() + timedelta(seconds=400)):
        assert finish(session, ceremony, authenticator.create(ceremony["public_key"])).status == 200

    assert signs_in_alone(session) == [False]


def test_only_the_login_of_the_registering_session_counts(api: Api, alice: Person) -> None:
    stolen, authenticator = alice.log_in(), Authenticator()

    with time_machine.travel(clock.now() + timedelta(seconds=301)):
        alice.log_in()
        assert register(stolen, authenticator).status == 200
        assert refusal(log_in_alone(api, authenticator)) == WRONG


def test_a_passkey_that_did_not_verify_its_user_at_registration_is_a_second_factor_only(
    api: Api, alice: Person
) -> None:
    authenticator = Authenticator(is_verifying=False)
    session = enroll(alice, authenticator)

    authenticator.is_verifying = True

    assert signs_in_alone(session) == [False]
    assert refusal(log_in_alone(api, authenticator)) == WRONG
    assert complete(api, pause(alice), authenticator).status == 200


def test_a_passkey_from_before_the_column_is_a_second_factor_only(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    # The migration gives the column's default to every older row.
    default: Any = Passkey._meta.get_field("signs_in_alone").db_default
    Passkey.objects.update(signs_in_alone=default)

    assert refusal(log_in_alone(api, authenticator)) == WRONG
    assert complete(api, pause(alice), authenticator).status == 200


def test_a_ceremony_works_once(api: Api, alice: Person) -> None:
    authenticator = Authenticator(counts=False)
    enroll(alice, authenticator)
    ceremony = begin_alone(api)
    credential = authenticator.get(ceremony["public_key"])
    assert finish_alone(api, ceremony, credential).status == 200

    assert refusal(finish_alone(api, ceremony, credential)) == (400, "invalid_ceremony_token")
    assert refusal(finish_alone(api, begin_alone(api), credential)) == WRONG


def test_a_refused_response_spends_the_ceremony(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    ceremony = begin_alone(api)
    assert refusal(finish_alone(api, ceremony, {})) == WRONG

    answer = finish_alone(api, ceremony, authenticator.get(ceremony["public_key"]))

    assert refusal(answer) == (400, "invalid_ceremony_token")


def test_a_ceremony_expires(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    ceremony = begin_alone(api)

    with time_machine.travel(clock.now() + timedelta(seconds=301)):
        answer = finish_alone(api, ceremony, authenticator.get(ceremony["public_key"]))

    assert refusal(answer) == (400, "invalid_ceremony_token")


def test_a_locked_account_signs_in_and_stays_locked(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    lock(alice)

    assert log_in_alone(api, authenticator).status == 200

    assert api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).code == "account_locked"


def test_the_login_resets_the_failures(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    api.post("/v1/login", {"email": alice.email, "password": "wrong"})
    assert alice.account().failed_attempts == 1

    log_in_alone(api, authenticator)

    assert alice.account().failed_attempts == 0


def test_a_takeover_by_the_mailbox_ends_the_passkey(api: Api, alice: Person) -> None:
    authenticator = Authenticator()
    enroll(alice, authenticator)
    delivered(alice.email)
    api.post("/v1/password/forgot", {"email": alice.email})
    body = {"token": token_in(delivered(alice.email)[-1]), "new_password": "another good password"}
    assert api.post("/v1/password/reset", body).status == 200

    assert refusal(log_in_alone(api, authenticator)) == WRONG


def test_without_an_encryption_key_passkeys_are_not_configured(api: Api, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "ENCRYPTION_KEY": ""}

    for path in ("/v1/passkey-login/begin", "/v1/passkey-login/finish"):
        assert refusal(api.post(path, {})) == (404, "passkeys_not_configured")


@pytest.mark.parametrize("member", ["ceremony_token", "credential"])
@pytest.mark.parametrize("value", [None, 5, [{}]])
def test_a_member_of_the_wrong_type_is_named(api: Api, member: str, value: object) -> None:
    body = {"ceremony_token": "", "credential": {}, member: value}

    answer = api.post("/v1/passkey-login/finish", body)

    assert refusal(answer) == (400, "bad_request")
    assert member in answer.body["error"]["message"]


def statements_of(call: Callable[[], Answer]) -> tuple[list[str], Answer]:
    """Return the statements of the call without their parameters, and its answer."""
    statements: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *others: Any) -> Any:
        # The name of a savepoint contains a number.
        statements.extend([sql] if "SAVEPOINT" not in sql else [])
        return execute(sql, *others)

    with connection.execute_wrapper(note):
        answer = call()
    return statements, answer


def test_a_refusal_does_not_show_whether_the_passkey_or_its_account_exists(api: Api, alice: Person) -> None:
    known, second_factor = Authenticator(), Authenticator()
    session = enroll(alice, known)
    register(session, second_factor)
    Passkey.objects.filter(credential_id=second_factor.credentials[0].id).update(signs_in_alone=False)
    handle = known.credentials[0].user_handle
    unknown = Authenticator(credentials=[Credential(key=Es256(), user_handle=handle)])
    attempts: list[tuple[Authenticator, FalseValues]] = [
        (unknown, {}),
        (unknown, {"user_handle": b"x" * 32}),
        (known, {"user_handle": b"x" * 32}),
        (known, {"signature": b"x" * 70}),
        (known, {"flags": PRESENT}),
        (second_factor, {}),
    ]

    seen = []
    for authenticator, false_values in attempts:
        ceremony = begin_alone(api)
        credential = authenticator.get(ceremony["public_key"], **false_values)
        seen.append(statements_of(partial(finish_alone, api, ceremony, credential)))

    assert {refusal(answer) for _, answer in seen} == {WRONG}
    assert len({str(answer.body) for _, answer in seen}) == 1
    assert [statements for statements, _ in seen] == [seen[0][0]] * len(attempts)


def test_the_ceremony_belongs_to_no_account_and_is_pruned_with_the_others(api: Api) -> None:
    begin_alone(api)

    ceremony = Ceremony.objects.get()

    assert (ceremony.account_id, ceremony.purpose) == (None, "only")
