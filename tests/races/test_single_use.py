"""Two calls with one proof, or for one place. One of them succeeds, wherever the other pauses.

Crowds repeat some of these acts with more than two callers, which a pair does not have.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from pytest_django import Settings

from accounts.models import Account
from core.clock import now
from sessions_app.models import Family
from tests.api.users.commands import users
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Answer, Api
from tests.factories import ApiKeyFactory
from tests.mails import delivered, token_in
from tests.passkeys import begin, begin_alone, begin_login, finish, finish_alone, finish_login
from tests.passkeys import enroll as enroll_passkey
from tests.people import existing, existing_session
from tests.second_factors import (
    begin_totp,
    complete_by_recovery_code,
    complete_by_totp,
    enroll_totp,
    generate_codes,
    pause,
)

from .pair import Pair

pytestmark = pytest.mark.django_db(transaction=True)

Call = Callable[[], Answer]
KEYS_MAX = 100


def post(path: str, body: dict[str, Any], token: str | None = None) -> Call:
    return partial(Api().post, path, body, token=token)


def twice(call: Call) -> list[Call]:
    return [call, call]


def code_of_one_login(name: str) -> list[Call]:
    person = existing(name)
    app = enroll_totp(existing_session(person))
    pending = pause(person)
    return twice(partial(complete_by_totp, Api(), pending, app.code()))


def code_of_two_logins(name: str) -> list[Call]:
    person = existing(name)
    app = enroll_totp(existing_session(person))
    return [partial(complete_by_totp, Api(), pause(person), app.code()) for _ in range(2)]


def recovery_code(name: str) -> list[Call]:
    person = existing(name)
    session = existing_session(person)
    code, *_ = generate_codes(session)
    enroll_totp(session)
    return [partial(complete_by_recovery_code, Api(), pause(person), code) for _ in range(2)]


def passkey_of_a_login(name: str) -> list[Call]:
    person, authenticator = existing(name), Authenticator()
    enroll_passkey(person, authenticator)
    pending = pause(person)
    begun = begin_login(person.api, pending)
    return twice(partial(finish_login, Api(), pending, begun, authenticator.get(begun["public_key"])))


def passkey_alone(name: str) -> list[Call]:
    person, authenticator = existing(name), Authenticator()
    enroll_passkey(person, authenticator)
    begun = begin_alone(person.api)
    return twice(partial(finish_alone, Api(), begun, authenticator.get(begun["public_key"])))


def registration_of_a_passkey(name: str) -> list[Call]:
    session = existing_session(existing(name))
    begun = begin(session)
    return twice(partial(finish, session, begun, Authenticator().create(begun["public_key"])))


def magic_link(name: str) -> list[Call]:
    person = existing(name)
    person.api.post("/v1/magic-link/request", {"email": person.email})
    return twice(post("/v1/magic-link/complete", {"token": token_in(delivered(person.email)[-1])}))


def refresh_token(name: str) -> list[Call]:
    return twice(post("/v1/refresh", {"refresh_token": existing_session(existing(name)).refresh}))


def invitation(name: str) -> list[Call]:
    email = f"{name}@example.com"
    users("invite", email)
    return twice(post("/v1/invitations/accept", {"token": token_in(delivered(email)[-1]), "password": PASSWORD}))


def confirmation_of_an_address(name: str) -> list[Call]:
    session = existing_session(existing(name))
    session.api.post("/v1/email/verify/request", token=session.access)
    body = {"token": token_in(delivered(session.person.email)[-1]), "password": PASSWORD}
    return twice(post("/v1/email/verify/confirm", body))


def new_address(name: str) -> list[Call]:
    session, new = existing_session(existing(name)), f"new-{name}@example.com"
    session.api.post("/v1/email/request-change", {"new_email": new}, token=session.access)
    return twice(post("/v1/email/confirm-change", {"token": token_in(delivered(new)[-1])}))


def address_of_two_accounts(name: str) -> list[Call]:
    new, calls = f"new-{name}@example.com", []
    for each in (name, f"bob-{name}"):
        session = existing_session(existing(each))
        session.api.post("/v1/email/request-change", {"new_email": new}, token=session.access)
        calls.append(post("/v1/email/confirm-change", {"token": token_in(delivered(new)[-1])}))
    return calls


def undo_of_a_new_address(name: str) -> list[Call]:
    session, new = existing_session(existing(name)), f"new-{name}@example.com"
    Account.objects.filter(pk=session.person.account().pk).update(email_proven_at=now())
    session.api.post("/v1/email/request-change", {"new_email": new}, token=session.access)
    session.api.post("/v1/email/confirm-change", {"token": token_in(delivered(new)[-1])})
    return twice(post("/v1/email/undo-change", {"token": token_in(delivered(session.person.email)[-1])}))


def change_of_the_password(name: str) -> list[Call]:
    session = existing_session(existing(name))
    body = {"current_password": PASSWORD, "new_password": "changed to this password"}
    return twice(post("/v1/change-password", body, session.access))


def confirmation_of_an_app(name: str) -> list[Call]:
    session = existing_session(existing(name))
    return twice(post("/v1/totp/confirm", {"code": begin_totp(session).code()}, session.access))


def removal_of_an_app(name: str) -> list[Call]:
    session = existing_session(existing(name))
    enroll_totp(session)
    return twice(post("/v1/totp/disable", {"password": PASSWORD}, session.access))


def deletion(name: str) -> list[Call]:
    session = existing_session(existing(name))
    return twice(post("/v1/delete-account", {"current_password": PASSWORD}, session.access))


def last_place_of_a_key(name: str) -> list[Call]:
    session = existing_session(existing(name))
    ApiKeyFactory.create_batch(KEYS_MAX - 1, account=session.person.account())
    return twice(post("/v1/api-keys", {"name": "x"}, session.access))


ACTS = [
    code_of_one_login,
    code_of_two_logins,
    recovery_code,
    passkey_of_a_login,
    passkey_alone,
    registration_of_a_passkey,
    magic_link,
    refresh_token,
    invitation,
    confirmation_of_an_address,
    new_address,
    address_of_two_accounts,
    undo_of_a_new_address,
    change_of_the_password,
    confirmation_of_an_app,
    removal_of_an_app,
    deletion,
    last_place_of_a_key,
]


@pytest.mark.parametrize("act", ACTS)
def test_one_of_two_calls_succeeds(act: Callable[[str], list[Call]]) -> None:
    with Pair() as pair:
        for number in pair.rounds():
            answers = pair.at_once(*act(f"alice{number}"))

            accepted = [answer.status < 400 for answer in answers]
            assert sorted(accepted) == [False, True], [answer.body for answer in answers]
            assert max(answer.status for answer in answers) < 500


def test_two_logins_at_the_limit_leave_one_session(settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "MAX_SESSIONS": "1"}
    with Pair() as pair:
        for number in pair.rounds():
            person = existing(f"alice{number}")
            login = post("/v1/login", {"email": person.email, "password": PASSWORD})

            answers = pair.at_once(login, login)

            assert [answer.status for answer in answers] == [200, 200]
            assert Family.objects.filter(account=person.account(), revoked_at=None).count() == 1


def test_two_wrong_passwords_both_count() -> None:
    with Pair() as pair:
        for number in pair.rounds():
            person = existing(f"alice{number}")
            login = post("/v1/login", {"email": person.email, "password": "wrong"})

            pair.at_once(login, login)

            assert person.account().failed_attempts == 2
