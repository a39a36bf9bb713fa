"""Concurrent uses of one refresh token."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

import pytest

from accounts.models import Event
from core.keys.opaque import digest
from sessions_app.models import Family, Token
from tests.client import Answer, Api
from tests.people import sign_up

from .crowd import ROUNDS, Crowd
from .pair import Pair

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "A" * 22


def refresh(api: Api, token: str, key: str | None = None) -> Answer:
    return api.post("/v1/refresh", {"refresh_token": token}, headers=key and {"Idempotency-Key": key})


def pairs_of(answers: Sequence[Answer]) -> list[dict[str, str]]:
    return [answer.data for answer in answers if answer.status == 200]


def current_digests() -> set[bytes]:
    return {bytes(token.digest) for token in Token.objects.filter(pk__in=Family.objects.values("current_token_id"))}


def test_a_token_refreshes_once_and_every_second_use_ends_the_session() -> None:
    callers = [Api() for _ in range(16)]
    person = sign_up("alice")

    with Crowd(len(callers)) as crowd:
        for number in range(1, ROUNDS + 1):
            session, other = person.log_in(), person.log_in()

            answers = crowd.at_once(
                *[partial(api.post, "/v1/refresh", {"refresh_token": session.refresh}) for api in callers]
            )

            (winner,) = [answer for answer in answers if answer.status == 200]
            assert Counter(answer.code for answer in answers if answer.status != 200) == {"token_reused": 15}
            newest = {"refresh_token": winner.data["refresh_token"]}
            assert person.api.post("/v1/refresh", newest).code == "invalid_token"
            assert other.is_live()
            assert Event.objects.filter(type="token_reuse_detected").count() == number


def test_parallel_refreshes_with_one_key_leave_exactly_one_live_token() -> None:
    callers = [Api() for _ in range(12)]
    person = sign_up("alice")

    with Crowd(len(callers)) as crowd:
        for _ in range(ROUNDS):
            session = person.log_in()

            answers = crowd.at_once(*[partial(refresh, api, session.refresh, KEY) for api in callers])

            assert Counter(answer.status for answer in answers) == {200: len(callers)}
            live = [pair for pair in pairs_of(answers) if digest(pair["refresh_token"]) in current_digests()]
            assert len(live) == 1
            superseded = [pair for pair in pairs_of(answers) if pair not in live]
            assert {refresh(person.api, pair["refresh_token"]).code for pair in superseded} == {"invalid_token"}
            assert refresh(person.api, live[0]["refresh_token"]).status == 200
    assert not Event.objects.filter(type="token_reuse_detected").exists()


def test_a_successor_that_races_its_replacement_is_invalid_or_ends_the_session() -> None:
    """One of the two calls comes first: the successor is unknown, or the repetition is a reuse."""
    first, second = Api(), Api()
    person = sign_up("alice")

    with Pair() as pair:
        for _ in pair.rounds():
            session = person.log_in()
            lost = refresh(person.api, session.refresh, KEY).data
            reuses = Event.objects.filter(type="token_reuse_detected").count()

            used, repeated = pair.at_once(
                partial(refresh, first, lost["refresh_token"]), partial(refresh, second, session.refresh, KEY)
            )

            if repeated.status == 200:
                assert (used.status, used.code) == (401, "invalid_token")
                assert refresh(person.api, repeated.data["refresh_token"]).status == 200
                assert Event.objects.filter(type="token_reuse_detected").count() == reuses
            else:
                assert (used.status, repeated.code) == (200, "token_reused")
                assert refresh(person.api, used.data["refresh_token"]).code == "invalid_token"
                assert Event.objects.filter(type="token_reuse_detected").count() == reuses + 1


def test_a_call_with_another_key_among_parallel_ones_ends_the_session() -> None:
    callers = [Api() for _ in range(6)]
    keys = [KEY] * 5 + ["B" * 22]
    person = sign_up("alice")

    with Crowd(len(callers)) as crowd:
        for _ in range(ROUNDS):
            session = person.log_in()

            answers = crowd.at_once(
                *[partial(refresh, api, session.refresh, key) for api, key in zip(callers, keys, strict=True)]
            )

            assert {answer.code for answer in answers if answer.status != 200} == {"token_reused"}
            assert {refresh(person.api, pair["refresh_token"]).code for pair in pairs_of(answers)} == {"invalid_token"}


@pytest.mark.parametrize("path", ["logout", "delete"])
def test_a_session_that_ends_during_a_repetition_stays_ended(path: str) -> None:
    first, second = Api(), Api()
    person = sign_up("alice")

    with Pair() as pair:
        for _ in pair.rounds():
            session = person.log_in()
            lost = refresh(person.api, session.refresh, KEY).data
            (shown,) = person.api.get("/v1/sessions", token=lost["access_token"]).data
            end = (
                partial(first.post, "/v1/logout", {"session_id": shown["id"]}, token=lost["access_token"])
                if path == "logout"
                else partial(first.delete, f"/v1/sessions/{shown['id']}", token=lost["access_token"])
            )

            ended, repeated = pair.at_once(end, partial(refresh, second, session.refresh, KEY))

            assert ended.status == 200
            assert not Family.objects.filter(revoked_at=None).exists()
            if repeated.status == 200:
                assert refresh(person.api, repeated.data["refresh_token"]).code == "invalid_token"
            else:
                assert repeated.code == "token_reused"
