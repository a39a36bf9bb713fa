"""One address, spelt in many ways, wanted by many at once."""

from collections import Counter
from functools import partial

import pytest

from accounts.models import Account
from tests.client import PASSWORD, Api

from .crowd import Crowd

ROUNDS = 30
SPELLINGS = (
    "ren\u00e9e{}@example.com",
    "RENE\u0301E{}@example.com",
    " Ren\u00e9e{}@Example.COM",
    "\uff32en\u00e9e{}@example.com",
)


@pytest.mark.django_db(transaction=True)
def test_an_address_gets_one_account_however_it_is_spelt() -> None:
    callers = [Api() for _ in range(16)]

    with Crowd(len(callers)) as crowd:
        for number in range(ROUNDS):
            spellings = [spelling.format(number) for spelling in SPELLINGS] * 4

            answers = crowd.at_once(
                *[
                    partial(api.post, "/v1/signup", {"email": email, "password": PASSWORD})
                    for api, email in zip(callers, spellings, strict=True)
                ]
            )

            assert Counter(answer.status for answer in answers) == {201: 1, 409: 15}
            assert {answer.code for answer in answers if answer.status == 409} == {"user_exists"}
            assert Account.objects.count() == number + 1
