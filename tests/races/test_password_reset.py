"""Password resets at the same time as other changes and logins of the account."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from pytest_django import Settings

from accounts.models import Event
from sessions_app.models import Family
from tests.authenticator import Authenticator
from tests.client import PASSWORD, Api
from tests.mails import delivered, token_in
from tests.passkeys import begin_alone, enroll, finish_alone
from tests.password_resets import ask, mailed_token, reset
from tests.people import sign_up

from .pair import Pair

pytestmark = pytest.mark.django_db(transaction=True)

RESET, CHANGED = "reset to this password", "changed to this password"


@pytest.fixture(autouse=True)
def _mailbox(settings: Settings, tmp_path: Path) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "EMAIL_URL": f"file://{tmp_path}/mails"}


def numbered(rounds: Iterator[int]) -> Iterator[str]:
    yield from (f"alice{number}" for number in rounds)


@pytest.mark.parametrize("links", [1, 2])
def test_one_of_two_concurrent_resets_succeeds(links: int) -> None:
    callers = [Api(), Api()]
    passwords = [RESET, CHANGED]

    with Pair() as pair:
        for name in numbered(pair.rounds()):
            person = sign_up(name)
            for _ in range(links):
                ask(person.api, person.email)
            mailed = [token_in(mail) for mail in delivered(person.email)]
            tokens = [mailed[0], mailed[-1]]

            answers = pair.at_once(*[partial(reset, *each) for each in zip(callers, tokens, passwords, strict=True)])

            assert sorted(answer.status for answer in answers) == [200, 400]
            (refused,) = [answer for answer in answers if answer.status == 400]
            assert refused.code == "verification_token_invalid"
            kept = passwords[answers[0] is refused]
            assert person.api.post("/v1/login", {"email": person.email, "password": kept}).status == 200
            assert Event.objects.filter(type="password_changed", user_id=person.user_id).count() == 1


def test_one_of_a_concurrent_reset_and_a_change_of_the_password_succeeds() -> None:
    one, other = Api(), Api()
    body = {"current_password": PASSWORD, "new_password": CHANGED}

    with Pair() as pair:
        for name in numbered(pair.rounds()):
            person = sign_up(name)
            token = mailed_token(person)
            session = person.log_in()

            by_link, by_session = pair.at_once(
                partial(reset, one, token, RESET),
                partial(other.post, "/v1/change-password", body, token=session.access),
            )

            assert {by_link.status, by_session.status} in ({200, 401}, {400, 200})
            assert by_link.status == 200 or by_link.code == "verification_token_invalid"
            assert by_session.status == 200 or by_session.code in {"invalid_access_token", "invalid_credentials"}
            kept = RESET if by_link.status == 200 else CHANGED
            assert person.api.post("/v1/login", {"email": person.email, "password": kept}).status == 200
            assert Event.objects.filter(type="password_changed", user_id=person.user_id).count() == 1


def test_a_login_with_the_old_password_leaves_no_session_after_a_concurrent_reset() -> None:
    one, other = Api(), Api()

    with Pair() as pair:
        for name in numbered(pair.rounds()):
            person = sign_up(name)
            token = mailed_token(person)
            body = {"email": person.email, "password": PASSWORD}

            by_link, login = pair.at_once(partial(reset, one, token, RESET), partial(other.post, "/v1/login", body))

            assert by_link.status == 200
            assert login.status == 200 or login.code == "invalid_credentials"
            assert not Family.objects.filter(account=person.account(), revoked_at=None).exists()


def test_no_session_of_a_passkey_outlives_a_concurrent_reset_that_takes_the_account_over() -> None:
    with Pair() as pair:
        for name in numbered(pair.rounds()):
            person, authenticator = sign_up(name), Authenticator()
            enroll(person, authenticator)
            token = mailed_token(person)
            ceremony = begin_alone(person.api)
            credential = authenticator.get(ceremony["public_key"])

            login, answer = pair.at_once(
                partial(finish_alone, Api(), ceremony, credential), partial(reset, Api(), token, RESET)
            )

            assert answer.status == 200
            assert login.status == 200 or login.code == "invalid_passkey_response"
            assert not Family.objects.filter(account=person.account(), revoked_at=None).exists()
