from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from pytest_django import Settings

from accounts.models import Event, MailToken
from tests.client import PASSWORD, Answer, Api
from tests.mails import delivered, text_of, token_in
from tests.people import Person, SignedIn, existing_session, sign_up
from tests.second_factors import lock

SENT = {"status": "verification sent"}
VERIFIED = {"status": "email verified"}


@pytest.fixture
def use(settings: Settings) -> Callable[..., None]:
    """Change settings of the service."""

    def change(**variables: str) -> None:
        settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **variables}

    return change


def request(session: SignedIn) -> Answer:
    return session.api.post("/v1/email/verify/request", token=session.access)


def confirm(token: str, *, access: str | None = None, **members: object) -> Answer:
    return Api().post("/v1/email/verify/confirm", {"token": token, **members}, token=access)


def link(session: SignedIn) -> str:
    assert request(session).data == SENT
    return token_in(delivered(session.person.email)[-1])


def is_proven(person: Person) -> bool:
    return person.account().email_proven_at is not None


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


def test_the_link_and_the_password_verify_the_address(alice: Person) -> None:
    session = existing_session(alice)

    answer = confirm(link(session), password=PASSWORD)

    assert answer.data == VERIFIED
    assert is_proven(alice)
    assert session.is_live()


def test_the_link_and_an_access_token_verify_the_address(alice: Person) -> None:
    session = existing_session(alice)

    assert confirm(link(session), access=session.access).data == VERIFIED
    assert is_proven(alice)


def test_the_mail_after_the_verification_lists_what_the_account_holds(alice: Person) -> None:
    session = existing_session(alice)

    confirm(link(session), access=session.access)

    (mail,) = delivered(alice.email)
    assert "- Session: Chrome on macOS" in text_of(mail)


def test_the_link_alone_verifies_nothing(alice: Person) -> None:
    token = link(existing_session(alice))

    answer = confirm(token)

    assert refusal(answer) == (400, "bad_request")
    assert answer.body["error"]["message"].startswith("password:")
    assert not is_proven(alice)
    assert confirm(token, password=PASSWORD).status == 200


def test_a_wrong_password_is_counted_and_keeps_the_link(alice: Person) -> None:
    token = link(alice.log_in())

    assert refusal(confirm(token, password="wrong")) == (401, "invalid_credentials")

    assert alice.account().failed_attempts == 1
    assert not is_proven(alice)
    assert confirm(token, password=PASSWORD).status == 200


def test_a_wrong_password_is_refused_beside_an_access_token(alice: Person) -> None:
    session = existing_session(alice)

    assert refusal(confirm(link(session), access=session.access, password="wrong")) == (401, "invalid_credentials")


def test_no_password_is_checked_while_the_account_is_locked(alice: Person) -> None:
    token = link(existing_session(alice))
    lock(alice)

    assert refusal(confirm(token, password=PASSWORD)) == (401, "invalid_credentials")
    assert not is_proven(alice)


def test_the_access_token_of_another_account_verifies_nothing(alice: Person, bob: Person) -> None:
    token = link(existing_session(alice))
    of_bob = bob.log_in()

    for members in ({}, {"password": PASSWORD}):
        answer = confirm(token, access=of_bob.access, **members)
        assert refusal(answer) == (400, "verification_token_invalid")

    assert not is_proven(alice)
    assert not is_proven(bob)


def test_an_access_token_that_is_not_valid_is_no_proof(alice: Person) -> None:
    session = existing_session(alice)
    token = link(session)
    session.api.post("/v1/logout-all", token=session.access)

    for access in (session.access, session.refresh, "garbage"):
        assert refusal(confirm(token, access=access)) == (400, "bad_request")

    assert not is_proven(alice)


@pytest.mark.parametrize("token", ["", "x", "A" * 43])
def test_an_unknown_token_is_invalid(alice: Person, token: str) -> None:
    assert refusal(confirm(token, password=PASSWORD)) == (400, "verification_token_invalid")


def test_a_link_works_once_and_voids_the_others(alice: Person) -> None:
    session = existing_session(alice)
    first, second = link(session), link(session)

    assert confirm(second, password=PASSWORD).status == 200

    for token in (first, second):
        assert confirm(token, password=PASSWORD).code == "verification_token_invalid"


def test_three_links_work_at_a_time(alice: Person) -> None:
    session = existing_session(alice)
    first, second, _, _ = (link(session) for _ in range(4))

    assert confirm(first, password=PASSWORD).code == "verification_token_invalid"
    assert confirm(second, password=PASSWORD).status == 200


def test_a_link_expires_after_a_day(alice: Person) -> None:
    token = link(existing_session(alice))

    with time_machine.travel(datetime.now(UTC) + timedelta(seconds=86_401)):  # noqa: TID251
        assert refusal(confirm(token, password=PASSWORD)) == (400, "verification_token_expired")


def test_a_verification_link_is_no_magic_link_and_no_change(alice: Person) -> None:
    token = link(alice.log_in())

    for path in ("/v1/magic-link/complete", "/v1/email/confirm-change"):
        assert Api().post(path, {"token": token}).code == "verification_token_invalid"


def test_a_change_of_the_password_voids_the_link(alice: Person) -> None:
    session = alice.log_in()
    token = link(session)
    body = {"current_password": PASSWORD, "new_password": "another good password"}
    session.api.post("/v1/change-password", body, token=session.access)

    assert confirm(token, password="another good password").code == "verification_token_invalid"


def test_a_verified_address_gets_no_further_mail(alice: Person) -> None:
    session = existing_session(alice)
    confirm(link(session), password=PASSWORD)
    delivered(alice.email)

    assert request(session).data == VERIFIED
    assert not delivered(alice.email)


def test_a_verified_address_is_not_taken_over_by_a_magic_link(alice: Person) -> None:
    session = alice.log_in()
    confirm(link(session), password=PASSWORD)
    Api().post("/v1/magic-link/request", {"email": alice.email})
    token = token_in(delivered(alice.email)[-1])

    assert Api().post("/v1/magic-link/complete", {"token": token}).status == 200

    assert session.is_live()
    assert alice.log_in().is_live()


def test_without_mail_a_link_is_not_configured(alice: Person, use: Callable[..., None]) -> None:
    session = existing_session(alice)
    use(EMAIL_URL="off")

    assert refusal(request(session)) == (404, "not_configured")


def test_a_sign_up_mails_a_link_that_the_password_completes(use: Callable[..., None]) -> None:
    use(EMAIL_VERIFICATION="on")
    alice = sign_up("alice")

    (mail,) = delivered(alice.email)

    assert "/mail/verify-email#token=" in text_of(mail)
    assert confirm(token_in(mail), password=PASSWORD).data == VERIFIED
    assert is_proven(alice)


@pytest.mark.parametrize("variables", [{"EMAIL_VERIFICATION": "off"}, {"EMAIL_VERIFICATION": "on", "EMAIL_URL": "off"}])
def test_a_sign_up_creates_no_token_if_the_mail_is_off(use: Callable[..., None], variables: dict[str, str]) -> None:
    use(**variables)

    sign_up("alice")

    assert not MailToken.objects.exists()


def test_an_unverified_account_can_log_in(use: Callable[..., None]) -> None:
    use(EMAIL_VERIFICATION="on")

    assert sign_up("alice").log_in().is_live()


def test_a_verification_records_no_takeover(alice: Person) -> None:
    confirm(link(existing_session(alice)), password=PASSWORD)

    assert not Event.objects.filter(type="account_taken_over").exists()
