"""The tests of settings before an operator stores them."""

from collections.abc import Callable
from typing import Any

import pytest
import time_machine

from askai.models import Setting
from askai.running import database as proof
from tests.api.askai.deployment import json_response, planning
from tests.client import PASSWORD
from tests.loopback import Talk, answering, response, serving
from tests.operators import Console
from tests.people import sign_up
from tests.rows import each

from . import test_ask_ai_widget, test_database_provider, test_llm_provider
from .readonly_role import OtherDatabase
from .test_read_only import state

Configure = Callable[..., None]

LLM, DATABASE, WIDGET = "/settings/llm-provider", "/settings/database-provider", "/settings/ask-ai-widget"
BODIES: dict[str, dict[str, Any]] = {
    LLM: test_llm_provider.BODY,
    DATABASE: {"label": "reader", "dsn": "postgresql://reader:x@db.example.invalid/auth", "max_rows": 10},
    WIDGET: test_ask_ai_widget.BODY,
}
WRONG = {
    LLM: test_llm_provider.WRONG,
    DATABASE: test_database_provider.WRONG,
    WIDGET: test_ask_ai_widget.WRONG,
}
PLAN = {"entity": "sessions", "answer": {"kind": "count"}, "filters": {}}


def ask_model(console: Console, configure: Configure, talk: Talk, kind: str = "openai") -> tuple[dict[str, Any], str]:
    """Test the setting while a model runs; return the result and the request that the model got."""
    with serving(talk) as peer:
        configure(LLM_BASE_URL_ANTHROPIC=peer.url(""), LLM_BASE_URL_OPENAI=f"{peer.url('')}/v1")
        data = console.post(f"{LLM}/test", {**BODIES[LLM], "kind": kind}).data
    (request,) = peer.received
    return data, f"{request.line}{request.headers}{request.body.decode()}"


@pytest.mark.parametrize("kind", ["anthropic", "openai"])
def test_a_model_that_answers_with_a_plan_is_ok(console: Console, configure: Configure, kind: str) -> None:
    data, request = ask_model(console, configure, planning(PLAN), kind)

    assert data == {"ok": True, "message": "The language model answers with a valid plan."}
    assert test_llm_provider.API_KEY in request
    assert str(test_llm_provider.BODY["model"]) in request


def test_the_built_in_parser_is_ok_without_a_request(console: Console) -> None:
    answer = console.post(f"{LLM}/test", {**BODIES[LLM], "kind": "builtin"})

    assert answer.data == {"ok": True, "message": "The built-in parser needs no network."}


@pytest.mark.parametrize(
    ("talk", "message"),
    [
        (
            answering(response(status="401 Unauthorized")),
            "The language model did not answer. Reason: The key was refused (status 401).",
        ),
        (answering(response(b"nonsense")), "The language model did not answer. Reason: Malformed answer."),
        (
            answering(b""),
            "The language model did not answer. Reason: The connection failed or was closed early.",
        ),
        (
            answering(response(status="302 Found", headers="Location: http://127.0.0.1/\r\n")),
            "The language model did not answer. Reason: The server gave another answer than expected (status 302).",
        ),
        (planning({"entity": "passwords"}), "The language model answers, but not with a valid plan."),
    ],
    ids=["status", "malformed", "closed", "redirect", "plan"],
)
def test_a_model_that_fails_is_not_ok_and_the_message_states_the_reason(
    console: Console, configure: Configure, talk: Talk, message: str
) -> None:
    data, _ = ask_model(console, configure, talk)

    assert data == {"ok": False, "message": message}


def test_a_key_that_no_header_can_carry_is_not_ok(console: Console) -> None:
    data = console.post(f"{LLM}/test", {**BODIES[LLM], "api_key": "ключ"}).data

    assert (data["ok"], "header is malformed" in data["message"]) == (False, True)


def test_a_failure_of_a_test_is_not_logged(
    console: Console, configure: Configure, caplog: pytest.LogCaptureFixture
) -> None:
    data, _ = ask_model(console, configure, answering(response(status="401 Unauthorized")))

    assert data["ok"] is False
    assert [record for record in caplog.records if record.name != "authsvc.access"] == []


def test_no_result_quotes_the_model_or_the_key(console: Console, configure: Configure) -> None:
    reflected = {"error": "reflected-1", "key": test_llm_provider.API_KEY}
    talks = [answering(json_response(reflected)), answering(json_response(reflected, status="403 reflected-1"))]

    found = [str(ask_model(console, configure, talk)[0]) for talk in talks]

    assert not [text for text in found if "reflected-1" in text or test_llm_provider.API_KEY in text]


def test_a_role_that_may_only_read_is_ok(console: Console, reader: str) -> None:
    answer = console.post(f"{DATABASE}/test", {**BODIES[DATABASE], "dsn": reader})

    assert answer.data == {"ok": True, "message": "The database refuses writes of this role."}


def test_a_role_that_can_write_gets_the_error_of_the_put(console: Console, database: OtherDatabase) -> None:
    with database.role("GRANT CONNECT, TEMPORARY ON DATABASE {database} TO {role}") as role:
        body = {**BODIES[DATABASE], "dsn": database.dsn(role)}
        answers = [console.post(f"{DATABASE}/test", body), console.put(DATABASE, body)]

    assert [answer.code for answer in answers] == ["database_role_not_read_only"] * 2
    assert answers[0].body == answers[1].body


def test_a_database_that_does_not_answer_gets_the_error_of_the_put(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "PROOF_SECONDS", 0.5)

    assert console.post(f"{DATABASE}/test", BODIES[DATABASE]).code == "database_role_unverified"


@pytest.mark.parametrize(
    ("change", "is_ok"),
    [
        ({}, True),
        ({"enabled": False, "greeting": ""}, True),
        ({"entities": []}, False),
        ({"enabled": False, "entities": []}, True),
    ],
)
def test_a_widget_is_ok_unless_it_refuses_every_question(console: Console, change: dict[str, Any], is_ok: bool) -> None:
    assert console.post(f"{WIDGET}/test", {**BODIES[WIDGET], **change}).data["ok"] is is_ok


@each(
    "path, member, value",
    [
        pytest.param(path, member, value, id=f"{path.rpartition('/')[2]} {member} {value!r:.20}")
        for path, members in WRONG.items()
        for member, values in members.items()
        for value in values
    ],
)
def test_a_wrong_value_gets_the_error_of_the_put(console: Console, path: str, member: str, value: Any) -> None:
    body = {**BODIES[path], member: value}

    tested, put = console.post(f"{path}/test", body), console.put(path, body)

    assert (tested.status, tested.body) == (put.status, put.body)
    assert tested.status == 400


@pytest.mark.parametrize("path", [LLM, DATABASE, WIDGET])
def test_a_test_changes_no_row(console: Console, reader: str, path: str) -> None:
    stored = {LLM: {**BODIES[LLM], "kind": "builtin", "model": "stored"}, WIDGET: BODIES[WIDGET]}
    for other, body in stored.items():
        console.put(other, body)
    before, shown = state(), console.get(path).data

    answers = [
        console.post(f"{path}/test", {**BODIES[path], **change})
        for change in ({}, {"dsn": reader}, {"kind": "openai"}, {"greeting": "Other"})
    ]

    changed = {table for table, rows in state().items() if rows != before[table]}
    assert {answer.status for answer in answers} <= {200, 400}
    assert changed == set()
    assert console.get(path).data == shown


def test_a_test_neither_reads_nor_needs_the_stored_setting(console: Console, configure: Configure) -> None:
    body = {**BODIES[LLM], "kind": "builtin"}
    console.put(LLM, body)
    Setting.objects.update(credential=b"sealed under a lost key")

    assert console.get(LLM).code == "setting_undecryptable"
    assert console.post(f"{LLM}/test", body).data["ok"] is True


@pytest.mark.parametrize("path", [LLM, DATABASE, WIDGET])
def test_the_tests_exist_only_with_a_key_for_settings(console: Console, configure: Configure, path: str) -> None:
    configure(SETTINGS_ENCRYPTION_KEY="")

    answer = console.post(f"{path}/test", BODIES[path])

    assert (answer.status, answer.code) == (404, "not_configured")


@each("path", [LLM, DATABASE, WIDGET])
@each("method", ["GET", "PUT", "DELETE", "PATCH"])
def test_a_test_is_a_post(console: Console, path: str, method: str) -> None:
    assert console.call(method, f"{path}/test", BODIES[path]).code == "method_not_allowed"


@pytest.mark.parametrize("path", [LLM, DATABASE, WIDGET])
def test_only_operators_test_settings(console: Console, path: str) -> None:
    session = sign_up("eve").log_in()

    assert session.api.post(f"/v1/admin{path}/test", BODIES[path], token=session.access).code == "not_operator"
    assert session.api.post(f"/v1/admin{path}/test", BODIES[path]).code == "missing_auth_header"


@pytest.mark.parametrize("path", [LLM, DATABASE, WIDGET])
def test_a_test_needs_a_recent_login_and_calls_out_only_then(
    console: Console, configure: Configure, travel: time_machine.Traveller, path: str
) -> None:
    console = console.renewed()
    configure(RECENT_LOGIN_SECONDS="120")
    travel.shift(121)

    with serving(answering(response())) as peer:
        dsn = f"postgresql://reader:x@127.0.0.1:{peer.port}/auth"
        configure(LLM_BASE_URL_OPENAI=peer.url(""))
        refused = console.post(f"{path}/test", {**BODIES[path], **({"dsn": dsn} if path == DATABASE else {})})

    assert (refused.status, refused.code, peer.received) == (403, "reauthentication_required", [])
    password = {"password": PASSWORD}
    assert console.api.post("/v1/reauthenticate", password, token=console.session.access).status == 200
    assert console.post(f"{path}/test", BODIES[path]).status != 403
