"""Concurrent calls against the rate limits of the API."""

from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.client import Answer, Api
from tests.mails import delivered
from tests.people import sign_up

from .crowd import ROUNDS, Crowd

pytestmark = pytest.mark.django_db(transaction=True)

CALLERS = 16


@pytest.fixture(autouse=True)
def _limits(settings: Settings, tmp_path: Path) -> None:
    settings.AUTH_SERVICE = {
        **settings.AUTH_SERVICE,
        "EMAIL_URL": f"file://{tmp_path}/mails",
        "LOCKOUT_THRESHOLD": "1000",
        "RATE_LIMITS": "login=5/h,mailbox=2/h",
    }


def test_concurrent_logins_do_not_exceed_their_limit() -> None:
    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            # Counts outlive a test.
            callers = [Api(ip=f"192.0.2.{100 + number}") for _ in range(CALLERS)]
            person = sign_up(f"alice{number}")
            body = {"email": person.email, "password": "not the password"}

            answers = crowd.at_once(*[partial(caller.post, "/v1/login", body) for caller in callers])

            assert codes(answers) == {"invalid_credentials": 5, "rate_limited": CALLERS - 5}
            assert person.account().failed_attempts == 5


def test_concurrent_requests_mail_no_more_links_than_the_mailbox_may_get() -> None:
    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            person = sign_up(f"bob{number}")
            callers = [Api(ip=f"198.51.100.{caller}") for caller in range(CALLERS)]

            answers = crowd.at_once(
                *[partial(caller.post, "/v1/magic-link/request", {"email": person.email}) for caller in callers]
            )

            assert {answer.status for answer in answers} == {200}
            assert len(delivered(person.email)) == 2


def codes(answers: list[Answer]) -> Counter[str]:
    return Counter(answer.code for answer in answers)
