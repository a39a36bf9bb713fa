"""Concurrent callers detect a change by the host project."""

from functools import partial
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model

from accounts.models import Event
from accounts.passwords import hashing
from tests.client import PASSWORD, Api
from tests.people import sign_up

from .crowd import ROUNDS, Crowd

People: Any = get_user_model()

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        settings.AUTH_USER_MODEL == "authsvc_accounts.User", reason="only a host project changes users by itself"
    ),
]


def test_a_password_set_by_the_host_ends_every_old_session_and_is_recorded_once() -> None:
    callers = [Api() for _ in range(8)]
    new_password = "the one that the host set"
    stored = hashing.hash_password(new_password)

    with Crowd(len(callers)) as crowd:
        for number in range(ROUNDS):
            alice = sign_up(f"alice{number}")
            old = [alice.log_in(api) for api in callers[:4]]
            People._default_manager.filter(pk=alice.user_id).update(password=stored, contact=f"new{number}@example.com")
            login = {"email": f"new{number}@example.com", "password": new_password}

            answers = crowd.at_once(
                *[partial(session.api.post, "/v1/refresh", {"refresh_token": session.refresh}) for session in old],
                *[partial(api.post, "/v1/login", login) for api in callers[4:]],
            )

            assert {answer.code for answer in answers[:4]} == {"invalid_token"}
            # Another caller may detect the change during a login. The service then refuses the login, as after any
            # password change.
            opened = [answer for answer in answers[4:] if answer.status == 200]
            assert {answer.code for answer in answers[4:] if answer.status != 200} <= {"invalid_credentials"}
            assert not any(session.is_live() for session in old)
            for answer in opened:
                assert callers[0].post("/v1/refresh", {"refresh_token": answer.data["refresh_token"]}).status == 200
            assert callers[0].post("/v1/login", login).status == 200
            assert callers[0].post("/v1/login", {**login, "password": PASSWORD}).code == "invalid_credentials"
            for event in ("password_changed", "email_changed"):
                assert Event.objects.filter(type=event, user_id=alice.user_id).count() == 1
