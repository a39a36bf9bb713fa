"""Reauthentications of one session at the same time, and against the end of the session."""

from functools import partial

import pytest

from accounts.models import Event
from sessions_app.models import Family
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Api
from tests.passkeys import begin_reauthentication, enroll
from tests.people import SignedIn, existing, existing_session, sign_up
from tests.second_factors import enroll_totp

from .crowd import ROUNDS_OF_FEW, Crowd

pytestmark = pytest.mark.django_db(transaction=True)

CALLERS = 4


def reauthenticate(session: SignedIn, body: object) -> str:
    answer = session.api.post("/v1/reauthenticate", body, token=session.access)
    return "ok" if answer.status == 200 else answer.code


def log_out(session: SignedIn) -> str:
    answer = session.api.post("/v1/logout-all", token=session.access)
    return "ok" if answer.status == 200 else answer.code


def test_one_code_reauthenticates_once() -> None:
    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS_OF_FEW):
            session = existing_session(existing(f"alice{number}"))
            body = {"code": enroll_totp(session).code()}

            outcomes = crowd.at_once(*[partial(reauthenticate, session, body)] * CALLERS)

            assert sorted(outcomes) == ["invalid_totp_code"] * (CALLERS - 1) + ["ok"]
            assert session.person.account().failed_attempts == CALLERS - 1
    assert Event.objects.filter(type="reauthenticated").count() == ROUNDS_OF_FEW


def test_one_response_of_a_passkey_reauthenticates_once() -> None:
    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS_OF_FEW):
            authenticator = Authenticator()
            session = enroll(sign_up(f"alice{number}", api=Api()), authenticator)
            ceremony = begin_reauthentication(session)
            credential = authenticator.get(ceremony["public_key"])
            body = {"ceremony_token": ceremony["ceremony_token"], "credential": credential}

            outcomes = crowd.at_once(*[partial(reauthenticate, session, body)] * CALLERS)

            assert sorted(outcomes) == ["invalid_ceremony_token"] * (CALLERS - 1) + ["ok"]


def test_no_session_is_reauthenticated_after_its_end() -> None:
    outcomes = set()
    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS_OF_FEW):
            session = existing_session(existing(f"alice{number}"))
            family = Family.objects.get(account=session.person.account())

            ended, *marked = crowd.at_once(
                partial(log_out, session), *[partial(reauthenticate, session, {"password": PASSWORD})] * (CALLERS - 1)
            )

            assert ended == "ok"
            family.refresh_from_db()
            assert (family.authenticated_at > family.started_at) == ("ok" in marked)
            outcomes |= set(marked)
    assert outcomes <= {"ok", "invalid_access_token"}
