from typing import Any

import pytest

from askai.models import Setting
from askai.settings.stored import LlmKind, LlmSettings, find_llm_settings
from tests.operators import Console
from tests.rows import each

PATH = "/settings/llm-provider"
API_KEY = "sk-live-4f9b61d2aa"
BODY = {"kind": "openai", "model": "some-model-1", "api_key": API_KEY, "max_tokens": 1024}
SHOWN = {"kind": "openai", "model": "some-model-1", "max_tokens": 1024, "api_key_set": True, "configured": True}
UNSET = {"kind": "", "model": "", "max_tokens": 0, "api_key_set": False, "configured": False}

WRONG: dict[str, list[Any]] = {
    "kind": [None, "", "OpenAI", "gemini", "openai ", 1, True, ["openai"], {}],
    "model": [None, "", " ", "two\nlines", "nul\0", 5, True, [], {}, "x" * 201],
    "api_key": [None, "", " ", "two\nlines", "nul\0", 5, True, [], {}, "x" * 4097],
    "max_tokens": [None, 255, 8193, 0, -1, "1024", 1024.0, 1024.5, True, [], {}, 10**18],
}


def test_every_method_returns_the_setting_without_its_key(console: Console) -> None:
    assert console.get(PATH).data == UNSET
    assert console.put(PATH, BODY).data == SHOWN
    assert console.get(PATH).data == SHOWN
    assert console.delete(PATH).data == UNSET
    assert console.get(PATH).data == UNSET
    assert console.delete(PATH).data == UNSET


def test_the_feature_reads_the_stored_setting(console: Console) -> None:
    console.put(PATH, BODY)

    assert find_llm_settings() == LlmSettings(
        kind=LlmKind.OPENAI, model="some-model-1", max_tokens=1024, api_key=API_KEY
    )


@pytest.mark.parametrize("kind", ["anthropic", "openai", "builtin"])
def test_every_kind_needs_a_key(console: Console, kind: str) -> None:
    without = {name: value for name, value in BODY.items() if name != "api_key"}

    assert console.put(PATH, {**without, "kind": kind}).code == "invalid_llm_provider"
    assert console.put(PATH, {**BODY, "kind": kind}).data == {**SHOWN, "kind": kind}


def test_a_later_write_needs_the_key_again(console: Console) -> None:
    console.put(PATH, BODY)
    without = {name: value for name, value in BODY.items() if name != "api_key"}

    assert console.put(PATH, {**without, "model": "other"}).code == "invalid_llm_provider"
    assert console.get(PATH).data == SHOWN


@pytest.mark.parametrize("max_tokens", [256, 8192])
def test_the_bounds_of_max_tokens_are_allowed(console: Console, max_tokens: int) -> None:
    assert console.put(PATH, {**BODY, "max_tokens": max_tokens}).data["max_tokens"] == max_tokens


def test_max_tokens_default_to_2048(console: Console) -> None:
    without = {name: value for name, value in BODY.items() if name != "max_tokens"}

    assert console.put(PATH, without).data["max_tokens"] == 2048


@each(
    "member, value",
    [pytest.param(member, value, id=f"{member} {value!r:.20}") for member, values in WRONG.items() for value in values],
)
def test_an_invalid_member_gets_the_code_of_this_setting(console: Console, member: str, value: Any) -> None:
    answer = console.put(PATH, {**BODY, member: value})

    assert answer.code == "invalid_llm_provider"
    assert answer.body["error"]["message"].startswith(f"{member}: ")
    assert not Setting.objects.exists()


@pytest.mark.parametrize("member", ["kind", "model", "api_key"])
def test_a_missing_member_gets_the_code_of_this_setting(console: Console, member: str) -> None:
    without = {name: value for name, value in BODY.items() if name != member}

    assert console.put(PATH, without).body["error"] == {
        "code": "invalid_llm_provider",
        "message": f"{member}: is required.",
    }


@pytest.mark.parametrize("raw", [b"{", b"[]", b'"text"', b"\xff", b'{"kind": NaN}'])
def test_a_body_other_than_a_json_object_is_malformed(console: Console, raw: bytes) -> None:
    assert console.send("PUT", PATH, raw).code == "bad_request"


def test_other_members_are_ignored(console: Console) -> None:
    assert console.put(PATH, {**BODY, "api_key_set": False, "configured": False, "base_url": "http://x"}).data == SHOWN
