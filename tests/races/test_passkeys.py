"""Concurrent passkey ceremonies of which one may succeed."""

from collections import Counter
from functools import partial

import pytest
from pytest_django import Settings

from mfa.models import PASSKEYS_MAX, Passkey
from sessions_app.models import Family
from tests.authenticator import Authenticator
from tests.client import Answer, Api
from tests.passkeys import begin, begin_alone, begin_login, enroll, finish, finish_alone, finish_login, register
from tests.people import sign_up
from tests.second_factors import pause

from .crowd import ROUNDS, Crowd

pytestmark = pytest.mark.django_db(transaction=True)

CALLERS = 16


def refusals(answers: list[Answer]) -> Counter[str]:
    """Return how often each error code occurs."""
    return Counter(answer.code for answer in answers if answer.status != 200)


def test_one_of_many_concurrent_ceremonies_completes_the_login() -> None:
    callers = [Api() for _ in range(CALLERS)]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            alice, authenticator = sign_up(f"alice{number}"), Authenticator(counts=False)
            enroll(alice, authenticator)
            pending = pause(alice)
            begun = [begin_login(alice.api, pending) for _ in callers]
            signed = [authenticator.get(ceremony["public_key"]) for ceremony in begun]

            answers = crowd.at_once(
                *[
                    partial(finish_login, api, pending, ceremony, credential)
                    for api, ceremony, credential in zip(callers, begun, signed, strict=True)
                ]
            )

            assert refusals(answers) == {"invalid_pending_login": CALLERS - 1}
            assert Family.objects.filter(account=alice.account()).count() == 2, "The one that enrolled, and one."


def test_passkey_answers_with_the_same_counter_complete_one_login(settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "LOCKOUT_THRESHOLD": "1000"}
    callers = [Api() for _ in range(CALLERS)]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            alice, authenticator = sign_up(f"alice{number}"), Authenticator()
            enroll(alice, authenticator)
            pendings = [pause(alice) for _ in callers]
            begun = [begin_login(alice.api, pending) for pending in pendings]
            signed = [authenticator.get(ceremony["public_key"], count=1) for ceremony in begun]

            answers = crowd.at_once(
                *[
                    partial(finish_login, api, pending, ceremony, credential)
                    for api, pending, ceremony, credential in zip(callers, pendings, begun, signed, strict=True)
                ]
            )

            assert refusals(answers) == {"invalid_passkey_response": CALLERS - 1}


def test_concurrent_registrations_respect_the_limit_of_passkeys_per_account() -> None:
    session = sign_up("alice").log_in()
    for _ in range(PASSKEYS_MAX - 2):
        assert register(session, Authenticator()).status == 200
    begun = [begin(session) for _ in range(CALLERS)]
    made = [Authenticator().create(ceremony["public_key"]) for ceremony in begun]

    with Crowd(CALLERS) as crowd:
        answers = crowd.at_once(
            *[partial(finish, session, ceremony, credential) for ceremony, credential in zip(begun, made, strict=True)]
        )

    assert refusals(answers) == {"bad_request": CALLERS - 2}
    assert Passkey.objects.count() == PASSKEYS_MAX


def test_one_of_many_concurrent_calls_finishes_a_ceremony_without_an_account() -> None:
    callers = [Api() for _ in range(CALLERS)]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            alice, authenticator = sign_up(f"alice{number}"), Authenticator(counts=False)
            enroll(alice, authenticator)
            ceremony = begin_alone(alice.api)
            credential = authenticator.get(ceremony["public_key"])

            answers = crowd.at_once(*[partial(finish_alone, api, ceremony, credential) for api in callers])

            assert refusals(answers) == {"invalid_ceremony_token": CALLERS - 1}
            assert Family.objects.filter(account=alice.account()).count() == 2, "The one that enrolled, and one."


def test_responses_with_the_same_counter_sign_in_alone_once() -> None:
    callers = [Api() for _ in range(CALLERS)]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            alice, authenticator = sign_up(f"alice{number}"), Authenticator()
            enroll(alice, authenticator)
            begun = [begin_alone(alice.api) for _ in callers]
            signed = [authenticator.get(ceremony["public_key"], count=1) for ceremony in begun]

            answers = crowd.at_once(
                *[
                    partial(finish_alone, api, ceremony, credential)
                    for api, ceremony, credential in zip(callers, begun, signed, strict=True)
                ]
            )

            assert refusals(answers) == {"invalid_passkey_response": CALLERS - 1}
