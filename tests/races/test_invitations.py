"""Acceptances of one invitation at the same time."""

from contextlib import suppress
from functools import partial

import pytest
from django.core.management import CommandError

from accounts.models import Account, Invitation
from tests.api.users.commands import users
from tests.client import PASSWORD, Api
from tests.mails import delivered, token_in

from .crowd import ROUNDS, Crowd
from .pair import Pair

pytestmark = pytest.mark.django_db(transaction=True)

CALLERS = 8


def test_one_of_many_acceptances_makes_the_account() -> None:
    callers = [Api() for _ in range(CALLERS)]
    # The first call builds the description that each answer is compared with.
    callers[0].get("/v1/health")

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            email = f"carol{number}@example.com"
            users("invite", email)
            body = {"token": token_in(delivered(email)[-1]), "password": PASSWORD}

            answers = crowd.at_once(*[partial(api.post, "/v1/invitations/accept", body) for api in callers])

            assert sorted(answer.status for answer in answers) == [201] + [400] * (CALLERS - 1)
            assert {answer.code for answer in answers if answer.status == 400} == {"verification_token_invalid"}
            assert Account.objects.count() == number + 1
            assert not Invitation.objects.exists()


def invite_again(email: str) -> None:
    """Invite the person, whether or not an account exists already."""
    with suppress(CommandError):
        users("invite", email)


def test_an_acceptance_and_a_second_invitation_do_not_both_count() -> None:
    api = Api()
    api.get("/v1/health")

    with Pair() as pair:
        for number in pair.rounds():
            email = f"carol{number}@example.com"
            users("invite", email)
            body = {"token": token_in(delivered(email)[-1]), "password": PASSWORD}

            answer, _ = pair.at_once(partial(api.post, "/v1/invitations/accept", body), partial(invite_again, email))

            has_account = Account.objects.filter(email_key=email).exists()
            assert has_account == (answer.status == 201)
