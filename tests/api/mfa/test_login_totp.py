from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.conf import settings as django_settings
from pytest_django import Settings

from accounts.models import Event
from core.db.deployment import STANDALONE_USER
from mfa.models import Totp
from sessions_app.models import Family
from tests.client import Api
from tests.people import Person, SignedIn
from tests.rows import each
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
    """Pause a login and complete it; return the error code, or `ok`."""
    answer = complete_by_totp(api, pause(person), code)
    return answer.code if answer.status >= 400 else "ok"


def reasons() -> list[str]:
    events = Event.objects.filter(type="totp_challenge_failed").order_by("id")
    return [event.metadata["reason"] for event in events]


@pytest.fixture
def app(alice: Person) -> App:
    """Alice's confirmed authenticator app."""
    return enroll_totp(alice.log_in())


@pytest.fixture
def _patient(settings: Settings) -> None:
    """Disable the account lock."""
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "LOCKOUT_THRESHOLD": 10_000}


def guess_wrong(api: Api, person: Person, app: App, *, times: int) -> None:
    """Try wrong codes, with a new pending login after every few guesses."""
    done = 0
    while done < times:
        pending = pause(person)
        for _ in range(min(4, times - done)):
            assert complete_by_totp(api, pending, app.wrong_code()).code == "invalid_totp_code"
            done += 1


def test_a_right_code_returns_a_token_pair(api: Api, alice: Person, app: App) -> None:
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


def test_a_magic_link_login_pauses_too(api: Api, alice: Person, app: App) -> None:
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


@pytest.mark.parametrize(("seconds", "expected"), [(29.999, "invalid_totp_code"), (30, "ok"), (119.999, "ok")])
def test_a_code_is_valid_one_step_before_and_after_its_own(
    api: Api, alice: Person, app: App, travel: time_machine.Traveller, seconds: float, expected: str
) -> None:
    code = app.code(steps=2)
    travel.shift(seconds)

    assert attempt(api, alice, code) == expected


def test_a_code_two_steps_old_is_refused(api: Api, alice: Person, app: App, travel: time_machine.Traveller) -> None:
    code = app.code(steps=2)
    travel.shift(120)

    assert attempt(api, alice, code) == "invalid_totp_code"
    assert reasons() == ["wrong"]


def test_a_code_works_once(api: Api, alice: Person, app: App) -> None:
    code = app.code()

    assert [attempt(api, alice, code) for _ in range(3)] == ["ok", "invalid_totp_code", "invalid_totp_code"]
    assert reasons() == ["used", "used"]


@pytest.mark.parametrize(("first", "second"), [(1, 0), (1, -1), (0, -1)])
def test_no_code_older_than_the_last_used_one_is_valid(
    api: Api, alice: Person, app: App, first: int, second: int
) -> None:
    assert attempt(api, alice, app.code(steps=first)) == "ok"
    assert attempt(api, alice, app.code(steps=second)) == "invalid_totp_code"

    assert reasons() == ["used"]


def test_codes_of_later_steps_are_valid_one_after_the_other(
    api: Api, alice: Person, app: App, travel: time_machine.Traveller
) -> None:
    assert [attempt(api, alice, app.code(steps=steps)) for steps in (-1, 0, 1)] == ["ok"] * 3

    travel.shift(30)
    assert attempt(api, alice, app.code()) == "invalid_totp_code"
    assert attempt(api, alice, app.code(steps=1)) == "ok"


def test_a_code_sent_to_an_invalid_login_stays_unused(api: Api, alice: Person, app: App) -> None:
    assert complete_by_totp(api, "spt_" + "A" * 43, app.code()).code == "invalid_pending_login"

    assert attempt(api, alice, app.code()) == "ok"


@pytest.mark.parametrize("code", NOT_THE_CODE)
def test_every_other_text_is_a_wrong_code_and_counts_as_a_failure(api: Api, alice: Person, app: App, code: str) -> None:
    answer = complete_by_totp(api, pause(alice), code)

    assert (answer.status, answer.code) == (401, "invalid_totp_code")
    assert alice.account().failed_attempts == 1
    assert reasons() == ["wrong"]


FULL_WIDTH = {ord(digit): ord(digit) - ord("0") + ord("\N{FULLWIDTH DIGIT ZERO}") for digit in "0123456789"}
ARABIC = {ord(digit): ord(digit) - ord("0") + ord("\N{ARABIC-INDIC DIGIT ZERO}") for digit in "0123456789"}


@pytest.mark.parametrize(
    "spell",
    [
        lambda code: code.translate(FULL_WIDTH),
        lambda code: code.translate(ARABIC),
        lambda code: f" {code}",
        lambda code: f"{code[:3]} {code[3:]}",
        lambda code: f"{code}\n",
    ],
    ids=["full width", "arabic", "blank before", "blank within", "line break"],
)
def test_another_spelling_of_a_code_is_wrong_before_and_after_its_use(
    api: Api, alice: Person, app: App, spell: Callable[[str], str]
) -> None:
    code = app.code()

    assert attempt(api, alice, spell(code)) == "invalid_totp_code"
    assert attempt(api, alice, code) == "ok"
    assert attempt(api, alice, spell(code)) == "invalid_totp_code"


def test_a_wrong_code_is_recorded_with_the_user_of_the_login(api: Api, alice: Person, app: App) -> None:
    complete_by_totp(Api(ip="198.51.100.9"), pause(alice), app.wrong_code())

    event = Event.objects.get(type="totp_challenge_failed")
    assert (event.user_id, event.ip, event.metadata) == (alice.user_id, "198.51.100.9", {"reason": "wrong"})


def test_the_app_of_another_user_completes_no_login(api: Api, alice: Person, bob: Person, app: App) -> None:
    of_bob = enroll_totp(bob.log_in())

    assert attempt(api, alice, of_bob.code()) == "invalid_totp_code"
    assert attempt(api, bob, of_bob.code()) == "ok"


def test_a_removed_app_is_reported_before_the_code_is_checked(api: Api, alice: Person) -> None:
    session = alice.log_in()
    enroll_totp(session)
    pending = pause(alice)
    session.api.post("/v1/totp/disable", {"password": alice.password}, token=session.access)

    unenrolled = complete_by_totp(api, pending, "no code at all")
    unconfirmed = complete_by_totp(api, pending, begin_totp(session).code())

    assert {(answer.status, answer.code) for answer in (unenrolled, unconfirmed)} == {(400, "totp_not_enabled")}
    assert alice.account().failed_attempts == 0


@each(
    "body, member",
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
def test_a_malformed_body_is_refused_before_the_token_is_checked(api: Api, body: object, member: str) -> None:
    answer = api.post("/v1/login/totp", body)

    assert (answer.status, answer.code) == (400, "bad_request")
    assert answer.body["error"]["message"].startswith(f"{member}: ")


def test_extra_members_that_name_another_user_change_nothing(api: Api, alice: Person, bob: Person, app: App) -> None:
    body = {"pending_token": pause(alice), "code": app.code(), "user_id": bob.user_id, "role": "admin"}

    tokens = api.post("/v1/login/totp", body).data

    assert api.get("/v1/verify", token=tokens["access_token"]).data == {"user_id": alice.user_id}


@pytest.mark.usefixtures("_patient")
def test_after_twenty_wrong_codes_in_an_hour_no_code_is_checked(
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
def test_nineteen_wrong_codes_do_not_block_the_next_code(api: Api, alice: Person, app: App) -> None:
    guess_wrong(api, alice, app, times=19)

    assert attempt(api, alice, app.code()) == "ok"


@pytest.mark.usefixtures("_patient")
def test_a_right_code_does_not_reset_the_count_of_wrong_codes(
    api: Api, alice: Person, app: App, travel: time_machine.Traveller
) -> None:
    guess_wrong(api, alice, app, times=19)
    attempt(api, alice, app.code())
    travel.shift(30)

    guess_wrong(api, alice, app, times=1)

    assert attempt(api, alice, app.code()) == "invalid_totp_code"
    assert reasons()[-1] == "too_many"


@pytest.mark.usefixtures("_patient")
def test_the_count_of_wrong_codes_starts_again_after_an_hour(
    api: Api, alice: Person, app: App, travel: time_machine.Traveller
) -> None:
    guess_wrong(api, alice, app, times=19)
    travel.shift(HOUR)

    guess_wrong(api, alice, app, times=19)

    assert attempt(api, alice, app.code()) == "ok"


@pytest.mark.usefixtures("_patient")
def test_the_next_code_is_checked_an_hour_after_the_oldest_of_the_last_twenty_wrong_codes(
    api: Api, alice: Person, app: App, travel: time_machine.Traveller
) -> None:
    guess_wrong(api, alice, app, times=1)
    travel.shift(HOUR - 1)
    guess_wrong(api, alice, app, times=19)
    assert attempt(api, alice, app.code()) == "invalid_totp_code"

    travel.shift(1)
    guess_wrong(api, alice, app, times=1)

    # Nineteen of the wrong codes are one second old now, and the first one no longer counts.
    assert attempt(api, alice, app.code()) == "invalid_totp_code"
    assert reasons() == ["wrong"] * 20 + ["too_many", "wrong", "too_many"]
    travel.shift(HOUR - 2)
    assert attempt(api, alice, app.code()) == "invalid_totp_code"
    assert reasons()[-1] == "too_many"
    travel.shift(1)
    assert attempt(api, alice, app.code()) == "ok"


@pytest.mark.usefixtures("_patient")
@pytest.mark.parametrize(("seconds", "expected"), [(HOUR - 0.001, "invalid_totp_code"), (HOUR, "ok")])
def test_a_wrong_code_counts_for_exactly_an_hour(
    api: Api, alice: Person, app: App, travel: time_machine.Traveller, seconds: float, expected: str
) -> None:
    travel.shift(0.9)
    guess_wrong(api, alice, app, times=20)
    travel.shift(seconds)

    assert attempt(api, alice, app.code()) == expected


@pytest.mark.usefixtures("_patient")
def test_at_most_twenty_wrong_codes_are_stored(
    api: Api, alice: Person, app: App, travel: time_machine.Traveller
) -> None:
    guess_wrong(api, alice, app, times=15)
    travel.shift(HOUR)
    guess_wrong(api, alice, app, times=15)

    assert len(Totp.objects.get().wrong_at) == 20


@pytest.mark.usefixtures("_patient")
def test_a_code_used_twice_counts_as_a_wrong_code(api: Api, alice: Person, app: App) -> None:
    attempt(api, alice, app.code())
    guess_wrong(api, alice, app, times=19)

    assert attempt(api, alice, app.code()) == "invalid_totp_code"

    assert reasons()[-1] == "used"
    assert attempt(api, alice, app.code(steps=1)) == "invalid_totp_code"
    assert reasons()[-1] == "too_many"


@pytest.mark.usefixtures("_patient")
def test_too_many_wrong_codes_affect_neither_recovery_codes_nor_other_users(
    api: Api, alice: Person, bob: Person, app: App
) -> None:
    tokens = complete_by_totp(api, pause(alice), app.code(steps=-1)).data
    session = SignedIn(person=alice, api=api, access=tokens["access_token"], refresh=tokens["refresh_token"])
    code, *_ = generate_codes(session)
    of_bob = enroll_totp(bob.log_in())

    guess_wrong(api, alice, app, times=20)

    assert complete_by_recovery_code(api, pause(alice), code).status == 200
    assert attempt(api, bob, of_bob.code()) == "ok"


def test_the_hourly_limit_also_applies_to_a_locked_account(
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
def test_a_user_whom_the_site_deactivated_completes_no_login(api: Api, alice: Person, app: App) -> None:
    pending = pause(alice)
    user: Any = alice.account().user
    user.is_active = False
    user.save()

    assert complete_by_totp(api, pending, app.code()).code == "invalid_pending_login"
