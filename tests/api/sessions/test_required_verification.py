"""Logins of a deployment that requires a verified address."""

from collections.abc import Callable

import pytest
from pytest_django import Settings

from accounts.checks import check_verification
from accounts.models import Event
from tests import passkeys
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Answer, Api
from tests.mails import delivered, text_of, token_in
from tests.people import Person
from tests.second_factors import (
    complete_by_recovery_code,
    complete_by_totp,
    enroll_totp,
    generate_codes,
    pause,
    pause_by_link,
)

REFUSED = (403, "email_not_verified")


@pytest.fixture
def require(settings: Settings) -> Callable[..., None]:
    """Require a verified address from now on."""

    def change(**variables: str) -> None:
        settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "EMAIL_VERIFICATION": "required", **variables}

    return change


def log_in(person: Person, password: str = PASSWORD) -> Answer:
    return person.api.post("/v1/login", {"email": person.email, "password": password})


def confirm(person: Person) -> Answer:
    body = {"token": token_in(delivered(person.email)[-1]), "password": PASSWORD}
    return person.api.post("/v1/email/verify/confirm", body)


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


def test_a_right_password_is_refused_and_a_fresh_link_is_mailed(alice: Person, require: Callable[..., None]) -> None:
    require()

    answer = log_in(alice)

    assert refusal(answer) == REFUSED
    assert confirm(alice).status == 200
    assert log_in(alice).status == 200


def test_the_refusal_is_recorded_and_does_not_count_for_the_lock(alice: Person, require: Callable[..., None]) -> None:
    require()

    for _ in range(6):
        assert refusal(log_in(alice)) == REFUSED

    assert alice.account().failed_attempts == 0
    events = Event.objects.filter(type="login_failed", user_id=alice.user_id)
    assert {event.metadata["reason"] for event in events} == {"email_not_verified"}


def test_a_wrong_password_does_not_reveal_that_the_address_is_unverified(
    alice: Person, require: Callable[..., None]
) -> None:
    require()

    assert refusal(log_in(alice, "wrong")) == (401, "invalid_credentials")
    assert not delivered(alice.email)


def test_a_magic_link_still_logs_in(alice: Person, require: Callable[..., None]) -> None:
    require()
    alice.api.post("/v1/magic-link/request", {"email": alice.email})

    answer = alice.api.post("/v1/magic-link/complete", {"token": token_in(delivered(alice.email)[-1])})

    assert "access_token" in answer.data


def test_an_open_session_continues(alice: Person, require: Callable[..., None]) -> None:
    session = alice.log_in()
    require()

    assert session.is_live()


def test_a_paused_password_login_is_refused_until_the_address_is_verified(
    alice: Person, require: Callable[..., None]
) -> None:
    session = alice.log_in()
    app = enroll_totp(session)
    authenticator = Authenticator()
    passkeys.register(session, authenticator)
    (code, *_) = generate_codes(session)
    pending = pause(alice)
    delivered(alice.email)
    require()

    answers = [
        complete_by_totp(Api(), pending, app.code()),
        passkeys.complete(Api(), pending, authenticator),
        complete_by_recovery_code(Api(), pending, code),
    ]

    assert [refusal(answer) for answer in answers] == [REFUSED] * 3
    assert confirm(alice).status == 200
    assert complete_by_totp(Api(), pending, app.code()).status == 200


def test_a_password_login_with_a_factor_is_refused_before_it_pauses(
    alice: Person, require: Callable[..., None]
) -> None:
    enroll_totp(alice.log_in())
    require()

    assert refusal(log_in(alice)) == REFUSED


def test_a_paused_magic_link_login_is_completed_and_proves_the_address(
    alice: Person, require: Callable[..., None]
) -> None:
    app = enroll_totp(alice.log_in())
    delivered(alice.email)
    require()

    assert complete_by_totp(Api(), pause_by_link(alice), app.code()).status == 200
    assert alice.account().email_proven_at is not None


def test_beyond_the_limit_of_the_mailbox_the_login_is_refused_without_a_mail(
    alice: Person, require: Callable[..., None]
) -> None:
    limits = "mailbox=1/h,login=off,login_ip=off,edge=off,mail=off,mail_ip=off"
    bob = Person(email="limited@example.com", password=PASSWORD, user_id="", api=alice.api)
    alice.api.post("/v1/signup", {"email": bob.email, "password": PASSWORD})
    require(RATE_LIMITS=limits)

    assert [refusal(log_in(bob)) for _ in range(3)] == [REFUSED] * 3
    (mail,) = delivered(bob.email)
    assert "/mail/verify-email#token=" in text_of(mail)


@pytest.mark.parametrize(("url", "errors"), [("off", ["authsvc.E007"]), ("console://", [])])
def test_a_deployment_without_mail_cannot_require_it(require: Callable[..., None], url: str, errors: list[str]) -> None:
    require(EMAIL_URL=url)

    assert [found.id for found in check_verification()] == errors


def test_a_passkey_alone_is_refused_until_the_address_is_verified(alice: Person, require: Callable[..., None]) -> None:
    authenticator = Authenticator()
    passkeys.enroll(alice, authenticator)
    delivered(alice.email)
    require()

    wrong = passkeys.log_in_alone(Api(), authenticator, signature=b"x")
    right = passkeys.log_in_alone(Api(), authenticator)

    assert refusal(wrong) == (401, "invalid_passkey_response")
    assert refusal(right) == REFUSED
    assert confirm(alice).status == 200
    assert passkeys.log_in_alone(Api(), authenticator).status == 200
