"""A slow model or database occupies only a few threads of a process. All other threads stay free."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from queue import SimpleQueue
from threading import Event

import pytest

from core.threads import QUESTION_THREADS
from tests.client import Answer, Api
from tests.loopback import Peer, Talk, answering, response, serving
from tests.people import Person
from tests.races.crowd import Crowd

from .deployment import Deployment, ask, json_response, planning, text_of

PATIENCE = 30
COUNT = {"entity": "sessions", "answer": {"kind": "count"}, "filters": {}}
QUESTION = "In how many places am I, please?"


def test_a_process_handles_six_questions_and_refuses_the_next_at_once(deployment: Deployment, alice: Person) -> None:
    arrived: SimpleQueue[None] = SimpleQueue()
    is_refused = Event()

    def talk(peer: Peer, send: Callable[[bytes], object]) -> None:
        arrived.put(None)
        is_refused.wait(PATIENCE)
        planning(COUNT)(peer, send)

    def ask_when_all_wait() -> Answer:
        for _ in range(QUESTION_THREADS):
            arrived.get(timeout=PATIENCE)
        try:
            return ask(session, QUESTION)
        finally:
            is_refused.set()

    deployment.open()
    session = alice.log_in()
    patient = [partial(ask, replace(session, api=Api()), QUESTION) for _ in range(QUESTION_THREADS)]
    with serving(talk) as peer, Crowd(QUESTION_THREADS + 1) as crowd:
        deployment.use_model("openai", base_url=peer.url(""))
        *answers, last = crowd.at_once(*patient, ask_when_all_wait)

    assert QUESTION_THREADS == 6
    assert (last.status, last.code) == (503, "ask_ai_unavailable")
    assert [text_of(answer) for answer in answers] == [{"answer": "count\n1", "row_count": 1}] * QUESTION_THREADS
    assert len(peer.received) == QUESTION_THREADS
    assert ask(session, QUESTION).status == 200


@pytest.mark.parametrize(
    ("talk", "code"),
    [
        (answering(response(b"", status="500 Internal Server Error")), "ask_ai_unavailable"),
        (answering(json_response({"choices": [{"message": {"content": "no"}}]})), "question_not_answerable"),
    ],
)
def test_a_question_without_a_plan_frees_its_slot(
    deployment: Deployment, alice: Person, monkeypatch: pytest.MonkeyPatch, talk: Talk, code: str
) -> None:
    monkeypatch.setattr("askai.ask.QUESTION_THREADS", 1)
    deployment.open()
    session = alice.log_in()
    with serving(talk) as peer:
        deployment.use_model("openai", base_url=peer.url(""))

        assert ask(session, QUESTION).code == code

    deployment.use_model("builtin")
    assert ask(session, "Show my sessions").status == 200


def test_a_question_with_an_unreachable_database_frees_its_slot(
    deployment: Deployment, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askai.ask.QUESTION_THREADS", 1)
    deployment.open()
    session = alice.log_in()
    deployment.use_database(dsn="postgresql://nobody:x@127.0.0.1:1/nothing")

    assert ask(session, "Show my sessions").code == "ask_ai_unavailable"

    deployment.use_database()
    assert ask(session, "Show my sessions").status == 200
