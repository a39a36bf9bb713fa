"""Concurrent uses of one refresh token."""

from collections import Counter
from functools import partial

import pytest

from accounts.models import Event
from tests.client import Api
from tests.people import sign_up

from .crowd import ROUNDS, Crowd


@pytest.mark.django_db(transaction=True)
def test_a_token_refreshes_once_and_every_second_use_ends_the_session() -> None:
    callers = [Api() for _ in range(16)]
    person = sign_up("alice")

    with Crowd(len(callers)) as crowd:
        for number in range(1, ROUNDS + 1):
            session, other = person.log_in(), person.log_in()

            answers = crowd.at_once(
                *[partial(api.post, "/v1/refresh", {"refresh_token": session.refresh}) for api in callers]
            )

            (winner,) = [answer for answer in answers if answer.status == 200]
            assert Counter(answer.code for answer in answers if answer.status != 200) == {"token_reused": 15}
            newest = {"refresh_token": winner.data["refresh_token"]}
            assert person.api.post("/v1/refresh", newest).code == "invalid_token"
            assert other.is_live()
            assert Event.objects.filter(type="token_reuse_detected").count() == number
