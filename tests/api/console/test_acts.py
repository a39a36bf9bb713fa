"""The acts of operators, as audit events with their author."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from accounts.management.users.os_user import find_os_user
from accounts.models import Event
from console.operators.acts import list_acts
from events.vocabulary import OPERATOR_ACTS
from tests.client import Api
from tests.factories import EventFactory
from tests.operators import Console, operator
from tests.people import Person, sign_up

from .flagged import guess_at

WIDGET = {"enabled": True, "greeting": "A secret greeting", "placeholder": "", "allowed_origins": [], "entities": []}
LLM = {"kind": "builtin", "model": "secret-model", "api_key": "secret-key", "max_tokens": 512}


def acts(console: Console, act: str) -> list[dict[str, Any]]:
    """Return the events of the type as the API lists them, the newest first."""
    events: list[dict[str, Any]] = console.get("/events", {"type": act}).data["events"]
    return events


def test_a_change_of_metadata_names_the_operator_the_user_and_the_key(console: Console, alice: Person) -> None:
    path = f"/users/{alice.user_id}/metadata/plan"

    console.put(path, {"value": "a secret value"})
    console.delete(path)

    removed, stored = acts(console, "operator_metadata_changed")
    assert {stored["user_id"], removed["user_id"]} == {console.user_id}
    assert stored["ip"] == console.api.ip
    assert stored["metadata"] == {"subject_id": alice.user_id, "key": "plan", "change": "set"}
    assert removed["metadata"] == {"subject_id": alice.user_id, "key": "plan", "change": "removed"}


def test_a_review_names_the_operator_and_the_event(console: Console, alice: Person) -> None:
    flagged = guess_at(alice)

    console.put(f"/anomalies/{flagged}", {"status": "confirmed", "note": "a secret note"})

    (act,) = acts(console, "operator_event_reviewed")
    assert (act["user_id"], act["metadata"]) == (console.user_id, {"event_ids": [flagged], "status": "confirmed"})


@pytest.mark.parametrize(("name", "body"), [("llm-provider", LLM), ("ask-ai-widget", WIDGET)])
def test_a_change_of_a_setting_names_the_operator_and_the_setting(
    console: Console, name: str, body: dict[str, Any]
) -> None:
    assert console.put(f"/settings/{name}", body).status == 200
    console.delete(f"/settings/{name}")
    console.delete(f"/settings/{name}")

    removed, stored = acts(console, "operator_setting_changed")
    assert {stored["user_id"], removed["user_id"]} == {console.user_id}
    assert stored["metadata"] == {"setting": name, "change": "stored"}
    assert removed["metadata"] == {"setting": name, "change": "removed"}


def test_the_command_line_is_the_author_of_grants_and_revocations(console: Console, alice: Person) -> None:
    for flags in (["--unproven", "--role", "support"], ["--revoke"], ["--revoke"]):
        call_command("grant_operator", "--email", alice.email, *flags, stdout=StringIO(), stderr=StringIO())

    granted = acts(console, "operator_granted")[0]
    (revoked,) = acts(console, "operator_revoked")
    assert (granted["user_id"], revoked["user_id"], granted["ip"]) == (alice.user_id, alice.user_id, "")
    assert granted["metadata"] == {"author": "command line", "role": "support", "os_user": find_os_user()}
    assert revoked["metadata"] == {"author": "command line", "os_user": find_os_user()}


def test_a_refused_change_is_no_act(console: Console, alice: Person) -> None:
    path = f"/users/{alice.user_id}/metadata"

    refused = [
        console.put(f"{path}/role", {"value": 1}),
        console.put(f"{path}/plan", {"value": "x" * 2000}),
        console.delete(f"{path}/plan"),
        console.put(f"/anomalies/{alice.user_id}", {"status": "confirmed"}),
        console.put("/settings/llm-provider", {**LLM, "kind": "unknown"}),
    ]

    assert {answer.status for answer in refused} == {400, 404}
    assert {event.type for event in Event.objects.filter(type__in=OPERATOR_ACTS)} == {"operator_granted"}


def test_an_act_contains_no_value_no_note_and_no_secret(console: Console, alice: Person) -> None:
    console.put(f"/users/{alice.user_id}/metadata/plan", {"value": "a secret value"})
    console.put(f"/anomalies/{guess_at(alice)}", {"status": "confirmed", "note": "a secret note"})
    console.put("/settings/llm-provider", LLM)
    console.put("/settings/ask-ai-widget", WIDGET)

    metadata = [str(event.metadata) for event in Event.objects.filter(type__in=OPERATOR_ACTS)]

    assert len(metadata) == 5
    assert not [text for text in metadata if "secret" in text or "@" in text]


def test_a_users_activity_and_the_reports_leave_acts_out(console: Console) -> None:
    for act in OPERATOR_ACTS:
        EventFactory.create(type=act, user_id=console.user_id)

    shown = console.get(f"/users/{console.user_id}").data["recent_activity"]
    counted = console.get("/overview").data["counts"]

    assert [activity["type"] for activity in shown] == ["login_success", "signup_success"]
    assert not set(counted) & set(OPERATOR_ACTS)


def test_acts_of_all_types_are_listed_together_with_addresses(console: Console, alice: Person) -> None:
    bob = operator(sign_up("bob", api=Api(ip="198.51.100.4")))
    Console(bob).put(f"/users/{alice.user_id}/metadata/plan", {"value": 1})
    console.put("/settings/ask-ai-widget", WIDGET)
    EventFactory.create(type="operator_exported", user_id="no account")

    first = list_acts(cursor=None, limit=3)
    second = list_acts(cursor=first.next_cursor, limit=3)

    shown = [(str(act.type), act.email) for act in (*first.acts, *second.acts)]
    assert shown == [
        ("operator_exported", None),
        ("operator_setting_changed", console.session.person.email),
        ("operator_metadata_changed", bob.person.email),
        ("operator_granted", bob.person.email),
        ("operator_granted", console.session.person.email),
    ]
    assert (first.acts[1].user_id, second.next_cursor) == (console.user_id, None)
