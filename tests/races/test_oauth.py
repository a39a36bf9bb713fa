"""Concurrent logins and links by one identity at a provider."""

from collections import Counter
from collections.abc import Iterator
from functools import partial

import pytest
from pytest_django import Settings

from accounts.models import Account, Event
from core.threads import PROVIDER_THREADS
from sessions_app.models import Family, Identity
from sessions_app.oauth import discovery
from tests.client import Answer, Api
from tests.issuers import Issuer, complete, link, running, session_of, sign_in, start, unlink, user
from tests.people import sign_up

from .crowd import Crowd
from .pair import Pair

pytestmark = pytest.mark.django_db(transaction=True)

CALLERS = PROVIDER_THREADS
ROUNDS = 5


@pytest.fixture
def issuer(settings: Settings) -> Iterator[Issuer]:
    discovery.forget()
    with running() as made:
        settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **made.variables()}
        yield made


def codes(answers: list[Answer]) -> Counter[str]:
    return Counter("ok" if answer.status == 200 else answer.code for answer in answers)


def test_one_of_many_concurrent_calls_completes_a_flow(issuer: Issuer) -> None:
    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            started = start(Api())
            returned = issuer.approve(started["authorize_url"], user(f"s{number}", f"alice{number}@example.com"))

            answers = crowd.at_once(*[partial(complete, Api(), started, returned) for _ in range(CALLERS)])

            assert codes(answers) == {"ok": 1, "invalid_oauth_state": CALLERS - 1}
            assert Family.objects.count() == number + 1


def test_concurrent_first_logins_of_an_identity_make_one_account(issuer: Issuer) -> None:
    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            who = user(f"s{number}", f"alice{number}@example.com")
            flows = [start(Api()) for _ in range(CALLERS)]
            returned = [issuer.approve(flow["authorize_url"], who) for flow in flows]

            answers = crowd.at_once(
                *[partial(complete, Api(), flow, back) for flow, back in zip(flows, returned, strict=True)]
            )

            assert codes(answers) == {"ok": CALLERS}
            assert Account.objects.count() == Identity.objects.count() == number + 1
    assert Event.objects.filter(type="oauth_linked").count() == ROUNDS


def test_one_of_two_accounts_gets_an_identity(issuer: Issuer) -> None:
    with Pair() as pair:
        for number in pair.rounds():
            sessions = [sign_up(f"{name}{number}").log_in() for name in ("alice", "bob")]

            answers = pair.at_once(
                *[partial(link, session.api, issuer, user(f"s{number}"), token=session.access) for session in sessions]
            )

            assert codes(answers) == {"ok": 1, "identity_in_use": 1}


def test_of_two_last_identities_one_stays(issuer: Issuer) -> None:
    with Pair() as pair:
        for number in pair.rounds():
            email = f"alice{number}@example.com"
            session = session_of(sign_in(Api(), issuer, user(f"s{number}", email)), Api(), email)
            link(session.api, issuer, user(f"t{number}"), token=session.access)
            ids = [
                identity["id"]
                for identity in session.api.get("/v1/identities", token=session.access).data["identities"]
            ]

            answers = pair.at_once(
                *[partial(Api().delete, f"/v1/identities/{each}", token=session.access) for each in ids]
            )

            assert codes(answers) == {"ok": 1, "last_sign_in_method": 1}
            assert unlink(session).code == "last_sign_in_method"
