from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from pytest_django import Settings

from accounts.models import Event, MailToken
from tests import passkeys
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Answer, Api
from tests.mails import delivered, text_of, token_in
from tests.password_resets import ask, mailed_token, prove_address, reset
from tests.people import Person, SignedIn
from tests.second_factors import complete_by_totp, enroll_totp, generate_codes, lock, pause, pause_by_link

NEW = "another good password"


def log_in(person: Person, password: str = NEW) -> Answer:
    return person.api.post("/v1/login", {"email": person.email, "password": password})


def link(person: Person) -> str:
    person.api.post("/v1/magic-link/request", {"email": person.email})
    return token_in(delivered(person.email)[-1])


def later(**delta: float) -> time_machine.travel:
    return time_machine.travel(datetime.now(UTC) + timedelta(**delta))  # noqa: TID251


def test_the_new_password_logs_in_and_the_old_one_does_not(api: Api, alice: Person) -> None:
    answer = reset(api, mailed_token(alice), NEW)

    assert answer.data == {"status": "password reset"}
    assert log_in(alice, PASSWORD).code == "invalid_credentials"
    assert log_in(alice).status == 200
    (event,) = Event.objects.filter(type="password_changed", user_id=alice.user_id)
    assert event.metadata == {"method": "password_reset"}


def test_a_token_resets_the_password_once(api: Api, alice: Person) -> None:
    token = mailed_token(alice)
    reset(api, token, NEW)

    again = reset(api, token, "a third good password")

    assert (again.status, again.code) == (400, "verification_token_invalid")
    assert log_in(alice).status == 200


def test_a_token_expires_after_half_an_hour(api: Api, alice: Person) -> None:
    token = mailed_token(alice)

    with later(seconds=1801):
        answer = reset(api, token, NEW)

    assert (answer.status, answer.code) == (400, "verification_token_expired")
    assert log_in(alice, PASSWORD).status == 200


@pytest.mark.parametrize("token", ["", "x", "A" * 43, "spt_" + "A" * 43])
def test_an_unknown_token_is_invalid(api: Api, token: str) -> None:
    assert reset(api, token, NEW).code == "verification_token_invalid"


def test_a_token_for_an_unknown_address_is_never_mailed(api: Api, alice: Person) -> None:
    ask(api, "nobody@example.com")

    assert MailToken.objects.get().account is None
    assert not delivered("nobody@example.com")


def test_tokens_of_other_purposes_do_not_reset_the_password(api: Api, alice: Person) -> None:
    session = alice.log_in()
    api.post("/v1/email/request-change", {"new_email": "new@example.com"}, token=session.access)
    change = token_in(delivered("new@example.com")[0])

    assert reset(api, link(alice), NEW).code == "verification_token_invalid"
    assert reset(api, change, NEW).code == "verification_token_invalid"


def test_a_reset_token_completes_no_other_act(api: Api, alice: Person) -> None:
    token = mailed_token(alice)

    for path in ("/v1/magic-link/complete", "/v1/email/confirm-change"):
        assert api.post(path, {"token": token}).code == "verification_token_invalid"
    assert reset(api, token, NEW).status == 200


@pytest.mark.parametrize(
    ("password", "code"),
    [("short", "password_policy_violation"), ("password123", "password_breached"), (5, "bad_request")],
)
def test_a_refused_password_does_not_spend_the_token(api: Api, alice: Person, password: object, code: str) -> None:
    token = mailed_token(alice)

    refused = reset(api, token, password)

    assert (refused.status, refused.code) == (400, code)
    assert reset(api, token, NEW).status == 200


def test_an_invalid_token_is_reported_before_a_bad_password(api: Api) -> None:
    assert reset(api, "A" * 43, "short").code == "verification_token_invalid"


def test_attempts_with_a_valid_token_are_limited_by_account(settings: Settings, api: Api, alice: Person) -> None:
    token = mailed_token(alice)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "password=2/m"}

    with time_machine.travel("2032-03-01T12:00:00Z", tick=False) as traveller:
        MailToken.objects.update(expires_at=datetime(2033, 1, 1, tzinfo=UTC))
        codes = [reset(api, token, "short").code for _ in range(3)]
        assert codes == ["password_policy_violation", "password_policy_violation", "rate_limited"]
        traveller.shift(60)

        assert reset(api, token, NEW).status == 200


def test_a_stolen_access_token_cannot_use_up_the_limit_of_resets(settings: Settings, api: Api, alice: Person) -> None:
    session, token = alice.log_in(), mailed_token(alice)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "password=1/m"}
    for _ in range(2):
        api.post("/v1/change-password", {"current_password": "x", "new_password": NEW}, token=session.access)

    assert reset(api, token, NEW).status == 200


@pytest.mark.parametrize("is_proven", [True, False])
def test_all_sessions_pending_logins_and_mailed_tokens_end(api: Api, alice: Person, is_proven: bool) -> None:
    if is_proven:
        prove_address(alice)
    session = alice.log_in()
    app = enroll_totp(session)
    pending = pause(alice)
    api.post("/v1/email/request-change", {"new_email": "new@example.com"}, token=session.access)
    change = token_in(delivered("new@example.com")[0])
    magic_link, other, token = link(alice), mailed_token(alice), mailed_token(alice)

    assert reset(api, token, NEW).status == 200

    assert not session.is_live()
    assert api.get("/v1/sessions", token=session.access).data == []
    assert complete_by_totp(api, pending, app.code()).code == "invalid_pending_login"
    assert api.post("/v1/magic-link/complete", {"token": magic_link}).code == "verification_token_invalid"
    assert api.post("/v1/email/confirm-change", {"token": change}).code == "verification_token_invalid"
    assert reset(api, other, NEW).code == "verification_token_invalid"


def test_a_change_of_the_password_voids_the_token(api: Api, alice: Person) -> None:
    session, token = alice.log_in(), mailed_token(alice)
    body = {"current_password": PASSWORD, "new_password": "a third good password"}
    assert api.post("/v1/change-password", body, token=session.access).status == 200

    assert reset(api, token, NEW).code == "verification_token_invalid"


def test_a_change_of_the_address_voids_the_token(api: Api, alice: Person) -> None:
    session, token = alice.log_in(), mailed_token(alice)
    api.post("/v1/email/request-change", {"new_email": "new@example.com"}, token=session.access)
    change = token_in(delivered("new@example.com")[0])
    assert api.post("/v1/email/confirm-change", {"token": change}).status == 200

    assert reset(api, token, NEW).code == "verification_token_invalid"


def test_the_token_of_a_deleted_account_is_invalid(api: Api, alice: Person) -> None:
    session, token = alice.log_in(), mailed_token(alice)
    api.post("/v1/delete-account", {"current_password": PASSWORD}, token=session.access)

    assert reset(api, token, NEW).code == "verification_token_invalid"


def test_a_reset_clears_the_count_of_failures(api: Api, alice: Person) -> None:
    for _ in range(4):
        log_in(alice, "wrong")

    reset(api, mailed_token(alice), NEW)

    assert alice.account().failed_attempts == 0
    assert log_in(alice, "wrong").code == "invalid_credentials"
    assert log_in(alice).status == 200


def test_a_lock_lasts_until_its_time_is_over(api: Api, alice: Person) -> None:
    lock(alice)
    before = alice.account()

    assert reset(api, mailed_token(alice), NEW).status == 200

    after = alice.account()
    assert (after.locked_until, after.locks_in_row) == (before.locked_until, before.locks_in_row)
    assert log_in(alice).code == "account_locked"
    with later(seconds=901):
        assert log_in(alice).status == 200


def test_a_proven_address_keeps_factors_and_keys_and_the_login_still_pauses(api: Api, alice: Person) -> None:
    prove_address(alice)
    session = alice.log_in()
    key = api.post("/v1/api-keys", {"name": "CI"}, token=session.access).data["key"]
    app = enroll_totp(session)
    codes = generate_codes(session)

    reset(api, mailed_token(alice), NEW)

    paused = log_in(alice).data
    assert paused["methods"] == ["totp"]
    assert complete_by_totp(api, paused["pending_token"], app.code()).status == 200
    pending = log_in(alice).data["pending_token"]
    recovered = api.post("/v1/login/recovery-code", {"pending_token": pending, "code": codes[0]})
    assert recovered.status == 200
    assert api.get("/v1/verify", headers={"X-API-Key": key}).status == 200


def move(session: SignedIn, address: str) -> Person:
    """Move the account to another address with an access token and the mailbox of that address alone."""
    session.api.post("/v1/email/request-change", {"new_email": address}, token=session.access)
    token = token_in(delivered(address)[-1])
    assert session.api.post("/v1/email/confirm-change", {"token": token}).data == {"status": "email changed"}
    return replace(session.person, email=address)


@pytest.mark.parametrize("addresses", [["eve@example.com"], ["eve@example.com", "eve2@example.com"]])
def test_a_stolen_access_token_and_a_reset_at_another_address_do_not_remove_the_factors(
    api: Api, alice: Person, addresses: list[str]
) -> None:
    prove_address(alice)
    session = alice.log_in()
    enroll_totp(session)
    moved = alice
    for address in addresses:
        moved = move(session, address)

    assert reset(api, mailed_token(moved), NEW).status == 200

    assert log_in(moved).data["methods"] == ["totp"]
    assert alice.account().email_proven_at is None
    # A second reset and a magic link give no more.
    reset(api, mailed_token(moved), NEW)
    assert log_in(moved).data["methods"] == ["totp"]
    assert pause_by_link(moved)


def test_without_a_factor_the_mailbox_of_a_new_address_takes_the_account_over(api: Api, alice: Person) -> None:
    prove_address(alice)
    session = alice.log_in()
    key = api.post("/v1/api-keys", {"name": "CI"}, token=session.access).data["key"]
    moved = move(session, "new@example.com")

    reset(api, mailed_token(moved), NEW)

    assert "access_token" in log_in(moved).data
    assert api.get("/v1/verify", headers={"X-API-Key": key}).code == "invalid_api_key"
    assert alice.account().email_proven_at


def test_a_proven_address_gets_a_notice_of_the_reset(api: Api, alice: Person) -> None:
    prove_address(alice)

    reset(api, mailed_token(alice), NEW)

    (notice,) = delivered(alice.email)
    assert notice["Subject"] == "Your password for localhost was reset"
    assert "first change the password of your mailbox" in text_of(notice)


def test_a_reset_of_a_never_proven_address_removes_the_factors_and_keys_of_a_stranger(api: Api, alice: Person) -> None:
    session = alice.log_in()
    key = api.post("/v1/api-keys", {"name": "CI"}, token=session.access).data["key"]
    generate_codes(session)
    assert passkeys.register(session, Authenticator()).status == 200
    enroll_totp(session)
    delivered(alice.email)

    assert reset(api, mailed_token(alice), NEW).status == 200

    assert "access_token" in log_in(alice).data
    assert not session.is_live()
    assert api.get("/v1/verify", headers={"X-API-Key": key}).code == "invalid_api_key"
    assert Event.objects.filter(type="account_taken_over", user_id=alice.user_id).count() == 1
    assert len(delivered(alice.email)) == 1


def test_a_reset_proves_the_address_once(api: Api, alice: Person) -> None:
    assert alice.account().email_proven_at is None
    prove_address(alice)
    proven_at = alice.account().email_proven_at
    assert proven_at is not None

    reset(api, mailed_token(alice), NEW)

    assert alice.account().email_proven_at == proven_at
    assert Event.objects.filter(type="account_taken_over").count() == 1


@pytest.mark.parametrize("body", [{}, {"token": "x"}, {"new_password": NEW}, {"token": 5, "new_password": NEW}])
def test_a_body_without_a_token_and_a_password_is_malformed(api: Api, body: object) -> None:
    assert api.post("/v1/password/reset", body).code == "bad_request"


@pytest.mark.parametrize("path", ["/v1/password/forgot", "/v1/password/reset"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_other_methods_are_refused_and_do_not_spend_the_token(api: Api, alice: Person, method: str, path: str) -> None:
    token = mailed_token(alice)

    assert api.call(method, f"{path}?token={token}").status == 405

    assert reset(api, token, NEW).status == 200
