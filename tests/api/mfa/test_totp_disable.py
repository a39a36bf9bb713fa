import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from accounts.models import Account, Event
from mfa.models import RecoveryCode, Totp
from sessions_app.models import Family
from tests.client import PASSWORD, Answer, Api
from tests.mails import delivered, text_of
from tests.people import Person, SignedIn, existing_session
from tests.second_factors import (
    begin_totp,
    complete_by_recovery_code,
    complete_by_totp,
    enroll_totp,
    generate_codes,
    lock,
    pause,
)

pytestmark = pytest.mark.usefixtures("travel")


def disable(session: SignedIn, password: object = PASSWORD) -> Answer:
    return session.api.post("/v1/totp/disable", {"password": password}, token=session.access)


def test_a_login_after_the_removal_of_the_app_issues_tokens(api: Api, alice: Person) -> None:
    session = existing_session(alice)
    enroll_totp(session)

    answer = disable(session)

    assert (answer.status, answer.body) == (200, {"data": {"status": "totp disabled"}})
    assert set(api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).data) == {
        "access_token",
        "refresh_token",
    }
    assert not Totp.objects.exists()


def test_the_removal_is_recorded_and_mailed_with_device_and_place(alice_abroad: Person) -> None:
    session = alice_abroad.log_in()
    enroll_totp(session)
    delivered(alice_abroad.email)

    disable(session)

    event = Event.objects.get(type="totp_disabled")
    assert (event.user_id, event.ip, event.metadata) == (alice_abroad.user_id, "8.8.8.8", {})
    (mail,) = delivered(alice_abroad.email)
    assert mail["Subject"] == "A second factor was removed from your account at localhost"
    text = text_of(mail)
    assert "authenticator app" in text
    assert "When: 1 March 2026, 12:00 UTC\nDevice: Chrome on macOS\nPlace: US\nIP address: 8.8.8.8\n" in text


def test_an_absent_app_is_reported_before_the_password_is_checked(alice: Person) -> None:
    session = existing_session(alice)

    never, twice = disable(session, "wrong"), disable(session)
    begin_totp(session)
    unconfirmed = disable(session, "wrong")

    assert {(answer.status, answer.code) for answer in (never, twice, unconfirmed)} == {(400, "totp_not_enabled")}
    assert alice.account().failed_attempts == 0
    assert Totp.objects.count() == 1


def test_a_wrong_password_keeps_the_app_and_counts_as_a_failure(alice: Person) -> None:
    session = existing_session(alice)
    enroll_totp(session)

    answer = disable(session, "wrong")

    assert (answer.status, answer.code) == (401, "invalid_credentials")
    assert alice.account().failed_attempts == 1
    assert Event.objects.filter(type="login_failed", user_id=alice.user_id).count() == 1
    assert pause(alice)


def test_five_wrong_passwords_lock_the_account_and_no_further_password_is_checked(
    alice: Person, travel: time_machine.Traveller
) -> None:
    session = existing_session(alice)
    enroll_totp(session)

    answers = [disable(session, "wrong") for _ in range(5)]
    answers += [disable(session, "wrong"), disable(session)]

    assert {(answer.status, answer.code) for answer in answers} == {(401, "invalid_credentials")}
    assert alice.account().failed_attempts == 5
    travel.shift(899)
    assert disable(session).code == "invalid_credentials"
    travel.shift(1)
    assert disable(session.refreshed()).status == 200


def test_a_locked_account_without_an_app_gets_totp_not_enabled(alice: Person) -> None:
    session = existing_session(alice)
    lock(alice)

    assert disable(session).code == "totp_not_enabled"


def test_a_pending_login_cannot_be_completed_by_a_removed_app(api: Api, alice: Person) -> None:
    session = existing_session(alice)
    app = enroll_totp(session)
    code, *_ = generate_codes(session)
    pending = pause(alice)
    disable(session)

    answer = complete_by_totp(api, pending, app.code())

    assert (answer.status, answer.code) == (400, "totp_not_enabled")
    assert complete_by_recovery_code(api, pending, code).status == 200


def test_a_new_app_shares_neither_secret_nor_used_steps_with_the_old_app(
    api: Api, alice: Person, travel: time_machine.Traveller
) -> None:
    session = existing_session(alice)
    old = enroll_totp(session)
    complete_by_totp(api, pause(alice), old.code())
    disable(session)

    new = enroll_totp(session)

    pending = pause(alice)
    travel.shift(30)
    assert complete_by_totp(api, pending, old.code()).code == "invalid_totp_code"
    assert complete_by_totp(api, pending, new.code(steps=-1)).status == 200


def test_recovery_codes_survive_the_removal_of_the_app(alice: Person) -> None:
    session = existing_session(alice)
    enroll_totp(session)
    generate_codes(session)

    disable(session)

    assert RecoveryCode.objects.filter(used_at=None).count() == 10


def test_the_app_of_another_user_is_not_removed(alice: Person, bob: Person) -> None:
    session = existing_session(alice)
    enroll_totp(session)
    enroll_totp(existing_session(bob))

    disable(session)

    assert [str(totp.pk) for totp in Totp.objects.all()] == [bob.user_id]


@pytest.mark.parametrize("body", [{}, {"password": None}, {"password": 5}, {"password": "a\0"}])
def test_a_body_without_a_password_is_malformed_with_and_without_an_app(alice: Person, body: object) -> None:
    session = existing_session(alice)

    answer = session.api.post("/v1/totp/disable", body, token=session.access)

    assert (answer.status, answer.code) == (400, "bad_request")
    assert answer.body["error"]["message"].startswith("password: ")


def test_password_attempts_are_limited_per_minute(
    settings: Settings, alice: Person, travel: time_machine.Traveller
) -> None:
    session = existing_session(alice)
    enroll_totp(session)
    travel.shift(600)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "RATE_LIMITS": "password=1/m"}

    assert disable(session, "wrong").code == "invalid_credentials"
    answer = disable(session)

    assert (answer.status, answer.code) == (429, "rate_limited")
    assert alice.account().failed_attempts == 1
    travel.shift(int(answer.headers["Retry-After"]))
    assert disable(session).status == 200


def test_the_request_reads_the_account_and_its_session_once_before_the_lock_and_once_under_it(alice: Person) -> None:
    session = existing_session(alice)
    enroll_totp(session)

    with CaptureQueriesContext(connection) as statements:
        assert disable(session).status == 200

    reads = [one["sql"] for one in statements if one["sql"].startswith("SELECT")]
    assert len([sql for sql in reads if f'FROM "{Account._meta.db_table}"' in sql]) == 2
    assert len([sql for sql in reads if Family._meta.db_table in sql]) == 2
