"""The link in the notice of a changed address restores the address."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from pytest_django import Settings

from accounts.host import users
from accounts.models import Event
from mfa.models import Passkey
from tests import passkeys, password_resets
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Answer, Api
from tests.mails import delivered, text_of, token_in
from tests.people import Person, SignedIn, existing_session, sign_up
from tests.second_factors import enroll_totp, generate_codes

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
THIEF = "thief@example.com"
NEW_PASSWORD = "another horse battery"


@pytest.fixture(autouse=True)
def travel() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture
def alice(alice: Person, travel: time_machine.Traveller) -> Person:
    """Alice, who proved her address more than a week ago."""
    password_resets.prove_address(alice)
    travel.shift(timedelta(days=8))
    return alice


def change(session: SignedIn, email: str = THIEF) -> None:
    """Change the address, and prove the new one by the session."""
    session.api.post("/v1/email/request-change", {"new_email": email}, token=session.access)
    body = {"token": token_in(delivered(email)[-1])}
    assert session.api.post("/v1/email/confirm-change", body, token=session.access).status == 200


def link_to(address: str) -> str:
    return token_in(delivered(address)[-1])


def undo(token: object) -> Answer:
    return Api().post("/v1/email/undo-change", {"token": token})


def log_in(email: str, password: str) -> Answer:
    return Api().post("/v1/login", {"email": email, "password": password})


def reset(email: str, password: str = NEW_PASSWORD) -> None:
    Api().post("/v1/password/forgot", {"email": email})
    body = {"token": token_in(delivered(email)[-1]), "new_password": password}
    assert Api().post("/v1/password/reset", body).status == 200


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


def test_the_owner_gets_the_account_back_from_a_thief(alice: Person) -> None:
    stolen = existing_session(alice)
    enroll_totp(stolen)
    generate_codes(stolen)
    key = stolen.api.post("/v1/api-keys", {"name": "k"}, token=stolen.access).data["key"]
    change(stolen)
    token = link_to(alice.email)
    reset(THIEF)

    answer = undo(token)

    assert answer.data == {"status": "email change undone"}
    assert not stolen.is_live()
    assert log_in(THIEF, NEW_PASSWORD).code == "invalid_credentials"
    assert log_in(alice.email, NEW_PASSWORD).code == "invalid_credentials"
    assert Api().get("/v1/verify", headers={"X-API-Key": key}).code == "invalid_api_key"
    reset(alice.email, "staple orbit lantern")
    assert "access_token" in log_in(alice.email, "staple orbit lantern").data
    assert alice.account().email_proven_at is not None


def test_a_factor_of_before_the_last_day_stays_and_a_later_one_ends(
    alice: Person, travel: time_machine.Traveller
) -> None:
    session = existing_session(alice)
    passkeys.register(session, Authenticator())
    travel.shift(timedelta(days=1, seconds=1))
    session = session.refreshed()
    session.api.post("/v1/reauthenticate", {"password": PASSWORD}, token=session.access)
    enroll_totp(session)
    passkeys.register(session, Authenticator())
    change(session)

    undo(link_to(alice.email))

    reset(alice.email)
    assert log_in(alice.email, NEW_PASSWORD).data["methods"] == ["passkey"]
    assert Passkey.objects.filter(account=alice.account()).count() == 1


def test_a_link_works_once_and_for_seven_days(alice: Person, travel: time_machine.Traveller) -> None:
    change(existing_session(alice))
    token = link_to(alice.email)

    travel.shift(timedelta(days=7) - timedelta(seconds=1))
    assert undo(token).status == 200
    assert refusal(undo(token)) == (400, "verification_token_invalid")


def test_a_link_expires_after_seven_days(alice: Person, travel: time_machine.Traveller) -> None:
    change(existing_session(alice))
    token = link_to(alice.email)

    travel.shift(timedelta(days=7))

    assert refusal(undo(token)) == (400, "verification_token_expired")
    assert users.email_of(alice.account().user) == THIEF


@pytest.mark.parametrize("token", ["x", "A" * 43, ""])
def test_an_unknown_token_is_refused(token: str) -> None:
    assert refusal(undo(token)) == (400, "verification_token_invalid")


def test_later_changes_do_not_void_the_link_and_lead_nowhere(alice: Person) -> None:
    stolen = existing_session(alice)
    change(stolen)
    token = link_to(alice.email)
    change(stolen, "thief2@example.com")
    later = link_to(THIEF)

    assert undo(token).status == 200

    assert users.email_of(alice.account().user) == alice.email
    assert refusal(undo(later)) == (400, "verification_token_invalid")


def test_the_link_of_a_later_change_does_not_void_the_link_of_an_earlier_one(alice: Person) -> None:
    stolen = existing_session(alice)
    change(stolen)
    token = link_to(alice.email)
    change(stolen, "thief2@example.com")
    assert undo(link_to(THIEF)).status == 200

    assert undo(token).status == 200

    assert users.email_of(alice.account().user) == alice.email


def test_no_other_account_gets_the_address_while_the_link_works(
    alice: Person, bob: Person, travel: time_machine.Traveller
) -> None:
    change(existing_session(alice))
    signup = {"email": alice.email.upper(), "password": PASSWORD}

    assert refusal(Api().post("/v1/signup", signup)) == (409, "user_exists")
    session = bob.log_in()
    delivered(alice.email)
    session.api.post("/v1/email/request-change", {"new_email": alice.email}, token=session.access)
    assert not delivered(alice.email)

    travel.shift(timedelta(days=7))
    assert Api().post("/v1/signup", signup).status == 201


def test_the_owner_can_change_the_address_back_without_the_link(alice: Person) -> None:
    session = alice.log_in()
    change(session)
    token = link_to(alice.email)

    change(session, alice.email)

    assert users.email_of(alice.account().user) == alice.email
    assert refusal(undo(token)) == (400, "verification_token_invalid")


def test_the_new_address_gets_a_notice_without_a_link(alice: Person) -> None:
    change(alice.log_in())
    delivered(THIEF)

    undo(link_to(alice.email))

    (notice,) = delivered(THIEF)
    assert "alice (at) example (dot) com" in text_of(notice)
    assert "token=" not in text_of(notice)


def test_the_undo_is_recorded(alice: Person) -> None:
    change(existing_session(alice))

    undo(link_to(alice.email))

    assert Event.objects.filter(type="email_change_undone", user_id=alice.user_id).count() == 1
    (ended,) = Event.objects.filter(
        type="session_ended", user_id=alice.user_id, created_at__gt=START + timedelta(days=7)
    )
    assert ended.metadata["cause"] == "email_change_undone"


def test_an_address_that_was_never_proven_gets_no_link(bob: Person) -> None:
    change(bob.log_in())

    assert "token=" not in text_of(delivered(bob.email)[-1])


def test_a_mailbox_that_opened_the_account_lately_gets_no_link(alice: Person) -> None:
    reset(alice.email)
    tokens = log_in(alice.email, NEW_PASSWORD).data
    session = SignedIn(person=alice, api=Api(), access=tokens["access_token"], refresh=tokens["refresh_token"])

    change(session)

    assert "token=" not in text_of(delivered(alice.email)[-1])


def test_a_mailbox_that_took_the_account_over_lately_gets_no_link() -> None:
    carol = sign_up("carol")
    password_resets.prove_address(carol)

    change(carol.log_in())

    assert "token=" not in text_of(delivered(carol.email)[-1])


def test_the_link_leads_to_the_page_of_the_deployment(alice: Person, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "EMAIL_UNDO_URL": "https://app.example.com/undo"}

    change(existing_session(alice))

    assert "https://app.example.com/undo?token=" in text_of(delivered(alice.email)[-1])
