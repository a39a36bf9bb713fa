"""Concurrent writes to the metadata of one user."""

from functools import partial

import jwt as pyjwt
import pytest

from tests.client import Answer
from tests.operators import Console, only_on_full, operator
from tests.people import sign_up

from .crowd import ROUNDS, Crowd

pytestmark = [pytest.mark.django_db(transaction=True), only_on_full]

CALLERS = 16


@pytest.fixture
def console(transactional_db: None) -> Console:
    return Console(operator(sign_up("olivia")))


def metadata(answer: Answer) -> dict[str, object]:
    return dict(answer.data["metadata"])


def test_concurrent_writes_of_different_keys_are_all_kept(console: Console) -> None:
    keys = [f"key{number}" for number in range(CALLERS)]

    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            person = sign_up(f"alice{number}")
            path = f"/users/{person.user_id}/metadata"

            answers = crowd.at_once(*[partial(console.put, f"{path}/{key}", {"value": key}) for key in keys])

            expected = {key: key for key in keys}
            assert metadata(console.get(path)) == expected
            # Each answer contains the caller's key and all earlier keys. The first answer has one key, and the last has
            # all keys.
            assert sorted(len(metadata(answer)) for answer in answers) == list(range(1, CALLERS + 1))
            assert all(metadata(answer)[key] == key for key, answer in zip(keys, answers, strict=True))
            claims = pyjwt.decode(person.log_in().access, options={"verify_signature": False})
            assert {key: claims[key] for key in keys} == expected


def test_concurrent_writes_of_one_key_leave_one_value(console: Console) -> None:
    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            path = f"/users/{sign_up(f'alice{number}').user_id}/metadata"

            answers = crowd.at_once(
                *[partial(console.put, f"{path}/key", {"value": caller}) for caller in range(CALLERS)]
            )

            assert [metadata(answer) for answer in answers] == [{"key": caller} for caller in range(CALLERS)]
            assert metadata(console.get(path))["key"] in range(CALLERS)


def test_one_of_many_concurrent_deletions_of_a_key_succeeds_and_other_keys_stay(console: Console) -> None:
    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            path = f"/users/{sign_up(f'alice{number}').user_id}/metadata"
            console.put(f"{path}/key", {"value": 1})
            half = CALLERS // 2

            answers = crowd.at_once(
                *[partial(console.delete, f"{path}/key") for _ in range(half)],
                *[partial(console.put, f"{path}/other{caller}", {"value": caller}) for caller in range(half)],
            )

            deletions, writes = answers[:half], answers[half:]
            assert [answer.status for answer in deletions].count(200) == 1
            assert {answer.code for answer in deletions if answer.status != 200} == {"metadata_key_not_found"}
            assert {answer.status for answer in writes} == {200}
            assert metadata(console.get(path)) == {f"other{caller}": caller for caller in range(half)}


def test_concurrent_writes_respect_the_limit_on_all_keys(console: Console) -> None:
    with Crowd(CALLERS) as crowd:
        for number in range(ROUNDS):
            path = f"/users/{sign_up(f'alice{number}').user_id}/metadata"

            answers = crowd.at_once(
                *[partial(console.put, f"{path}/key{caller:02}", {"value": "x" * 1000}) for caller in range(CALLERS)]
            )

            assert sorted(answer.status for answer in answers) == [200] * 4 + [400] * (CALLERS - 4)
            assert len(metadata(console.get(path))) == 4
