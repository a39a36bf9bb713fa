"""Concurrent logins of an account with a limit on its sessions."""

from functools import partial

import pytest
from pytest_django import Settings

from sessions_app.models import Family
from tests.client import Api
from tests.people import sign_up

from .crowd import ROUNDS_OF_FEW, Crowd

pytestmark = pytest.mark.django_db(transaction=True)


def test_concurrent_logins_leave_exactly_the_permitted_number_of_sessions(settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "MAX_SESSIONS": "2"}
    callers = [Api() for _ in range(8)]
    person = sign_up("alice")
    body = {"email": person.email, "password": person.password}

    with Crowd(len(callers)) as crowd:
        for _ in range(ROUNDS_OF_FEW):
            answers = crowd.at_once(*[partial(api.post, "/v1/login", body) for api in callers])

            assert {answer.status for answer in answers} == {200}
            assert Family.objects.filter(revoked_at=None).count() == 2
            live = [answer.data["access_token"] for answer in answers]
            assert sum(person.api.get("/v1/session", token=token).status == 200 for token in live) == 2
