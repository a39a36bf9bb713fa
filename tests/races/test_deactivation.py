"""Logins and refreshes that race a deactivation. None leaves a live session."""

from functools import partial

import pytest

from core.clock import now
from sessions_app.models import Family, PendingLogin
from tests.api.users.commands import users
from tests.client import PASSWORD, Answer, Api
from tests.mails import delivered, token_in
from tests.people import Person, sign_up

from .crowd import ROUNDS_OF_FEW, Crowd

pytestmark = pytest.mark.django_db(transaction=True)


def log_in(person: Person, api: Api) -> Answer:
    return api.post("/v1/login", {"email": person.email, "password": PASSWORD})


def test_no_login_and_no_refresh_leaves_a_live_session() -> None:
    callers = [Api() for _ in range(4)]
    refused = set()

    with Crowd(6) as crowd:
        for number in range(ROUNDS_OF_FEW):
            person = sign_up(f"alice{number}")
            session = person.log_in()
            callers[0].post("/v1/magic-link/request", {"email": person.email})
            token = token_in(delivered(person.email)[-1])

            *answers, _ = crowd.at_once(
                partial(log_in, person, callers[0]),
                partial(log_in, person, callers[1]),
                partial(callers[2].post, "/v1/refresh", {"refresh_token": session.refresh}),
                partial(callers[3].post, "/v1/magic-link/complete", {"token": token}),
                partial(callers[1].get, "/v1/health"),
                partial(users, "deactivate", person.user_id),
            )

            refused |= {answer.code for answer in answers if answer.status != 200}
            account = person.account()
            assert account.deactivated_at is not None
            assert not Family.objects.filter(account=account).live(now()).exists()
            assert not PendingLogin.objects.filter(account=account).exists()

    assert refused <= {"account_deactivated", "invalid_credentials", "invalid_token", "verification_token_invalid"}
