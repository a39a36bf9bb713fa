"""The verification of an address while the address or the password changes."""

from functools import partial

import pytest

from accounts.host import users
from tests.client import PASSWORD, Answer, Api
from tests.mails import delivered, token_in
from tests.people import SignedIn, sign_up

from .crowd import ROUNDS_OF_FEW, Crowd
from .pair import Pair

pytestmark = pytest.mark.django_db(transaction=True)


def link(session: SignedIn) -> str:
    session.api.post("/v1/email/verify/request", token=session.access)
    return token_in(delivered(session.person.email)[-1])


def change_token(session: SignedIn, email: str) -> str:
    session.api.post("/v1/email/request-change", {"new_email": email}, token=session.access)
    return token_in(delivered(email)[-1])


def post(path: str, body: dict[str, str]) -> Answer:
    return Api().post(path, body)


def test_a_link_to_the_old_address_never_proves_the_new_one() -> None:
    with Pair() as pair:
        for number in pair.rounds():
            session = sign_up(f"alice{number}", api=Api()).log_in()
            new = f"new{number}@example.com"
            verify, change = link(session), change_token(session, new)

            _, changed = pair.at_once(
                partial(post, "/v1/email/verify/confirm", {"token": verify, "password": PASSWORD}),
                partial(post, "/v1/email/confirm-change", {"token": change}),
            )

            account = session.person.account()
            assert changed.status == 200
            assert users.email_of(account.user) == new
            assert account.email_proven_at is None


def test_one_of_many_concurrent_confirmations_succeeds() -> None:
    with Crowd(4) as crowd:
        for number in range(ROUNDS_OF_FEW):
            session = sign_up(f"alice{number}", api=Api()).log_in()
            body = {"token": link(session), "password": PASSWORD}

            answers = crowd.at_once(*[partial(post, "/v1/email/verify/confirm", body)] * 4)

            assert sorted(answer.status for answer in answers) == [200, 400, 400, 400]
            assert len(delivered(session.person.email)) == 1
