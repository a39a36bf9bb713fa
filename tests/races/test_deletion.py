"""A deletion while another call records an event of the account. No event keeps an address of the deleted account."""

from collections.abc import Callable
from functools import partial

import pytest

from accounts.models import Account, Event
from tests.api.users.commands import users
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Answer, Api
from tests.keys import forged, make_key, verify
from tests.passkeys import begin_alone, finish_alone
from tests.passkeys import enroll as enroll_passkey
from tests.people import SignedIn, existing, existing_session
from tests.second_factors import complete_by_totp, enroll_totp, lock, pause

from .pair import Pair

pytestmark = pytest.mark.django_db(transaction=True)

Call = Callable[[], Answer]


def log_in(session: SignedIn, password: str) -> Call:
    return partial(Api().post, "/v1/login", {"email": session.person.email, "password": password})


def locked(session: SignedIn) -> Call:
    lock(session.person)
    return log_in(session, PASSWORD)


def deactivated(session: SignedIn) -> Call:
    users("deactivate", session.person.user_id)
    return log_in(session, PASSWORD)


def wrong_password(session: SignedIn) -> Call:
    return log_in(session, "wrong")


def right_password(session: SignedIn) -> Call:
    return log_in(session, PASSWORD)


def forged_key(session: SignedIn) -> Call:
    return partial(verify, forged(make_key(session)["key"]))


def post(session: SignedIn, path: str, body: dict[str, str], *, by_session: bool = False) -> Call:
    return partial(Api().post, path, body, token=session.access if by_session else None)


def refresh(session: SignedIn) -> Call:
    return post(session, "/v1/refresh", {"refresh_token": session.refresh})


def reused_token(session: SignedIn) -> Call:
    session.refreshed()
    return refresh(session)


def request_of_a_link(session: SignedIn) -> Call:
    return post(session, "/v1/magic-link/request", {"email": session.person.email})


def wrong_code_of_a_link(session: SignedIn) -> Call:
    request_of_a_link(session)()
    return post(session, "/v1/magic-link/code", {"email": session.person.email, "code": "wrong"})


def request_of_a_reset(session: SignedIn) -> Call:
    return post(session, "/v1/password/forgot", {"email": session.person.email})


def wrong_second_factor(session: SignedIn) -> Call:
    app = enroll_totp(session)
    return partial(complete_by_totp, Api(), pause(session.person), app.wrong_code())


def wrong_passkey(session: SignedIn) -> Call:
    authenticator = Authenticator()
    enroll_passkey(session.person, authenticator)
    other = begin_alone(Api())
    return partial(finish_alone, Api(), begin_alone(Api()), authenticator.get(other["public_key"]))


def wrong_present_password(session: SignedIn) -> Call:
    body = {"current_password": "wrong", "new_password": "changed to this password"}
    return post(session, "/v1/change-password", body, by_session=True)


def request_of_an_address(session: SignedIn) -> Call:
    body = {"new_email": f"new-{session.person.email}"}
    return post(session, "/v1/email/request-change", body, by_session=True)


ACTS = [
    locked,
    deactivated,
    wrong_password,
    right_password,
    forged_key,
    refresh,
    reused_token,
    request_of_a_link,
    wrong_code_of_a_link,
    request_of_a_reset,
    wrong_second_factor,
    wrong_passkey,
    wrong_present_password,
    request_of_an_address,
]


@pytest.mark.parametrize("act", ACTS)
def test_no_event_of_a_deleted_account_has_an_address(act: Callable[[SignedIn], Call]) -> None:
    with Pair() as pair:
        for number in pair.rounds():
            session = existing_session(existing(f"alice{number}"))

            answer, _ = pair.at_once(act(session), partial(users, "delete", session.person.user_id, "--yes"))

            # A mistyped path would record no event.
            assert answer.status != 404
            assert answer.status < 500
            assert not Account.objects.filter(email_key=session.person.email).exists()
            own = Event.objects.filter(user_id=session.person.user_id)
            assert own.exists()
            assert not own.exclude(ip="", user_agent="").exists()
