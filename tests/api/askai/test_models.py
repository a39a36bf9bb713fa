"""Language models in both wire formats: the requests to them, and the use of their answers."""

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from io import StringIO
from typing import Any

import orjson
import pytest
import time_machine
from django.core.management import CommandError, call_command

from accounts.models import Account
from accounts.ops.retention import prune
from askai.models import RememberedPlan
from core import clock
from core.threads import QUESTION_THREADS
from tests.client import Answer, Api
from tests.loopback import Peer, Talk, answering, dripping, response, serving
from tests.patience import is_soon
from tests.people import Person, SignedIn, existing_session
from tests.races.crowd import Crowd

from .deployment import API_KEY, Deployment, ask, in_wire_format, json_response, planning, planning_in_turn, text_of

COUNT = {"entity": "sessions", "answer": {"kind": "count"}, "filters": {}}
EVENTS = {"entity": "audit_events", "answer": {"kind": "group_by", "by": "type"}, "filters": {}}
BY_DEVICE = {"entity": "sessions", "answer": {"kind": "group_by", "by": "device"}, "filters": {}}
COUNTED = {"answer": "count\n1", "row_count": 1}
QUESTION = "In how many places am I, please?"

both = pytest.mark.parametrize("kind", ["anthropic", "openai"])


def ask_model(
    deployment: Deployment, session: SignedIn, kind: str, talk: Talk, question: str = QUESTION
) -> tuple[Answer, Peer]:
    """Ask the question while a model of this kind runs."""
    deployment.open()
    with serving(talk) as peer:
        deployment.use_model(kind, base_url=peer.url(""))
        return ask(session, question), peer


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


@both
def test_the_service_runs_the_plan_of_a_model(deployment: Deployment, alice: Person, kind: str) -> None:
    answer, peer = ask_model(deployment, existing_session(alice), kind, planning(COUNT))

    assert text_of(answer) == COUNTED
    assert len(peer.received) == 1


def test_the_request_to_anthropic_demands_the_tool_call(deployment: Deployment, alice: Person) -> None:
    _, peer = ask_model(deployment, existing_session(alice), "anthropic", planning(COUNT))

    (request,) = peer.received
    body = orjson.loads(request.body)
    assert request.line == "POST /v1/messages HTTP/1.1"
    assert (request.headers["x-api-key"], request.headers["anthropic-version"]) == (API_KEY, "2023-06-01")
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("some-model-1", 1024, 0)
    assert body["messages"] == [{"role": "user", "content": QUESTION}]
    assert body["tool_choice"] == {"type": "tool", "name": body["tools"][0]["name"]}
    assert body["tools"][0]["input_schema"]["additionalProperties"] is False


def test_the_request_to_openai_demands_the_schema(deployment: Deployment, alice: Person) -> None:
    _, peer = ask_model(deployment, existing_session(alice), "openai", planning(COUNT))

    (request,) = peer.received
    body = orjson.loads(request.body)
    assert request.line == "POST /v1/chat/completions HTTP/1.1"
    assert request.headers["Authorization"] == f"Bearer {API_KEY}"
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("some-model-1", 1024, 0)
    assert body["messages"][-1] == {"role": "user", "content": QUESTION}
    assert body["response_format"]["type"] == "json_schema"
    assert body["response_format"]["json_schema"]["strict"] is True
    system = body["messages"][0]["content"]
    assert "- login_failed: failed login" in system
    assert orjson.dumps(body["response_format"]["json_schema"]["schema"]).decode() in system


@both
def test_the_request_contains_the_question_and_no_data_of_the_caller(
    deployment: Deployment, alice: Person, kind: str
) -> None:
    session = existing_session(alice)
    (listed,) = session.api.get("/v1/sessions", token=session.access).data

    _, peer = ask_model(deployment, session, kind, planning(COUNT))

    (request,) = peer.received
    said = f"{request.line}{request.headers}{request.body.decode()}"
    known = [alice.user_id, alice.email, alice.api.ip, alice.api.user_agent, session.access, session.refresh]
    assert not [value for value in [*known, *listed["id"].split(), listed["created_at"]] if value in said]


@both
def test_the_request_describes_only_the_allowed_entities(deployment: Deployment, alice: Person, kind: str) -> None:
    session = existing_session(alice)
    deployment.open()
    with serving(planning(EVENTS)) as peer:
        deployment.use_model(kind, base_url=peer.url(""))
        deployment.use_widget(entities=["sessions", "users"])
        outside = ask(session, QUESTION)
        deployment.use_widget(entities=["users"])
        unbindable = ask(session, QUESTION)
        deployment.use_widget(entities=[])
        nothing = ask(session, QUESTION)

    assert {refusal(answer) for answer in (outside, unbindable, nothing)} == {(400, "question_not_answerable")}
    assert outside.body == unbindable.body == nothing.body
    (request,) = peer.received
    body = orjson.loads(request.body)
    schema = (
        body["tools"][0]["input_schema"] if kind == "anthropic" else body["response_format"]["json_schema"]["schema"]
    )
    plan = schema["properties"]["parts"]["items"]["anyOf"][0]
    assert plan["properties"]["entity"]["enum"] == ["sessions", "none"]
    assert b"audit_events" not in request.body
    assert b"login_failed" not in request.body


@both
def test_a_request_that_a_newer_model_refuses_is_sent_again_without_temperature(
    deployment: Deployment, alice: Person, kind: str
) -> None:
    def talk(peer: Peer, send: Callable[[bytes], object]) -> None:
        body = orjson.loads(peer.received[-1].body)
        if "temperature" in body or (kind == "openai" and "max_completion_tokens" not in body):
            send(json_response({"error": {"message": "'temperature' is not supported"}}, status="400 Bad Request"))
        else:
            send(json_response(in_wire_format(COUNT, line=peer.received[-1].line)))

    answer, peer = ask_model(deployment, existing_session(alice), kind, talk)

    assert text_of(answer) == COUNTED
    assert len(peer.received) == 2


@both
@pytest.mark.parametrize(
    "status",
    [
        "400 Bad Request",
        "401 Unauthorized",
        "404 Not Found",
        "429 Too Many Requests",
        "500 Internal Server Error",
        "529 Overloaded",
        "204 No Content",
        "301 Moved Permanently",
        "307 Temporary Redirect",
    ],
)
def test_a_model_with_an_error_answer_is_unavailable(
    deployment: Deployment, alice: Person, kind: str, status: str
) -> None:
    with serving(planning(COUNT)) as elsewhere:
        body = orjson.dumps(in_wire_format(COUNT, line="/messages " if kind == "anthropic" else ""))
        talk = answering(response(body, status=status, headers=f"Location: {elsewhere.url('/v1/messages')}\r\n"))
        answer, _ = ask_model(deployment, existing_session(alice), kind, talk)

    assert refusal(answer) == (503, "ask_ai_unavailable")
    assert not elsewhere.received


@both
@pytest.mark.parametrize(
    "talk",
    [
        answering(b""),
        answering(b"nonsense"),
        answering(response(b"")),
        answering(response(b"<html>")),
        answering(response(b"[" * 100_000)),
        answering(json_response(None)),
        answering(json_response([])),
        answering(json_response({})),
        answering(json_response({"choices": []})),
        answering(json_response({"choices": [5]})),
        answering(json_response({"choices": "x", "content": "x", "type": "message"})),
        answering(json_response({"error": {"message": "overloaded"}})),
        answering(response(b" " * (256 * 1024 + 1))),
    ],
)
def test_an_answer_outside_the_wire_format_is_unavailable(
    deployment: Deployment, alice: Person, kind: str, talk: Talk
) -> None:
    answer, _ = ask_model(deployment, existing_session(alice), kind, talk)

    assert refusal(answer) == (503, "ask_ai_unavailable")


@both
@pytest.mark.parametrize(
    ("talk", "reason"),
    [
        (
            answering(response(QUESTION.encode(), status="429 Too Many Requests")),
            "The limit or the credit of the key is used up (status 429)",
        ),
        (answering(response(QUESTION.encode())), "Malformed answer"),
        (answering(json_response({"error": QUESTION})), "Malformed answer"),
        (answering(b""), "The connection failed or was closed early."),
        (answering(response(b" " * (256 * 1024 + 1))), "The answer is too large."),
    ],
)
def test_the_log_contains_the_reason_of_a_models_failure(
    deployment: Deployment, alice: Person, caplog: pytest.LogCaptureFixture, kind: str, talk: Talk, reason: str
) -> None:
    with caplog.at_level(logging.INFO, logger="authsvc.askai"):
        ask_model(deployment, existing_session(alice), kind, talk)

    (record,) = [record for record in caplog.records if record.name == "authsvc.askai"]
    assert (record.levelname, record.getMessage()) == ("WARNING", "the language model does not answer")
    assert record.__dict__["reason"] == reason
    assert QUESTION not in str(record.__dict__)


@both
def test_an_answer_of_a_model_has_at_most_256_kib(deployment: Deployment, alice: Person, kind: str) -> None:
    def talk(peer: Peer, send: Callable[[bytes], object]) -> None:
        body = orjson.dumps(in_wire_format(COUNT, line=peer.received[-1].line))
        send(response(body.ljust(256 * 1024)))

    answer, _ = ask_model(deployment, existing_session(alice), kind, talk)

    assert text_of(answer) == COUNTED


@both
def test_a_model_that_takes_too_long_is_unavailable(
    deployment: Deployment, alice: Person, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr("askai.providers.SECONDS", 0.3)
    started = time.monotonic()

    answer, _ = ask_model(deployment, existing_session(alice), kind, dripping(b"HTTP/1.1 200 OK\r\n\r\n{", b" "))

    assert refusal(answer) == (503, "ask_ai_unavailable")
    assert is_soon(time.monotonic() - started, limit=5)


@both
def test_an_unreachable_model_is_unavailable(deployment: Deployment, alice: Person, kind: str) -> None:
    deployment.open()
    deployment.use_model(kind, base_url="http://127.0.0.1:1")

    assert refusal(ask(existing_session(alice), QUESTION)) == (503, "ask_ai_unavailable")


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("anthropic", {"type": "message", "content": [{"type": "text", "text": "I cannot do that."}]}),
        ("anthropic", {"type": "message", "content": [{"type": "tool_use", "name": "other", "input": COUNT}]}),
        ("anthropic", {"type": "message", "content": []}),
        ("openai", {"choices": [{"message": {"content": None, "refusal": "I cannot do that."}}]}),
        ("openai", {"choices": [{"message": {"content": "I cannot do that."}}]}),
        ("openai", {"choices": [{"message": {"content": '{"entity": "sessions", '}}]}),
    ],
)
def test_a_model_without_a_plan_gives_no_answer(
    deployment: Deployment, alice: Person, caplog: pytest.LogCaptureFixture, kind: str, answer: Any
) -> None:
    with caplog.at_level(logging.INFO, logger="authsvc.askai"):
        got, _ = ask_model(deployment, existing_session(alice), kind, answering(json_response(answer)))

    assert refusal(got) == (400, "question_not_answerable")
    (record,) = [record for record in caplog.records if record.name == "authsvc.askai"]
    assert (record.levelname, record.getMessage()) == ("INFO", "the language model returned no valid plan")
    assert record.__dict__["kind"] == kind
    assert "cannot do that" not in str(record.__dict__)


@both
def test_a_plan_is_reused_for_a_day(deployment: Deployment, alice: Person, bob: Person, kind: str) -> None:
    deployment.open()
    with (
        time_machine.travel("2026-03-01T12:00:00Z", tick=False) as traveller,
        serving(planning_in_turn([COUNT, EVENTS])) as peer,
    ):
        deployment.use_model(kind, base_url=peer.url(""))
        first = ask(existing_session(alice), QUESTION)
        traveller.shift(timedelta(hours=23))
        again = ask(existing_session(bob), QUESTION)
        traveller.shift(timedelta(hours=1))
        next_day = ask(existing_session(alice), QUESTION)

    assert text_of(first) == text_of(again) == COUNTED
    assert str(next_day.data["answer"]).startswith("value | count")
    assert len(peer.received) == 2
    assert RememberedPlan.objects.count() == 1


@both
def test_simultaneous_callers_get_the_answer_of_the_same_plan(deployment: Deployment, alice: Person, kind: str) -> None:
    deployment.open()
    sessions = [replace(existing_session(alice), api=Api()) for _ in range(QUESTION_THREADS)]
    with Crowd(len(sessions)) as crowd, serving(planning_in_turn([BY_DEVICE, EVENTS])) as peer:
        deployment.use_model(kind, base_url=peer.url(""))
        for number in range(5):
            question = f"{QUESTION} {number}"
            answers = crowd.at_once(*[partial(ask, session, question) for session in sessions])

            assert len({answer.data["answer"] for answer in answers}) == 1

    assert len(peer.received) > 5


@both
def test_a_plan_is_stored_for_its_question_model_and_entities(deployment: Deployment, alice: Person, kind: str) -> None:
    deployment.open()
    session = existing_session(alice)
    with serving(planning(COUNT)) as peer:
        changes: list[Callable[[], None]] = [
            lambda: deployment.use_model(kind, base_url=peer.url("")),
            lambda: deployment.use_model(kind, model="some-model-2"),
            lambda: deployment.use_widget(entities=["sessions"]),
        ]
        for change in changes:
            change()
            assert text_of(ask(session, QUESTION)) == text_of(ask(session, QUESTION)) == COUNTED
        ask(session, QUESTION.lower())

    assert len(peer.received) == 4


@both
def test_an_invalid_plan_is_not_stored(deployment: Deployment, alice: Person, kind: str) -> None:
    deployment.open()
    session = existing_session(alice)
    with serving(planning_in_turn([{"entity": "users"}, COUNT])) as peer:
        deployment.use_model(kind, base_url=peer.url(""))

        assert ask(session, QUESTION).code == "question_not_answerable"
        assert text_of(ask(session, QUESTION)) == COUNTED


def test_expired_plans_are_pruned(deployment: Deployment, alice: Person) -> None:
    ask_model(deployment, existing_session(alice), "openai", planning(COUNT))

    list(prune(now=clock.now()))
    assert RememberedPlan.objects.count() == 1
    list(prune(now=clock.now() + timedelta(hours=25)))
    assert not RememberedPlan.objects.exists()


@both
def test_the_command_evaluates_a_model(deployment: Deployment, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setenv("KEY_OF_A_MODEL", API_KEY)
    options = ["--kind", kind, "--model", "some-model-1", "--api-key-env", "KEY_OF_A_MODEL"]
    said = StringIO()

    with serving(planning(COUNT)) as peer:
        deployment.configure(LLM_BASE_URL_ANTHROPIC=peer.url(""), LLM_BASE_URL_OPENAI=peer.url("/v1"))
        call_command("evaluate_ask_ai", *options, stdout=said)

    assert " wrong: Show Bob's sessions" in said.getvalue()
    (total,) = [line for line in said.getvalue().splitlines() if line.startswith("out of scope: ")]
    assert total.endswith(" 0 refused, 64 wrong")
    assert API_KEY not in said.getvalue()
    with pytest.raises(CommandError, match="does not answer"):
        call_command("evaluate_ask_ai", *options, stdout=said)


@both
def test_a_paid_model_gets_no_question_of_a_caller_without_a_proven_address(
    deployment: Deployment, alice: Person, kind: str
) -> None:
    deployment.open()
    session = existing_session(alice)

    with serving(planning(COUNT)) as peer:
        deployment.use_model(kind, base_url=peer.url(""))
        Account.objects.update(email_proven_at=None)
        assert refusal(ask(session, QUESTION)) == (403, "email_not_verified")
        assert peer.received == []

        deployment.prove_addresses()
        assert ask(session, QUESTION).status == 200


@both
def test_a_deployment_without_mail_demands_no_proven_address(deployment: Deployment, alice: Person, kind: str) -> None:
    deployment.open()
    deployment.configure(EMAIL_URL="off")
    session = existing_session(alice)

    with serving(planning(COUNT)) as peer:
        deployment.use_model(kind, base_url=peer.url(""))
        Account.objects.update(email_proven_at=None)

        assert ask(session, QUESTION).status == 200
