"""Concurrent requests with one proof of a key."""

from collections import Counter
from functools import partial

import pytest

from accounts.models import Event
from tests.client import Api
from tests.key_bound import ProvingApi, bound_session
from tests.people import sign_up

from .crowd import ROUNDS_OF_FEW, Crowd

pytestmark = pytest.mark.django_db(transaction=True)


def test_one_proof_refreshes_and_reads_once() -> None:
    callers = [Api() for _ in range(8)]
    person = sign_up("alice")
    api = ProvingApi()

    with Crowd(len(callers)) as crowd:
        for _ in range(ROUNDS_OF_FEW):
            session = bound_session(person, api=api)
            body = {"refresh_token": session.refresh}
            proof = api.prover.headers("POST", "/v1/refresh")
            read = api.prover.headers("GET", "/v1/me", access=session.access)

            refreshed = crowd.at_once(*[partial(one.post, "/v1/refresh", body, headers=proof) for one in callers])
            seen = crowd.at_once(*[partial(one.get, "/v1/me", headers=read) for one in callers])

            for answers in (refreshed, seen):
                assert Counter(answer.status for answer in answers) == {200: 1, 401: 7}
                assert {answer.code for answer in answers if answer.status == 401} == {"invalid_dpop_proof"}
            (winner,) = [answer.data for answer in refreshed if answer.status == 200]
            assert api.post("/v1/refresh", {"refresh_token": winner["refresh_token"]}).status == 200

    assert not Event.objects.filter(type="token_reuse_detected").exists()
