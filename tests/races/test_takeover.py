"""The owner of the mailbox takes the account over while the previous holder uses it."""

from functools import partial

import pytest

from apikeys.models import ApiKey
from mfa.models import Totp
from sessions_app.models import Family
from tests.client import Answer, Api
from tests.mails import delivered, token_in
from tests.people import Person, sign_up
from tests.second_factors import begin_totp

from .crowd import ROUNDS_OF_RARE, Crowd
from .pair import Pair

pytestmark = pytest.mark.django_db(transaction=True)


def link(person: Person) -> str:
    Api().post("/v1/magic-link/request", {"email": person.email})
    return token_in(delivered(person.email)[-1])


def complete(api: Api, token: str) -> Answer:
    return api.post("/v1/magic-link/complete", {"token": token})


def test_a_takeover_leaves_no_concurrent_login_and_no_concurrent_key() -> None:
    owner, eve = Api(), Api()
    with Crowd(3) as crowd:
        for number in range(ROUNDS_OF_RARE):
            person = sign_up(f"alice{number}", api=eve)
            session = person.log_in()
            credentials = {"email": person.email, "password": person.password}

            taken, *_ = crowd.at_once(
                partial(complete, owner, link(person)),
                partial(Api().post, "/v1/login", credentials),
                partial(eve.post, "/v1/api-keys", {"name": "k"}, token=session.access),
            )

            assert taken.status == 200
            assert Family.objects.filter(account=person.account(), revoked_at=None).count() == 1
            assert owner.post("/v1/refresh", {"refresh_token": taken.data["refresh_token"]}).status == 200
            assert not ApiKey.objects.filter(account=person.account(), revoked_at=None).exists()


def test_a_factor_that_is_confirmed_meanwhile_either_ends_or_pauses_the_login() -> None:
    owner, eve = Api(), Api()
    with Pair() as pair:
        for number in pair.rounds():
            person = sign_up(f"alice{number}", api=eve)
            session = person.log_in()
            code = {"code": begin_totp(session).code()}

            answer, _ = pair.at_once(
                partial(complete, owner, link(person)),
                partial(eve.post, "/v1/totp/confirm", code, token=session.access),
            )

            is_paused = "pending_token" in answer.data
            assert Totp.objects.filter(account=person.account()).exists() == is_paused
            assert (person.account().email_proven_at is None) == is_paused


def test_one_of_two_concurrent_links_takes_the_account_over() -> None:
    with Pair() as pair:
        for number in pair.rounds():
            person = sign_up(f"alice{number}", api=Api())
            links = [link(person), link(person)]

            answers = pair.at_once(*[partial(complete, Api(), token) for token in links])

            assert sorted(answer.status for answer in answers) == [200, 400]
            assert Family.objects.filter(account=person.account(), revoked_at=None).count() == 1
