import pytest
import time_machine

from accounts.models import Event
from tests.client import PASSWORD, Answer, Api
from tests.mails import delivered, text_of
from tests.people import Person, SignedIn, existing_session
from tests.second_factors import App, begin_totp, complete_by_totp, enroll_totp, pause

pytestmark = pytest.mark.usefixtures("travel")

NOT_THE_CODE = ["", " ", "12345", "1234567", "abcdef", "-12345", "+12345", "１２３４５６", "12 345", "1e5000", "\ud7ff"]


def confirm(session: SignedIn, code: object) -> Answer:
    return session.api.post("/v1/totp/confirm", {"code": code}, token=session.access)


def test_a_login_pauses_after_an_app_is_confirmed(api: Api, alice: Person) -> None:
    session = alice.log_in()
    app = begin_totp(session)

    answer = confirm(session, app.code())

    assert (answer.status, answer.body) == (200, {"data": {"status": "totp enabled"}})
    paused = api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).data
    assert paused == {"second_factor_required": True, "pending_token": paused["pending_token"], "methods": ["totp"]}


def test_the_confirmation_is_recorded_and_mailed_with_device_and_place(alice_abroad: Person) -> None:
    enroll_totp(alice_abroad.log_in())

    event = Event.objects.get(type="totp_enabled")
    assert (event.user_id, event.ip, event.metadata) == (alice_abroad.user_id, "8.8.8.8", {})
    (mail,) = delivered(alice_abroad.email)
    assert mail["Subject"] == "A second factor was added to your account at localhost"
    text = text_of(mail)
    assert "authenticator app" in text
    assert "When: 1 March 2026, 12:00 UTC\nDevice: Chrome on macOS\nPlace: US\nIP address: 8.8.8.8\n" in text


def test_live_sessions_continue_after_the_confirmation(alice: Person) -> None:
    session = alice.log_in()

    enroll_totp(session)

    assert session.is_live()


def test_before_an_enrolment_there_is_nothing_to_confirm(alice: Person) -> None:
    answer = confirm(alice.log_in(), "123456")

    assert (answer.status, answer.code) == (400, "totp_not_enabled")


def test_an_app_can_be_confirmed_only_once(alice: Person, travel: time_machine.Traveller) -> None:
    session = alice.log_in()
    app = enroll_totp(session)
    travel.shift(30)

    answer = confirm(session, app.code())

    assert (answer.status, answer.code) == (409, "totp_already_enabled")
    assert Event.objects.filter(type="totp_enabled").count() == 1
    assert len(delivered(alice.email)) == 1


def test_a_code_of_another_users_app_is_refused(alice: Person, bob: Person) -> None:
    session = existing_session(alice)
    begin_totp(session)
    of_bob = begin_totp(existing_session(bob))

    answer = confirm(session, of_bob.code())

    assert (answer.status, answer.code) == (401, "invalid_totp_code")


@pytest.mark.parametrize("code", NOT_THE_CODE)
def test_every_other_text_is_a_wrong_code(api: Api, alice: Person, code: str) -> None:
    session = existing_session(alice)
    begin_totp(session)

    answer = confirm(session, code)

    assert (answer.status, answer.code) == (401, "invalid_totp_code")
    assert set(api.post("/v1/login", {"email": alice.email, "password": PASSWORD}).data) == {
        "access_token",
        "refresh_token",
    }


def test_the_code_with_other_characters_around_it_is_wrong(alice: Person) -> None:
    session = existing_session(alice)
    code = begin_totp(session).code()

    assert {
        confirm(session, text).code for text in (f" {code}", f"{code}\n", f"0{code}", code[:3] + " " + code[3:])
    } == {"invalid_totp_code"}


def test_a_wrong_code_at_the_confirmation_does_not_count_as_a_failure(alice: Person) -> None:
    session = alice.log_in()
    app = begin_totp(session)

    for _ in range(6):
        confirm(session, app.wrong_code())

    assert alice.account().failed_attempts == 0
    assert confirm(session, app.code()).status == 200


@pytest.mark.parametrize(("seconds", "is_taken"), [(29.999, False), (30, True), (119.999, True), (120, False)])
def test_a_code_is_valid_one_step_before_and_after_its_own(
    alice: Person, travel: time_machine.Traveller, seconds: float, is_taken: bool
) -> None:
    session = existing_session(alice)
    code = begin_totp(session).code(steps=2)
    travel.shift(seconds)

    answer = confirm(session, code)

    assert answer.status == 200 if is_taken else answer.code == "invalid_totp_code"


def test_the_code_of_the_confirmation_can_complete_a_login(api: Api, alice: Person) -> None:
    session = alice.log_in()
    app: App = enroll_totp(session)

    assert complete_by_totp(api, pause(alice), app.code(steps=-1)).status == 200
    assert complete_by_totp(api, pause(alice), app.code()).status == 200


@pytest.mark.parametrize("body", [{}, {"code": None}, {"code": 123456}, {"code": ["123456"]}, {"code": "12345\0"}])
def test_a_body_without_a_text_as_code_is_malformed_with_and_without_an_enrolment(alice: Person, body: object) -> None:
    session = existing_session(alice)

    answer = session.api.post("/v1/totp/confirm", body, token=session.access)

    assert (answer.status, answer.code) == (400, "bad_request")
    assert answer.body["error"]["message"].startswith("code: ")
