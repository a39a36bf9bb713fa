"""Recoveries at the same time as other acts of the account. The row of the account decides which act comes first."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import pytest
from pytest_django import Settings

from core.clock import now
from mfa.models import AccountRecovery, Totp
from mfa.recovery.account_recovery import ContinueRecoveries, cancel_by_operator
from tests import recoveries
from tests.client import Answer, Api
from tests.mails import delivered, token_in
from tests.people import Person, SignedIn, existing, existing_session
from tests.second_factors import App, complete_by_totp, enroll_totp, pause

from .crowd import ROUNDS_OF_FEW, Crowd
from .pair import Pair

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _mailbox(settings: Settings, tmp_path: Path) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "EMAIL_URL": f"file://{tmp_path}/mails"}


def people(numbers: Iterable[int] = range(ROUNDS_OF_FEW)) -> Iterator[tuple[SignedIn, App]]:
    for number in numbers:
        session = existing_session(existing(f"alice{number}"))
        yield session, enroll_totp(session)


def ready(person: Person) -> tuple[str, str]:
    """Start a recovery and end its wait. Return the tokens that cancel and complete it."""
    cancel = recoveries.start(person)
    AccountRecovery.objects.update(ready_at=now(), due_at=now())
    (mail,) = recoveries.continued(person)
    return cancel, token_in(mail)


def has_factor(person: Person) -> bool:
    return Totp.objects.filter(account=person.account()).exists()


def statuses(answers: list[Answer]) -> list[int]:
    return sorted(answer.status for answer in answers)


def test_one_of_several_concurrent_completions_succeeds() -> None:
    callers = [Api() for _ in range(8)]

    with Crowd(8) as crowd:
        for session, _ in people():
            _, token = ready(session.person)

            answers = crowd.at_once(*[partial(recoveries.complete, caller, token) for caller in callers])

            assert statuses(answers) == [200, *[400] * 7]
            assert len(delivered(session.person.email)) == 1


def test_either_a_cancellation_or_a_concurrent_completion_succeeds() -> None:
    one, other = Api(), Api()

    with Pair() as pair:
        for session, _ in people(pair.rounds()):
            stop, token = ready(session.person)

            answers = pair.at_once(partial(recoveries.cancel, one, stop), partial(recoveries.complete, other, token))

            assert statuses(answers) == [200, 400]
            assert has_factor(session.person) == (answers[0].status == 200)


def test_either_an_operator_cancels_or_a_concurrent_completion_succeeds() -> None:
    caller = Api()

    with Pair() as pair:
        for session, _ in people(pair.rounds()):
            _, token = ready(session.person)

            is_cancelled, completion = pair.at_once(
                partial(cancel_by_operator, email=session.person.email, now=now()),
                partial(recoveries.complete, caller, token),
            )

            assert (is_cancelled, completion.status) in ((True, 400), (False, 200))
            assert has_factor(session.person) == is_cancelled


def test_either_a_login_or_a_concurrent_completion_succeeds() -> None:
    one, other = Api(), Api()

    with Pair() as pair:
        for session, app in people(pair.rounds()):
            _, token = ready(session.person)
            pending = pause(session.person)

            login, completion = pair.at_once(
                partial(complete_by_totp, one, pending, app.code()), partial(recoveries.complete, other, token)
            )

            assert {login.status, completion.status} in ({200, 400}, {401, 200})
            assert has_factor(session.person) == (login.status == 200)


def test_concurrent_requests_start_one_recovery() -> None:
    callers = [Api() for _ in range(8)]

    with Crowd(8) as crowd:
        for session, _ in people():
            pending = pause(session.person)
            delivered(session.person.email)

            answers = crowd.at_once(*[partial(recoveries.request, caller, pending) for caller in callers])

            assert len({answer.data["ready_at"] for answer in answers}) == 1
            assert len(delivered(session.person.email)) == 1


def test_concurrent_workers_send_each_mail_once() -> None:
    def run() -> None:
        ContinueRecoveries().run(now(), lambda: False)

    work: list[Callable[[], None]] = [run] * 4
    # The worker delivers at most ten mails in a batch.
    sessions = [session for session, _ in islice(people(), 10)]

    with Crowd(4) as crowd:
        for session in sessions:
            recoveries.start(session.person)
        AccountRecovery.objects.update(due_at=now())

        crowd.at_once(*work)

        assert [len(delivered(session.person.email)) for session in sessions] == [1] * len(sessions)
