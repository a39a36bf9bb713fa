"""Parallel wrong passwords for an unknown address, and of a known network during a lock."""

from functools import partial

import pytest

from tests.client import Answer, Api
from tests.people import sign_up

from .crowd import ROUNDS_OF_FEW, Crowd

pytestmark = pytest.mark.django_db(transaction=True)


def attempt(api: Api, email: str) -> Answer:
    return api.post("/v1/login", {"email": email, "password": "wrong battery"})


def test_parallel_attempts_lock_an_unknown_address() -> None:
    with Crowd(6) as crowd:
        for number in range(ROUNDS_OF_FEW):
            email = f"nobody{number}@example.com"

            answers = crowd.at_once(*[partial(attempt, Api(), email)] * 6)

            assert {answer.code for answer in answers} <= {"invalid_credentials", "account_locked"}
            assert attempt(Api(), email).code == "account_locked"


def test_parallel_attempts_of_a_known_network_check_five_passwords_at_most_during_a_lock() -> None:
    others = Api(ip="198.51.100.7")
    with Crowd(8) as crowd:
        for number in range(ROUNDS_OF_FEW):
            alice = sign_up(f"alice{number}", api=Api())
            alice.log_in()
            for _ in range(5):
                attempt(others, alice.email)

            answers = crowd.at_once(*[partial(attempt, alice.api, alice.email)] * 8)

            codes = sorted(answer.code for answer in answers)
            assert codes == ["account_locked"] * 3 + ["invalid_credentials"] * 5
