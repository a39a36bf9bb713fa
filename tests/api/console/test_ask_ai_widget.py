from typing import Any

import pytest

from askai.models import Setting
from tests.operators import Console
from tests.rows import each

PATH = "/settings/ask-ai-widget"
UNSET: dict[str, Any] = {"enabled": False, "allowed_origins": [], "entities": [], "greeting": "", "placeholder": ""}
BODY: dict[str, Any] = {
    "enabled": True,
    "allowed_origins": ["https://app.example.com", "http://localhost:3000"],
    "entities": ["sessions", "audit_events"],
    "greeting": "Ask me",
    "placeholder": "Where am I signed in?",
}

WRONG: dict[str, list[Any]] = {
    "enabled": [None, "true", 1, 0, "", [], {}],
    "allowed_origins": [
        None,
        "https://app.example.com",
        {},
        5,
        [None],
        [5],
        [""],
        ["*"],
        ["https://app.example.com", "*"],
        ["app.example.com"],
        ["//app.example.com"],
        ["https://"],
        ["https:app.example.com"],
        ["ftp://app.example.com"],
        ["null"],
        ["https://app.example.com/"],
        ["https://app.example.com/path"],
        ["https://app.example.com?q=1"],
        ["https://app.example.com#part"],
        ["https://me@app.example.com"],
        ["https://app.example.com:0"],
        ["https://app.example.com:65536"],
        ["https://app.example.com:port"],
        ["https://app.example.com\n"],
        [f"https://app{number}.example.com" for number in range(21)],
        [["https://app.example.com"]],
    ],
    "entities": [
        None,
        "sessions",
        {},
        [None],
        [5],
        [""],
        ["Sessions"],
        ["sessions "],
        ["accounts"],
        ["authsvc_user"],
        ["sessions", "passwords"],
        ["sessions"] * 9,
        [["sessions"]],
    ],
    "greeting": [None, 5, True, [], {}, "x" * 201, "\U0001f600" * 201, "nul\0", "", "  ", "\n"],
    "placeholder": [None, 5, True, [], {}, "x" * 201, "nul\0"],
}


def test_every_method_returns_the_setting(console: Console) -> None:
    assert console.get(PATH).data == UNSET
    assert console.put(PATH, BODY).data == BODY
    assert console.get(PATH).data == BODY
    assert console.delete(PATH).data == UNSET
    assert console.get(PATH).data == UNSET
    assert console.delete(PATH).data == UNSET


@pytest.mark.parametrize(
    "others",
    [
        {"allowed_origins": [f"https://app{number}.example.com" for number in range(20)]},
        {"allowed_origins": []},
        {"entities": ["sessions", "audit_events", "users"]},
        {"entities": ["sessions"] * 8},
        {"entities": []},
        {"greeting": "x" * 200},
        {"greeting": "\U0001f600" * 200},
        {"greeting": "<script>alert(1)</script>"},
        {"placeholder": ""},
        {"placeholder": "x" * 200},
        {"enabled": False, "greeting": ""},
        {"enabled": False, "greeting": "  "},
    ],
    ids=lambda others: repr(others)[:40],
)
def test_the_smallest_and_the_largest_values_are_allowed(console: Console, others: dict[str, Any]) -> None:
    assert console.put(PATH, {**BODY, **others}).data == {**BODY, **others}


def test_only_the_greeting_is_required_and_only_when_enabled(console: Console) -> None:
    assert console.put(PATH, {"enabled": False}).data == UNSET
    assert console.put(PATH, {"enabled": True, "greeting": "Hi"}).data == {**UNSET, "enabled": True, "greeting": "Hi"}
    assert console.put(PATH, {"enabled": True}).body["error"] == {
        "code": "invalid_ask_ai_widget",
        "message": "greeting: is required when enabled is true.",
    }


def test_a_write_replaces_the_whole_setting(console: Console) -> None:
    console.put(PATH, BODY)

    assert console.put(PATH, {"enabled": False}).data == UNSET


@each(
    "member, value",
    [pytest.param(member, value, id=f"{member} {value!r:.40}") for member, values in WRONG.items() for value in values],
)
def test_an_invalid_member_gets_the_code_of_this_setting(console: Console, member: str, value: Any) -> None:
    answer = console.put(PATH, {**BODY, member: value})

    assert answer.code == "invalid_ask_ai_widget"
    assert answer.body["error"]["message"].startswith(member)
    assert not Setting.objects.exists()


@each(
    "member, value, message",
    [
        ("allowed_origins", ["https://a.example", "*"], 'allowed_origins: "*" must be http or https, scheme://host'),
        ("allowed_origins", ["https://" + "a" * 200 + "/"], f'allowed_origins: "https://{"a" * 92}" must be '),
        ("allowed_origins", ["https://a.example"] * 21, "allowed_origins: must be a list of at most 20 items."),
        ("allowed_origins", {"0": "https://a.example"}, "allowed_origins: must be a list of at most 20 items."),
        ("allowed_origins", None, "allowed_origins: must not be null."),
        ("entities", ["sessions"] * 9, "entities: must be a list of at most 8 items."),
        ("entities", "sessions", "entities: must be a list of at most 8 items."),
        ("greeting", "nul\0", "greeting: must not contain a NUL character."),
        ("placeholder", "nul\0", "placeholder: must not contain a NUL character."),
    ],
)
def test_the_error_names_the_valid_values_of_a_member(console: Console, member: str, value: Any, message: str) -> None:
    answer = console.put(PATH, {**BODY, member: value})

    assert answer.body["error"]["message"].startswith(message)


@pytest.mark.parametrize("body", [None, {}, {"greeting": "Hi"}])
def test_enabled_must_be_given(console: Console, body: Any) -> None:
    assert console.put(PATH, body).code == "invalid_ask_ai_widget"


@pytest.mark.parametrize("raw", [b"{", b"[]", b'"text"', b'{"enabled": tru}'])
def test_a_body_other_than_a_json_object_is_malformed(console: Console, raw: bytes) -> None:
    assert console.send("PUT", PATH, raw).code == "bad_request"
