"""Concurrent uses of one proof, and concurrent guesses."""

from collections import Counter
from functools import partial
from itertools import chain

import pytest
from pytest_django import Settings

from accounts.models import Event
from mfa.models import Passkey, RecoveryCode, Totp
from sessions_app.models import Family
from tests.authenticator import Authenticator
from tests.client import Answer, Api
from tests.passkeys import begin, begin_login, finish, finish_login
from tests.passkeys import enroll as enroll_passkey
from tests.people import Person, existing, existing_session, sign_up
from tests.second_factors import (
    complete_by_recovery_code,
    complete_by_totp,
    enroll_totp,
    generate_codes,
    pause,
)

from .crowd import ROUNDS, ROUNDS_OF_FEW, Crowd
from .pair import Pair

pytestmark = pytest.mark.django_db(transaction=True)

CALLERS = 16
THRESHOLD = 5
GUESSES_EACH = 13
"""The number of guesses by each of the sixteen callers: together some 200."""
WRONG_CODES_MAX = 20


def codes_of(answers: list[Answer]) -> Counter[str]:
    """Return how often each error code occurs."""
    return Counter(answer.code for answer in answers if answer.status != 200)


def has_one_winner(person: Person, answers: list[Answer]) -> bool:
    """Return whether exactly one answer has tokens, the tokens work, and no session except that one and the first
    exists.
    """
    (winner,) = [answer.data for answer in answers if answer.status == 200]
    verified = person.api.get("/v1/verify", token=winner["access_token"]).data
    return (
        verified == {"user_id": person.user_id} and Family.objects.filter(account__email_key=person.email).count() == 2
    )


def looked_at(person: Person, *reasons: str) -> int:
    """Return how many guessed codes the service refused for these reasons."""
    events = Event.objects.filter(type="totp_challenge_failed", user_id=person.user_id)
    return sum(event.metadata["reason"] in reasons for event in events)


def test_a_code_completes_one_login_once() -> None:
    callers = [Api() for _ in range(CALLERS)]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            person = sign_up(f"alice{number}")
            app = enroll_totp(person.log_in())
            pending, code = pause(person), app.code()

            answers = crowd.at_once(*[partial(complete_by_totp, api, pending, code) for api in callers])

            assert has_one_winner(person, answers)
            assert codes_of(answers) == {"invalid_pending_login": CALLERS - 1}
            assert looked_at(person, "used", "wrong") == 0


def test_a_code_completes_one_of_many_logins() -> None:
    callers = [Api() for _ in range(CALLERS)]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            person = sign_up(f"alice{number}")
            app = enroll_totp(person.log_in())
            pendings, code = [pause(person) for _ in callers], app.code()

            answers = crowd.at_once(
                *[partial(complete_by_totp, api, own, code) for api, own in zip(callers, pendings, strict=True)]
            )

            assert has_one_winner(person, answers)
            # A second use of the code counts as a failure. The failures lock the account, which voids the waiting
            # logins.
            assert codes_of(answers) == {
                "invalid_totp_code": THRESHOLD,
                "invalid_pending_login": CALLERS - 1 - THRESHOLD,
            }
            assert looked_at(person, "used") == THRESHOLD


def test_a_recovery_code_completes_one_of_many_logins() -> None:
    callers = [Api() for _ in range(CALLERS)]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            person = sign_up(f"alice{number}")
            session = person.log_in()
            code, *_ = generate_codes(session)
            enroll_totp(session)
            pendings = [pause(person) for _ in callers]

            answers = crowd.at_once(
                *[
                    partial(complete_by_recovery_code, api, own, code)
                    for api, own in zip(callers, pendings, strict=True)
                ]
            )

            assert has_one_winner(person, answers)
            assert codes_of(answers) == {
                "invalid_recovery_code": THRESHOLD,
                "invalid_pending_login": CALLERS - 1 - THRESHOLD,
            }
            assert Event.objects.filter(type="recovery_code_used", user_id=person.user_id).count() == 1
            assert RecoveryCode.objects.filter(batch__account__email_key=person.email, used_at=None).count() == 9


def test_concurrent_spellings_of_one_recovery_code_complete_one_login() -> None:
    callers = [Api() for _ in range(4)]

    with Crowd(4) as crowd:
        for number in range(ROUNDS_OF_FEW):
            person = sign_up(f"alice{number}")
            session = person.log_in()
            code, *_ = generate_codes(session)
            enroll_totp(session)
            spelt = [code, code.upper(), code.replace("-", ""), f" {code.title()} "]
            calls = [(api, pause(person), text) for api, text in zip(callers, spelt, strict=True)]

            answers = crowd.at_once(*[partial(complete_by_recovery_code, *call) for call in calls])

            assert has_one_winner(person, answers)
            assert codes_of(answers) == {"invalid_recovery_code": 3}


def test_a_passkey_signature_completes_a_login_once() -> None:
    callers = [Api() for _ in range(CALLERS)]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            person, authenticator = sign_up(f"alice{number}"), Authenticator()
            enroll_passkey(person, authenticator)
            pending = pause(person)
            begun = begin_login(person.api, pending)
            signed = authenticator.get(begun["public_key"])

            answers = crowd.at_once(*[partial(finish_login, api, pending, begun, signed) for api in callers])

            assert has_one_winner(person, answers)
            assert codes_of(answers).keys() <= {"invalid_ceremony_token", "invalid_pending_login"}
            assert not Event.objects.filter(type="passkey_challenge_failed").exists()


def test_one_of_several_proofs_completes_a_login_and_the_others_stay_unused() -> None:
    callers = [Api() for _ in range(3)]

    with Crowd(len(callers)) as crowd:
        for number in range(ROUNDS_OF_FEW):
            person, authenticator = sign_up(f"alice{number}"), Authenticator(counts=False)
            session = enroll_passkey(person, authenticator)
            code, *_ = generate_codes(session)
            app = enroll_totp(session)
            pending = pause(person)
            begun = begin_login(person.api, pending)

            answers = crowd.at_once(
                partial(complete_by_totp, callers[0], pending, app.code()),
                partial(complete_by_recovery_code, callers[1], pending, code),
                partial(finish_login, callers[2], pending, begun, authenticator.get(begun["public_key"])),
            )

            assert has_one_winner(person, answers)
            assert codes_of(answers) == {"invalid_pending_login": 2}
            spent = [
                Totp.objects.exclude(last_step=0).filter(account__email_key=person.email).exists(),
                RecoveryCode.objects.exclude(used_at=None).filter(batch__account__email_key=person.email).exists(),
                Passkey.objects.exclude(last_used_at=None).filter(account__email_key=person.email).exists(),
            ]
            assert spent == [answer.status == 200 for answer in answers]


def test_concurrent_calls_finish_a_registration_once() -> None:
    callers = [Api() for _ in range(CALLERS)]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            session = existing_session(existing(f"alice{number}"))
            begun = begin(session)
            made = Authenticator().create(begun["public_key"])

            answers = crowd.at_once(*[partial(finish, session, begun, made) for _ in callers])

            assert codes_of(answers) == {"invalid_ceremony_token": CALLERS - 1}
            assert Passkey.objects.filter(account__email_key=session.person.email).count() == 1


def test_a_credential_becomes_the_passkey_of_one_account_only() -> None:
    with Pair() as pair:
        for number in pair.rounds():
            alice, eve = existing_session(existing(f"alice{number}")), existing_session(existing(f"eve{number}"))
            authenticator = Authenticator()
            first, second = begin(alice), begin(eve)
            hers = authenticator.create(first["public_key"])
            copied = authenticator.create(second["public_key"], authenticator.credentials[0])

            answers = pair.at_once(partial(finish, alice, first, hers), partial(finish, eve, second, copied))

            assert sorted(answer.status for answer in answers) == [200, 401]
            assert codes_of(answers) == {"invalid_passkey_response": 1}
            assert Passkey.objects.count() == number + 1


def guess(crowd: Crowd, callers: list[Api], pendings: list[list[str]], code: str) -> list[Answer]:
    """Let each caller try the code on its pending tokens in order. Return every answer."""
    guesses = [partial(guess_at_each, api, own, code) for api, own in zip(callers, pendings, strict=True)]
    return list(chain.from_iterable(crowd.at_once(*guesses)))


def guess_at_each(api: Api, pendings: list[str], code: str) -> list[Answer]:
    return [complete_by_totp(api, pending, code) for pending in pendings]


def test_only_five_of_two_hundred_guesses_at_one_login_are_checked(settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "LOCKOUT_THRESHOLD": "1000"}
    callers = [Api() for _ in range(CALLERS)]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            person = sign_up(f"alice{number}")
            app = enroll_totp(person.log_in())
            pending = pause(person)

            answers = guess(crowd, callers, [[pending] * GUESSES_EACH] * CALLERS, app.wrong_code())

            assert codes_of(answers) == {
                "invalid_totp_code": 5,
                "invalid_pending_login": CALLERS * GUESSES_EACH - 5,
            }
            assert looked_at(person, "wrong") == 5
            assert complete_by_totp(person.api, pending, app.code()).code == "invalid_pending_login"


def test_guesses_at_many_logins_stay_within_the_lockout_threshold_of_the_account() -> None:
    callers = [Api() for _ in range(CALLERS)]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            person = sign_up(f"alice{number}")
            app = enroll_totp(person.log_in())
            pendings = [pause(person) for _ in callers]

            answers = guess(
                crowd, callers, [pendings[first:] + pendings[:first] for first in range(CALLERS)], app.wrong_code()
            )

            assert codes_of(answers) == {
                "invalid_totp_code": THRESHOLD,
                "invalid_pending_login": CALLERS * CALLERS - THRESHOLD,
            }
            assert looked_at(person, "wrong") == THRESHOLD
            assert Event.objects.filter(type="account_locked", user_id=person.user_id).count() == 1
            assert person.api.post("/v1/login", {"email": person.email, "password": "?"}).code == "account_locked"


def test_only_twenty_guesses_an_hour_are_checked_under_any_lockout_threshold(settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "LOCKOUT_THRESHOLD": "1000"}
    callers = [Api() for _ in range(CALLERS)]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            person = sign_up(f"alice{number}")
            app = enroll_totp(person.log_in())
            pendings = [[pause(person)] * 4 for _ in callers]

            answers = guess(crowd, callers, pendings, app.wrong_code())

            assert codes_of(answers) == {"invalid_totp_code": CALLERS * 4}
            assert looked_at(person, "wrong") == WRONG_CODES_MAX
            assert looked_at(person, "too_many") == CALLERS * 4 - WRONG_CODES_MAX
            assert complete_by_totp(person.api, pause(person), app.code()).code == "invalid_totp_code"
