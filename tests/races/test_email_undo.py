"""The undo of a changed address while other calls use the same link."""

from functools import partial

import pytest

from accounts.host import users
from accounts.models import Account
from core.clock import now
from tests.client import Answer, Api
from tests.mails import delivered, token_in
from tests.people import sign_up

from .crowd import ROUNDS_OF_FEW, Crowd

pytestmark = pytest.mark.django_db(transaction=True)


def undo(token: str) -> Answer:
    return Api().post("/v1/email/undo-change", {"token": token})


def test_one_of_many_concurrent_undos_succeeds() -> None:
    with Crowd(4) as crowd:
        for number in range(ROUNDS_OF_FEW):
            session = sign_up(f"alice{number}", api=Api()).log_in()
            Account.objects.filter(pk=session.person.account().pk).update(email_proven_at=now())
            new = f"new{number}@example.com"
            session.api.post("/v1/email/request-change", {"new_email": new}, token=session.access)
            session.api.post("/v1/email/confirm-change", {"token": token_in(delivered(new)[-1])})
            token = token_in(delivered(session.person.email)[-1])

            answers = crowd.at_once(*[partial(undo, token)] * 4)

            assert sorted(answer.status for answer in answers) == [200, 400, 400, 400]
            assert users.email_of(session.person.account().user) == session.person.email
