"""Concurrent requests for a change that an account allows once."""

from functools import partial

import pytest

from accounts.models import Account, Event
from tests.client import PASSWORD, Answer, Api
from tests.people import SignedIn, sign_up

from .crowd import ROUNDS, Crowd

pytestmark = pytest.mark.django_db(transaction=True)

CALLERS = 16


def post_at_once(
    crowd: Crowd, callers: list[Api], path: str, bodies: list[dict[str, str]], as_: SignedIn
) -> list[Answer]:
    return crowd.at_once(
        *[partial(api.post, path, body, token=as_.access) for api, body in zip(callers, bodies, strict=True)]
    )


def test_one_of_many_concurrent_password_changes_succeeds() -> None:
    callers = [Api() for _ in range(CALLERS)]
    new_passwords = [f"{number} horse batteries" for number in range(CALLERS)]
    bodies = [{"current_password": PASSWORD, "new_password": new} for new in new_passwords]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            person = sign_up(f"alice{number}")

            answers = post_at_once(crowd, callers, "/v1/change-password", bodies, person.log_in())

            (kept,) = [new for new, answer in zip(new_passwords, answers, strict=True) if answer.status == 200]
            assert {answer.code for answer in answers if answer.status != 200} == {"invalid_access_token"}
            assert Event.objects.filter(type="password_changed", user_id=person.user_id).count() == 1
            assert person.api.post("/v1/login", {"email": person.email, "password": kept}).status == 200


def test_one_of_many_concurrent_deletions_succeeds() -> None:
    callers = [Api() for _ in range(CALLERS)]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            person = sign_up(f"alice{number}")

            answers = post_at_once(
                crowd, callers, "/v1/delete-account", [{"current_password": PASSWORD}] * CALLERS, person.log_in()
            )

            assert sorted(answer.status for answer in answers) == [200] + [401] * (CALLERS - 1)
            assert {answer.code for answer in answers if answer.status == 401} == {"invalid_access_token"}
            assert not Account.objects.exists()
            assert Event.objects.filter(type="account_deleted", user_id=person.user_id).count() == 1
