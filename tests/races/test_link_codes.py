"""Concurrent tries of the code of a magic link."""

import re
from functools import partial

import pytest

from accounts.models import MailToken
from tests.client import Api
from tests.mails import delivered, text_of, token_in
from tests.people import sign_up

from .crowd import ROUNDS_OF_FEW, Crowd

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_code_and_its_link_open_one_session_together() -> None:
    callers = [Api() for _ in range(6)]
    person = sign_up("alice")

    with Crowd(len(callers)) as crowd:
        for _ in range(ROUNDS_OF_FEW):
            person.api.post("/v1/magic-link/request", {"email": person.email})
            mail = delivered(person.email)[-1]
            by_code = {"email": person.email, "code": re.findall(r"instead: (\d{6})", text_of(mail))[0]}
            by_link = {"token": token_in(mail)}

            answers = crowd.at_once(
                *[partial(api.post, "/v1/magic-link/code", by_code) for api in callers[:3]],
                *[partial(api.post, "/v1/magic-link/complete", by_link) for api in callers[3:]],
            )

            assert sorted(answer.status for answer in answers).count(200) == 1


def test_parallel_wrong_codes_get_five_tries_in_all() -> None:
    callers = [Api() for _ in range(12)]
    person = sign_up("alice")
    person.api.post("/v1/magic-link/request", {"email": person.email})

    with Crowd(len(callers)) as crowd:
        body = {"email": person.email, "code": "wrong"}
        crowd.at_once(*[partial(api.post, "/v1/magic-link/code", body) for api in callers])

    assert MailToken.objects.get(purpose="magic_link").code_failures == 5
