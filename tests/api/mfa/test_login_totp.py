from typing import Any

import pytest
import time_machine
from django.conf import settings as django_settings
from pytest_django import Settings

from accounts.models import Event
from accounts.users import STANDALONE_USER
from mfa.models import Totp
from sessions_app.models import Family
from tests.client import Api
from tests.people import Person, SignedIn
from tests.second_factors import (
    App,
    begin_totp,
    complete_by_recovery_code,
    complete_by_totp,
    enroll_totp,
    generate_codes,
    pause,
    pause_by_link,
)

pytestmark = pytest.mark.usefixtures("travel")

NOT_THE_CODE = ["", " ", "12345", "1234567", "abcdef", "-12345", "１２３４５６", "٣٣٣٣٣٣", "x" * 5000, "0123-4567"]
HOUR = 3600


def attempt(api: Api, person: Person, code: str) -> str:
    """Pause and complete; return the code of the refusal or `ok`."""
    answer = complete_by_totp(api, pause(person), code)
    return answer.code if answer.status >= 400 else "ok"


def reasons() -> list[str]:
    events = Event.objects.filter(type="totp_challenge_failed").order_by("id")
    return [event.metadata["reason"] for event in events]


@pytest.fixture
def app(alice: Person) -> App:
    """Alice's app, confirmed."""
    return enroll_totp(alice.log_in())


@pytest.fixture
def _patient(settings: Settings) -> None:
    """Let no number of failures lock an account."""
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "LOCKOUT_THRESHOLD": 10_000}


def guess_wrong(api: Api, person: Person, app: App, *, times: int) -> None:
    """Guess, with a new login after every few."""
    done = 0
    while done < times:
        pending = pause(person)
        for _ in range(min(4, times - done)):
            assert complete_by_totp(api, pending, app.wrong_code()).code == "invalid_totp_code"
            done += 1


def test_a_right_code_answers_a_token_pair(api: Api, alice: Person, app: App) -> None:
    answer = complete_by_totp(api, pause(alice), app.code())

    assert answer.status == 200
    assert set(answer.data) == {"access_token", "refresh_token"}
    assert answer.data["refresh_token"].startswith("srt_")
    assert api.get("/v1/verify", token=answer.data["access_token"]).data == {"user_id": alice.user_id}
    assert api.post("/v1/refresh", {"refresh_token": answer.data["refresh_token"]}).status == 200


def test_the_login_is_recorded_once_with_both_factors(api: Api, alice: Person, app: App) -> None:
    before = set(Event.objects.values_list("pk", flat=True))

    complete_by_totp(Api(ip="198.51.100.9"), pause(alice), app.code())

    (event,) = Event.objects.exclude(pk__in=before)
    assert (event.type, event.user_id, event.ip) == ("login_success", alice.user_id, "198.51.100.9")
    assert event.metadata == {"method": "password", "second_factor": "totp"}


def test_a_magic_link_pauses_too(api: Api, alice: Person, app: App) -> None:
    pending = pause_by_link(alice)
    assert Family.objects.count() == 1

    assert complete_by_totp(api, pending, app.code()).status == 200

    event = Event.objects.get(type="login_success", metadata__method="magic_link")
    assert event.metadata == {"method": "magic_link", "second_factor": "totp"}


def test_a_pending_token_completes_one_login(api: Api, alice: Person, app: App, travel: time_machine.Traveller) -> None:
    pending = pause(alice)
    complete_by_totp(api, pending, app.code())
    travel.shift(30)

    answer = complete_by_totp(api, pending, app.code())

    assert (answer.status, answer.code) == (401, "invalid_pending_login")


@pytest.mark.parametrize(("seconds", "told"), [(29.999, "invalid_totp_code"), (30, "ok"), (119.999, "ok")])
def test_a_code_is_taken_one_step_either_side_of_its_own(
    api: Api, alice: Person, app: App, travel: time_machine.Traveller, seconds: float, told: str
) -> None:
    code = app.code(steps=2)
    travel.shift(seconds)

    assert attempt(api, alice, code) == told


def test_a_code_two_steps_old_is_wrong(api: Api, alice: Person, app: App, travel: time_machine.Traveller) -> None:
    code = app.code(steps=2)
    travel.shift(120)

    assert attempt(api, alice, code) == "invalid_totp_code"
    assert reasons() == ["wrong"]


def test_a_code_works_once(api: Api, alice: Person, app: App) -> None:
    code = app.code()

    assert [attempt(api, alice, code) for _ in range(3)] == ["ok", "invalid_totp_code", "invalid_totp_code"]
    assert reasons() == ["used", "used"]


@pytest.mark.parametrize(("first", "second"), [(1, 0), (1, -1), (0, -1)])
def test_no_step_older_than_the_last_is_taken(api: Api, alice: Person, app: App, first: int, second: int) -> None:
    assert attempt(api, alice, app.code(steps=first)) == "ok"
    assert attempt(api, alice, app.code(steps=second)) == "invalid_totp_code"

    assert reasons() == ["used"]


def test_newer_steps_are_taken_each_in_turn(api: Api, alice: Person, app: App, travel: time_machine.Traveller) -> None:
    assert [attempt(api, alice, app.code(steps=steps)) for steps in (-1, 0, 1)] == ["ok"] * 3

    travel.shift(30)
    assert attempt(api, alice, app.code()) == "invalid_totp_code"
    assert attempt(api, alice, app.code(steps=1)) == "ok"


def test_a_code_that_a_void_login_was_given_is_not_used_up(api: Api, alice: Person, app: App) -> None:
    assert complete_by_totp(api, "spt_" + "A" * 43, app.code()).code == "invalid_pending_login"

    assert attempt(api, alice, app.code()) == "ok"


@pytest.mark.parametrize("code", NOT_THE_CODE)
def test_whatever_is_not_the_code_is_wrong_and_a_failure(api: Api, alice: Person, app: App, code: str) -> None:
    answer = complete_by_totp(api, pause(alice), code)

    assert (answer.status, answer.code) == (401, "invalid_totp_code")
    assert alice.account().failed_attempts == 1
    assert reasons() == ["wrong"]


def test_a_wrong_code_is_recorded_with_whose_login_it_was(api: Api, alice: Person, app: App) -> None:
    complete_by_totp(Api(ip="198.51.100.9"), pause(alice), app.wrong_code())

    event = Event.objects.get(type="totp_challenge_failed")
    assert (event.user_id, event.ip, event.metadata) == (alice.user_id, "198.51.100.9", {"reason": "wrong"})


def test_the_app_of_somebody_else_completes_nothing(api: Api, alice: Person, bob: Person, app: App) -> None:
    of_bob = enroll_totp(bob.log_in())

    assert attempt(api, alice, of_bob.code()) == "invalid_totp_code"
    assert attempt(api, bob, of_bob.code()) == "ok"


def test_an_app_that_was_taken_away_is_told_of_before_the_code_is_looked_at(api: Api, alice: Person) -> None:
    session = alice.log_in()
    enroll_totp(session)
    pending = pause(alice)
    session.api.post("/v1/totp/disable", {"password": alice.password}, token=session.access)

    gone = complete_by_totp(api, pending, "no code at all")
    unconfirmed = complete_by_totp(api, pending, begin_totp(session).code())

    assert {(answer.status, answer.code) for answer in (gone, unconfirmed)} == {(400, "totp_not_enabled")}
    assert alice.account().failed_attempts == 0


@pytest.mark.parametrize(
    ("body", "member"),
    [
        ({}, "pending_token"),
        ({"code": "123456"}, "pending_token"),
        ({"pending_token": 5, "code": "123456"}, "pending_token"),
        ({"pending_token": None, "code": "123456"}, "pending_token"),
        ({"pending_token": "spt_\0", "code": "123456"}, "pending_token"),
        ({"pending_token": "spt_"}, "code"),
        ({"pending_token": "spt_", "code": 123456}, "code"),
        ({"pending_token": "spt_", "code": None}, "code"),
        ({"pending_token": "spt_", "code": "12345\0"}, "code"),
    ],
)
def test_a_malformed_body_is_told_before_the_token_is_looked_at(api: Api, body: object, member: str) -> None:
    answer = api.post("/v1/login/totp", body)

    assert (answer.status, answer.code) == (400, "bad_request")
    assert answer.body["error"]["message"].startswith(f"{member}: ")


def test_a_body_that_names_somebody_else_changes_nothing(api: Api, alice: Person, bob: Person, app: App) -> None:
    body = {"pending_token": pause(alice), "code": app.code(), "user_id": bob.user_id, "role": "admin"}

    tokens = api.post("/v1/login/totp", body).data

    assert api.get("/v1/verify", token=tokens["access_token"]).data == {"user_id": alice.user_id}


@pytest.mark.usefixtures("_patient")
def test_after_twenty_wrong_codes_in_an_hour_none_is_looked_at(
    api: Api, alice: Person, app: App, travel: time_machine.Traveller
) -> None:
    guess_wrong(api, alice, app, times=20)

    assert attempt(api, alice, app.code()) == "invalid_totp_code"
    assert reasons() == ["wrong"] * 20 + ["too_many"]
    travel.shift(HOUR - 1)
    assert attempt(api, alice, app.code()) == "invalid_totp_code"
    travel.shift(1)
    assert attempt(api, alice, app.code()) == "ok"


@pytest.mark.usefixtures("_patient")
def test_the_nineteenth_wrong_code_shuts_nothing(api: Api, alice: Person, app: App) -> None:
    guess_wrong(api, alice, app, times=19)

    assert attempt(api, alice, app.code()) == "ok"


@pytest.mark.usefixtures("_patient")
def test_a_right_code_in_between_forgets_no_wrong_ones(
    api: Api, alice: Person, app: App, travel: time_machine.Traveller
) -> None:
    guess_wrong(api, alice, app, times=19)
    attempt(api, alice, app.code())
    travel.shift(30)

    guess_wrong(api, alice, app, times=1)

    assert attempt(api, alice, app.code()) == "invalid_totp_code"
    assert reasons()[-1] == "too_many"


@pytest.mark.usefixtures("_patient")
def test_an_hour_later_the_count_starts_anew(api: Api, alice: Person, app: App, travel: time_machine.Traveller) -> None:
    guess_wrong(api, alice, app, times=19)
    travel.shift(HOUR)

    guess_wrong(api, alice, app, times=19)

    assert attempt(api, alice, app.code()) == "ok"


@pytest.mark.usefixtures("_patient")
def test_of_the_last_twenty_wrong_codes_the_oldest_says_when_the_next_is_looked_at(
    api: Api, alice: Person, app: App, travel: time_machine.Traveller
) -> None:
    guess_wrong(api, alice, app, times=1)
    travel.shift(HOUR - 1)
    guess_wrong(api, alice, app, times=19)
    assert attempt(api, alice, app.code()) == "invalid_totp_code"

    travel.shift(1)
    guess_wrong(api, alice, app, times=1)

    # Nineteen of them are a second old now, and the hour of the first is over.
    assert attempt(api, alice, app.code()) == "invalid_totp_code"
    assert reasons() == ["wrong"] * 20 + ["too_many", "wrong", "too_many"]
    travel.shift(HOUR - 2)
    assert attempt(api, alice, app.code()) == "invalid_totp_code"
    assert reasons()[-1] == "too_many"
    travel.shift(1)
    assert attempt(api, alice, app.code()) == "ok"


@pytest.mark.usefixtures("_patient")
@pytest.mark.parametrize(("seconds", "told"), [(HOUR - 0.001, "invalid_totp_code"), (HOUR, "ok")])
def test_a_wrong_code_counts_for_an_hour_to_the_millisecond(
    api: Api, alice: Person, app: App, travel: time_machine.Traveller, seconds: float, told: str
) -> None:
    travel.shift(0.9)
    guess_wrong(api, alice, app, times=20)
    travel.shift(seconds)

    assert attempt(api, alice, app.code()) == told


@pytest.mark.usefixtures("_patient")
def test_of_wrong_codes_no_more_are_kept_than_count(
    api: Api, alice: Person, app: App, travel: time_machine.Traveller
) -> None:
    guess_wrong(api, alice, app, times=15)
    travel.shift(HOUR)
    guess_wrong(api, alice, app, times=15)

    assert len(Totp.objects.get().wrong_at) == 20


@pytest.mark.usefixtures("_patient")
def test_codes_used_twice_count_as_wrong_ones(api: Api, alice: Person, app: App) -> None:
    attempt(api, alice, app.code())
    guess_wrong(api, alice, app, times=19)

    assert attempt(api, alice, app.code()) == "invalid_totp_code"

    assert reasons()[-1] == "used"
    assert attempt(api, alice, app.code(steps=1)) == "invalid_totp_code"
    assert reasons()[-1] == "too_many"


@pytest.mark.usefixtures("_patient")
def test_too_many_wrong_codes_leave_recovery_codes_and_others_alone(
    api: Api, alice: Person, bob: Person, app: App
) -> None:
    tokens = complete_by_totp(api, pause(alice), app.code(steps=-1)).data
    session = SignedIn(person=alice, api=api, access=tokens["access_token"], refresh=tokens["refresh_token"])
    code, *_ = generate_codes(session)
    of_bob = enroll_totp(bob.log_in())

    guess_wrong(api, alice, app, times=20)

    assert complete_by_recovery_code(api, pause(alice), code).status == 200
    assert attempt(api, bob, of_bob.code()) == "ok"


def test_a_locked_account_is_guarded_by_the_hourly_limit(
    api: Api, alice: Person, app: App, travel: time_machine.Traveller
) -> None:
    pending = pause(alice)
    for _ in range(5):
        complete_by_totp(api, pending, app.wrong_code())
    for _ in range(3):
        pending = pause_by_link(alice)
        for _ in range(5):
            complete_by_totp(api, pending, app.wrong_code())

    answer = complete_by_totp(api, pause_by_link(alice), app.code())

    assert (answer.status, answer.code) == (401, "invalid_totp_code")
    assert reasons() == ["wrong"] * 20 + ["too_many"]
    assert alice.account().failed_attempts == 5
    travel.shift(HOUR)
    assert attempt(api, alice, app.code()) == "ok"


@pytest.mark.skipif(django_settings.AUTH_USER_MODEL == STANDALONE_USER, reason="only a site's users can be shut out")
def test_a_user_whom_the_site_shuts_out_completes_nothing(api: Api, alice: Person, app: App) -> None:
    pending = pause(alice)
    user: Any = alice.account().user
    user.is_active = False
    user.save()

    assert complete_by_totp(api, pending, app.code()).code == "invalid_pending_login"
