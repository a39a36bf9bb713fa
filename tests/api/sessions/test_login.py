from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from pytest_django import Settings

from accounts.models import Account, Event
from accounts.proofs.lockout import lock_length
from core.keys import jwt
from mail.models import OutgoingMail
from sessions_app.models import Family
from tests.client import PASSWORD, Api
from tests.mails import delivered, token_in
from tests.people import Person

WRONG = "not the password"


def attempt(api: Api, person: Person, password: str = WRONG) -> str:
    answer = api.post("/v1/login", {"email": person.email, "password": password})
    return answer.code if answer.status >= 400 else "ok"


def test_a_login_returns_a_token_pair(api: Api, alice: Person) -> None:
    answer = api.post("/v1/login", {"email": alice.email, "password": PASSWORD})

    assert answer.status == 200
    assert set(answer.data) == {"access_token", "refresh_token"}
    assert answer.data["refresh_token"].startswith("srt_")
    assert len(answer.data["refresh_token"]) == 47
    caller = jwt.verify_access_token(answer.data["access_token"], now=datetime.now(UTC))  # noqa: TID251
    assert (caller.user_id, caller.is_operator) == (alice.user_id, False)
    event = Event.objects.get(type="login_success")
    assert (event.user_id, event.metadata) == (alice.user_id, {"method": "password"})


@pytest.mark.parametrize("spelling", ["ALICE@example.com", " alice@example.com", "ａlice@example.com"])
def test_a_login_accepts_every_spelling_of_the_address(api: Api, alice: Person, spelling: str) -> None:
    assert api.post("/v1/login", {"email": spelling, "password": PASSWORD}).status == 200


@pytest.mark.parametrize("email", ["nobody@example.com", "no address at all", "", "alice@example.com\u0301"])
def test_an_unknown_address_answers_as_a_wrong_password_does(api: Api, alice: Person, email: str) -> None:
    unknown = api.post("/v1/login", {"email": email, "password": PASSWORD})
    wrong = api.post("/v1/login", {"email": alice.email, "password": WRONG})

    assert (unknown.status, unknown.body) == (wrong.status, wrong.body)
    assert (wrong.status, wrong.code) == (401, "invalid_credentials")


def test_a_failure_at_an_unknown_address_is_recorded_without_the_address(api: Api) -> None:
    api.post("/v1/login", {"email": "nobody@example.com", "password": WRONG})
    api.post("/v1/login", {"email": "NOBODY@example.com", "password": WRONG})

    first, second = Event.objects.filter(type="login_failed")
    assert first.user_id is None
    assert "nobody" not in str(first.metadata)
    assert first.metadata == second.metadata


def test_the_fifth_failure_locks_the_account_for_fifteen_minutes(api: Api, alice: Person) -> None:
    answers = [attempt(api, alice) for _ in range(6)]

    assert answers == ["invalid_credentials"] * 5 + ["account_locked"]
    assert attempt(api, alice, PASSWORD) == "account_locked"
    assert Event.objects.filter(type="account_locked", user_id=alice.user_id).count() == 1
    with time_machine.travel(datetime.now(UTC) + timedelta(seconds=901)):  # noqa: TID251
        assert attempt(api, alice, PASSWORD) == "ok"


def test_attempts_during_a_lock_do_not_change_the_count(api: Api, alice: Person) -> None:
    for _ in range(5):
        attempt(api, alice)
    locked = alice.account()

    attempt(api, alice)
    attempt(api, alice, PASSWORD)

    after = alice.account()
    assert (after.failed_attempts, after.locked_until) == (5, locked.locked_until)


def test_the_failures_before_an_expired_lock_no_longer_count(api: Api, alice: Person) -> None:
    for _ in range(5):
        attempt(api, alice)

    with time_machine.travel(datetime.now(UTC) + timedelta(seconds=901)):  # noqa: TID251
        assert [attempt(api, alice) for _ in range(4)] == ["invalid_credentials"] * 4
        account = alice.account()
        assert (account.failed_attempts, account.locked_until) == (4, None)
        assert attempt(api, alice, PASSWORD) == "ok"


def test_a_completed_login_resets_the_failures(api: Api, alice: Person) -> None:
    for _ in range(4):
        attempt(api, alice)

    assert attempt(api, alice, PASSWORD) == "ok"

    assert [attempt(api, alice) for _ in range(5)] == ["invalid_credentials"] * 5
    assert attempt(api, alice) == "account_locked"


def lock(api: Api, person: Person) -> timedelta:
    """Lock the account by wrong passwords and return the length of the lock. The three in the middle are only counted."""
    assert attempt(api, person) == "invalid_credentials"
    rows = Account.objects.filter(pk=person.account().pk, failed_attempts=1, locked_until=None)
    assert rows.update(failed_attempts=4)
    assert attempt(api, person) == "invalid_credentials"
    locked_until = person.account().locked_until
    assert locked_until is not None
    return locked_until - datetime.now(UTC)  # noqa: TID251


def lock_repeatedly(api: Api, person: Person, travel: time_machine.Traveller, *, locks: int) -> list[timedelta]:
    """Lock the account again as soon as each lock has ended; return the lengths of the locks."""
    lengths = []
    for _ in range(locks):
        lengths.append(lock(api, person))
        travel.shift(lengths[-1] + timedelta(seconds=1))
    return lengths


@pytest.fixture
def travel() -> Iterator[time_machine.Traveller]:
    """Freeze the clock unless a test moves it."""
    with time_machine.travel(datetime.now(UTC), tick=False) as traveller:  # noqa: TID251
        yield traveller


def test_each_lock_from_the_twentieth_in_a_row_doubles_up_to_a_day(
    api: Api, alice: Person, travel: time_machine.Traveller
) -> None:
    lengths = lock_repeatedly(api, alice, travel, locks=28)

    minutes = [length / timedelta(minutes=1) for length in lengths]
    assert minutes == [15] * 19 + [30, 60, 120, 240, 480, 960, 1440, 1440, 1440]
    assert attempt(api, alice, PASSWORD) == "ok"
    assert lock(api, alice) == timedelta(minutes=15)


def test_a_magic_link_login_during_a_lock_does_not_reset_the_count_of_locks(
    api: Api, alice: Person, travel: time_machine.Traveller
) -> None:
    lock_repeatedly(api, alice, travel, locks=19)
    assert lock(api, alice) == timedelta(minutes=30)

    api.post("/v1/magic-link/request", {"email": alice.email})
    token = token_in(delivered(alice.email)[-1])
    assert api.post("/v1/magic-link/complete", {"token": token}).status == 200

    travel.shift(timedelta(minutes=31))
    assert lock(api, alice) == timedelta(minutes=60)


def test_the_owner_is_mailed_at_the_first_lock_of_a_row_and_at_the_twentieth(
    api: Api, alice: Person, travel: time_machine.Traveller
) -> None:
    lock_repeatedly(api, alice, travel, locks=22)

    first, twentieth = delivered(alice.email)
    assert first["Subject"] == "Your account at localhost is locked for a while"
    assert twentieth["Subject"] == "Your account at localhost was locked 20 times in a row"


def test_a_new_row_of_locks_is_mailed_at_most_once_a_day(
    api: Api, alice: Person, travel: time_machine.Traveller
) -> None:
    def lock_and_log_in() -> None:
        travel.shift(lock(api, alice) + timedelta(seconds=1))
        assert attempt(api, alice, PASSWORD) == "ok"

    lock_and_log_in()
    assert len(delivered(alice.email)) == 1
    lock_and_log_in()
    assert delivered(alice.email) == []
    travel.shift(timedelta(hours=24))
    lock_and_log_in()
    assert len(delivered(alice.email)) == 1


def test_a_lock_sends_no_mail_while_mail_is_off(api: Api, alice: Person, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "EMAIL_URL": "off"}

    lock(api, alice)

    assert not OutgoingMail.objects.exists()
    assert alice.account().lock_mailed_at is None


@pytest.mark.parametrize(("seconds", "minutes"), [(172_800, [2880, 2880]), (2_147_483_647, [35_791_394.116667] * 2)])
def test_a_lock_is_never_shorter_than_the_setting(settings: Settings, seconds: int, minutes: list[float]) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "LOCKOUT_SECONDS": str(seconds)}

    lengths = [lock_length(number=number) / timedelta(minutes=1) for number in (1, 40)]

    assert lengths == pytest.approx(minutes)


def test_a_lock_does_not_end_live_sessions(api: Api, alice: Person) -> None:
    session = alice.log_in()

    for _ in range(5):
        attempt(api, alice)

    assert session.is_live()


def test_a_hash_of_another_format_is_rewritten_at_the_next_login(api: Api, alice: Person, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "PASSWORD_HASH_UPGRADE": "on"}
    account = alice.account()
    account.user.password = PBKDF2PasswordHasher().encode(PASSWORD, "salt", iterations=10)
    account.user.save()

    assert attempt(api, alice, PASSWORD) == "ok"
    assert attempt(api, alice, PASSWORD) == "ok"

    account.user.refresh_from_db()
    assert account.user.password.startswith("argon2$argon2id$")
    assert Event.objects.filter(type="password_hash_upgraded", user_id=alice.user_id).count() == 1


def test_extra_members_that_name_another_user_change_nothing(api: Api, alice: Person, bob: Person) -> None:
    body = {"email": alice.email, "password": PASSWORD, "user_id": bob.user_id, "role": "admin"}
    tokens = api.post("/v1/login", body).data

    assert api.get("/v1/verify", token=tokens["access_token"]).data == {"user_id": alice.user_id}


def test_each_login_creates_a_separate_session(api: Api, alice: Person) -> None:
    alice.log_in()
    alice.log_in()

    assert Family.objects.filter(account=alice.account()).count() == 2
