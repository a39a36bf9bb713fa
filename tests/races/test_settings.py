"""Concurrent writes of one setting, and concurrent changes of one operator."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import pytest

from askai.models import Setting
from console.models import Operator
from console.operators.grants import grant, revoke
from core import clock
from tests.operators import Console, only_on_full, operator
from tests.people import sign_up

from .crowd import ROUNDS, ROUNDS_OF_FEW, Crowd

pytestmark = [pytest.mark.django_db(transaction=True), only_on_full]

T = TypeVar("T")

CALLERS = 8
TIMES = 20
PATH = "/settings/llm-provider"


@pytest.fixture
def console(transactional_db: None) -> Console:
    return Console(operator(sign_up("olivia")))


def body(model: str) -> dict[str, str]:
    return {"kind": "openai", "model": model, "api_key": f"key of {model}"}


def often(act: Callable[[], T]) -> list[T]:
    """Repeat the act. Over the repetitions, the acts of the threads meet in every order."""
    return [act() for _ in range(TIMES)]


def test_concurrent_writes_and_deletions_all_succeed(console: Console) -> None:
    acts = [
        partial(console.put, PATH, body("first")),
        partial(console.put, PATH, body("second")),
        partial(console.delete, PATH),
    ]

    with Crowd(3) as crowd:
        for _ in range(ROUNDS_OF_FEW):
            answers = crowd.at_once(*[partial(often, act) for act in acts])

            assert {answer.status for answered in answers for answer in answered} == {200}
            assert console.get(PATH).data["model"] in {"first", "second", ""}


def test_each_concurrent_call_returns_its_own_result(console: Console) -> None:
    models = [f"model-{number}" for number in range(CALLERS - 1)]

    with Crowd(CALLERS) as crowd:
        for _ in range(ROUNDS):
            *written, deleted = crowd.at_once(
                *[partial(console.put, PATH, body(model)) for model in models], partial(console.delete, PATH)
            )

            assert [(answer.data["model"], answer.data["configured"]) for answer in written] == [
                (model, True) for model in models
            ]
            assert (deleted.data["model"], deleted.data["configured"]) == ("", False)


def test_each_concurrent_write_of_the_widget_returns_its_own_greeting(console: Console) -> None:
    greetings, path = [f"Hello {number}" for number in range(CALLERS - 1)], "/settings/ask-ai-widget"

    with Crowd(CALLERS) as crowd:
        for _ in range(ROUNDS):
            *written, deleted = crowd.at_once(
                *[partial(console.put, path, {"enabled": True, "greeting": greeting}) for greeting in greetings],
                partial(console.delete, path),
            )

            assert [answer.data["greeting"] for answer in written] == greetings
            assert deleted.data["enabled"] is False
            assert Setting.objects.count() <= 1


def test_concurrent_grants_and_revocations_all_succeed(transactional_db: None) -> None:
    account, now = sign_up("alice").account(), clock.now()
    acts: list[Callable[[], object]] = [
        partial(grant, account=account, role="first", os_user="root", now=now),
        partial(grant, account=account, role="second", os_user="root", now=now),
        partial(revoke, account=account, os_user="root", now=now),
    ]

    with Crowd(3) as crowd:
        for _ in range(ROUNDS_OF_FEW):
            crowd.at_once(*[partial(often, act) for act in acts])

            assert [operator.role for operator in Operator.objects.all()] in (["first"], ["second"], [])
