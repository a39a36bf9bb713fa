"""Concurrent wrong passwords for one account."""

from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest

from accounts.models import Event
from tests.client import PASSWORD, Answer, Api
from tests.people import SignedIn, sign_up

from .crowd import ROUNDS, ROUNDS_OF_FEW, Crowd
from .pair import Pair

pytestmark = pytest.mark.django_db(transaction=True)

CALLERS = 16
WRONG = "not the password"


def test_every_concurrent_failure_is_counted() -> None:
    callers = [Api() for _ in range(4)]

    with Crowd(len(callers)) as crowd:
        for number in range(ROUNDS_OF_FEW):
            person = sign_up(f"alice{number}")
            guess = {"email": person.email, "password": WRONG}

            answers = crowd.at_once(*[partial(api.post, "/v1/login", guess) for api in callers])

            assert [answer.code for answer in answers] == ["invalid_credentials"] * 4
            assert person.account().failed_attempts == 4
            assert person.api.post("/v1/login", guess).code == "invalid_credentials"
            assert person.api.post("/v1/login", guess).code == "account_locked"


def test_the_fifth_failure_locks_the_account_once_and_the_count_stays_at_five() -> None:
    callers = [Api() for _ in range(CALLERS)]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            person = sign_up(f"alice{number}")
            guess = {"email": person.email, "password": WRONG}

            answers = crowd.at_once(*[partial(api.post, "/v1/login", guess) for api in callers])

            codes = Counter(answer.code for answer in answers)
            assert codes["invalid_credentials"] >= 5
            assert codes.keys() <= {"invalid_credentials", "account_locked"}
            assert person.account().failed_attempts == 5
            assert Event.objects.filter(type="account_locked", user_id=person.user_id).count() == 1
            assert person.api.post("/v1/login", guess | {"password": PASSWORD}).code == "account_locked"


def log_in(api: Api, session: SignedIn, password: str) -> Answer:
    return api.post("/v1/login", {"email": session.person.email, "password": password})


def change_password(api: Api, session: SignedIn, password: str) -> Answer:
    passwords = {"current_password": password, "new_password": "another horse battery"}
    return api.post("/v1/change-password", passwords, token=session.access)


@pytest.mark.parametrize(("prove", "success"), [(log_in, "login_success"), (change_password, "password_changed")])
def test_a_right_password_does_not_succeed_after_the_lock(
    prove: Callable[[Api, SignedIn, str], Answer], success: str
) -> None:
    callers = [Api() for _ in range(CALLERS)]
    passwords = [WRONG] * (CALLERS - 1) + [PASSWORD]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            session = sign_up(f"alice{number}").log_in()

            crowd.at_once(*[partial(prove, api, session, guess) for api, guess in zip(callers, passwords, strict=True)])

            events = Event.objects.filter(user_id=session.person.user_id).order_by("id")
            happened = list(events.values_list("type", flat=True))
            assert success not in happened[happened.index("account_locked") :]


def test_of_two_failures_at_the_threshold_one_is_reported() -> None:
    with Pair() as pair:
        for number in pair.rounds():
            person = sign_up(f"alice{number}")
            guess = {"email": person.email, "password": WRONG}
            for _ in range(4):
                person.api.post("/v1/login", guess)

            pair.at_once(partial(Api().post, "/v1/login", guess), partial(Api().post, "/v1/login", guess))

            reported = Event.objects.filter(type="anomaly_detected", user_id=person.user_id)
            assert sum("user_failure_velocity" in event.metadata["signals"] for event in reported) == 1
