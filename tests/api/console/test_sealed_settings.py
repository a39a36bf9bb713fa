"""The common rules of the three settings: one key seals the credentials, and no output contains a credential."""

import base64
import logging
from collections.abc import Callable
from io import StringIO
from typing import Any

import orjson
import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from askai.models import Setting
from askai.settings.dsn import parse_dsn
from askai.settings.stored import find_database_settings, find_llm_settings
from core.keys.sealing import is_sealed_under
from tests.client import Answer
from tests.operators import Console

LLM, DATABASE, WIDGET = "/settings/llm-provider", "/settings/database-provider", "/settings/ask-ai-widget"
SEALED = [LLM, DATABASE]
SEALED_NAMES = ["llm-provider", "database-provider"]
ALL = [LLM, DATABASE, WIDGET]
OLD, NEW = b"o" * 32, b"n" * 32

API_KEY = "sk-live-4f9b61d2aa"
PASSWORD = "pass-7c1f9e"

Configure = Callable[..., None]


def ring(*keys: bytes) -> str:
    return ",".join(base64.b64encode(key).decode() for key in keys)


@pytest.fixture(autouse=True)
def _old_key(configure: Configure) -> None:
    """Start with the old key."""
    configure(SETTINGS_ENCRYPTION_KEY=ring(OLD))


@pytest.fixture
def bodies(reader: str) -> dict[str, dict[str, Any]]:
    """Return a valid body for each setting."""
    return {
        LLM: {"kind": "anthropic", "model": "some-model-1", "api_key": API_KEY},
        DATABASE: {"label": "Reporting", "dsn": reader},
        WIDGET: {"enabled": True, "greeting": "Hi", "entities": ["sessions"]},
    }


def is_configured(answer: Answer) -> bool:
    return bool(answer.data.get("configured", answer.data.get("enabled")))


@pytest.mark.parametrize("path", ALL)
def test_without_the_key_the_settings_are_not_configured(
    console: Console, configure: Configure, bodies: dict[str, dict[str, Any]], path: str
) -> None:
    console.put(path, bodies[path])
    configure(SETTINGS_ENCRYPTION_KEY="")

    answers = [
        console.get(path),
        console.put(path, bodies[path]),
        console.put(path, {}),
        console.send("PUT", path, b"{"),
        console.delete(path),
    ]

    assert {(answer.status, answer.code) for answer in answers} == {(404, "not_configured")}
    configure(SETTINGS_ENCRYPTION_KEY=ring(OLD))
    assert is_configured(console.get(path))


def test_the_key_for_second_factors_does_not_seal_settings(
    console: Console, configure: Configure, bodies: dict[str, dict[str, Any]]
) -> None:
    configure(ENCRYPTION_KEY=ring(OLD), SETTINGS_ENCRYPTION_KEY="")

    assert console.put(LLM, bodies[LLM]).code == "not_configured"


@pytest.mark.parametrize("path", SEALED)
def test_under_another_key_a_setting_can_be_replaced_but_not_read(
    console: Console, configure: Configure, bodies: dict[str, dict[str, Any]], path: str
) -> None:
    console.put(path, bodies[path])
    configure(SETTINGS_ENCRYPTION_KEY=ring(NEW))

    refused = console.get(path)
    assert (refused.status, refused.code) == (409, "setting_undecryptable")

    assert is_configured(console.put(path, bodies[path]))
    assert is_configured(console.get(path))


@pytest.mark.parametrize("path", SEALED)
def test_under_another_key_a_setting_can_be_deleted(
    console: Console, configure: Configure, bodies: dict[str, dict[str, Any]], path: str
) -> None:
    console.put(path, bodies[path])
    configure(SETTINGS_ENCRYPTION_KEY=ring(NEW))

    assert not is_configured(console.delete(path))
    assert not is_configured(console.get(path))


@pytest.mark.parametrize("path", SEALED)
def test_a_refused_write_does_not_open_the_stored_setting(
    console: Console, configure: Configure, bodies: dict[str, dict[str, Any]], path: str
) -> None:
    console.put(path, bodies[path])
    configure(SETTINGS_ENCRYPTION_KEY=ring(NEW))

    assert console.put(path, {}).code.startswith("invalid_")


def test_the_widget_setting_is_not_sealed_and_readable_under_every_key(
    console: Console, configure: Configure, bodies: dict[str, dict[str, Any]]
) -> None:
    before = console.put(WIDGET, bodies[WIDGET]).data
    configure(SETTINGS_ENCRYPTION_KEY=ring(NEW))

    assert console.get(WIDGET).data == before
    assert Setting.objects.get().credential is None


@pytest.mark.parametrize("path", SEALED)
def test_a_key_ring_opens_settings_that_the_old_key_sealed(
    console: Console, configure: Configure, bodies: dict[str, dict[str, Any]], path: str
) -> None:
    before = console.put(path, bodies[path]).data

    configure(SETTINGS_ENCRYPTION_KEY=ring(NEW, OLD))

    assert console.get(path).data == before


def test_resealing_moves_the_settings_to_the_newest_key(
    console: Console, configure: Configure, bodies: dict[str, dict[str, Any]]
) -> None:
    before = [console.put(path, bodies[path]).data for path in ALL]
    configure(SETTINGS_ENCRYPTION_KEY=ring(NEW, OLD))
    with pytest.raises(CommandError, match="Some values are not under the newest key"):
        call_command("reencrypt", check=True, stdout=StringIO())

    call_command("reencrypt", stdout=StringIO())

    assert all(is_sealed_under(NEW, Setting.objects.get(pk=name).credential or b"") for name in SEALED_NAMES)
    configure(SETTINGS_ENCRYPTION_KEY=ring(NEW))
    assert [console.get(path).data for path in ALL] == before
    llm, database = find_llm_settings(), find_database_settings()
    assert (llm and llm.api_key, database and database.dsn.password) == (API_KEY, PASSWORD)


def test_a_sealed_credential_cannot_be_opened_in_another_setting(
    console: Console, bodies: dict[str, dict[str, Any]]
) -> None:
    for path in SEALED:
        console.put(path, bodies[path])
    llm, database = Setting.objects.get(pk="llm-provider"), Setting.objects.get(pk="database-provider")
    Setting.objects.filter(pk=llm.pk).update(credential=database.credential)
    Setting.objects.filter(pk=database.pk).update(credential=llm.credential)

    assert [console.get(path).code for path in SEALED] == ["setting_undecryptable"] * 2


@pytest.mark.parametrize("damaged", [None, b"", b"\x01", b"\x01" * 60])
def test_a_damaged_credential_is_undecryptable(
    console: Console, bodies: dict[str, dict[str, Any]], damaged: bytes | None
) -> None:
    console.put(LLM, bodies[LLM])
    Setting.objects.update(credential=damaged)

    assert console.get(LLM).code == "setting_undecryptable"


def test_no_row_contains_a_credential_in_plaintext(console: Console, bodies: dict[str, dict[str, Any]]) -> None:
    for path in SEALED:
        console.put(path, bodies[path])

    rows = b"".join(bytes(row.credential or b"") + orjson.dumps(row.value) for row in Setting.objects.all())
    assert API_KEY.encode() not in rows
    assert PASSWORD.encode() not in rows


def test_no_answer_and_no_log_line_contains_a_credential(
    console: Console,
    configure: Configure,
    settings: Settings,
    bodies: dict[str, dict[str, Any]],
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    settings.DEBUG = True
    dsn = bodies[DATABASE]["dsn"]
    answers = [console.get(LLM), console.get(DATABASE)]
    answers += [console.put(path, bodies[path]) for path in ALL]
    answers += [console.get(path) for path in ALL]
    answers += [
        # Each of these is refused at another step: by the body, the DSN, the host or the database.
        console.put(LLM, {**bodies[LLM], "kind": API_KEY}),
        console.put(LLM, {**bodies[LLM], "max_tokens": API_KEY}),
        console.put(LLM, {**bodies[LLM], "model": "two\nlines"}),
        console.put(LLM, {**bodies[LLM], "api_key": [API_KEY]}),
        console.put(LLM, {**bodies[LLM], "api_key": f"{API_KEY}\n"}),
        console.send("PUT", LLM, b'{"api_key": "' + API_KEY.encode()),
        console.put(DATABASE, {**bodies[DATABASE], "label": 5}),
        console.put(DATABASE, {**bodies[DATABASE], "dsn": f"{dsn}?options=x"}),
        console.put(DATABASE, {**bodies[DATABASE], "dsn": f"{dsn}?{PASSWORD}"}),
        console.put(DATABASE, {**bodies[DATABASE], "dsn": f"{dsn}%zz"}),
        console.put(DATABASE, {**bodies[DATABASE], "dsn": f"{dsn}_gone"}),
        console.put(DATABASE, {**bodies[DATABASE], "dsn": f"postgresql://u:{PASSWORD}@{PASSWORD}.invalid/db"}),
        console.put(DATABASE, {**bodies[DATABASE], "dsn": f"postgresql://u:{PASSWORD}@127.0.0.1:1/db"}),
    ]
    configure(SETTINGS_ENCRYPTION_KEY=ring(NEW))
    answers += [console.get(LLM), console.get(DATABASE), console.delete(LLM), console.delete(DATABASE)]

    captured = capfd.readouterr()
    records = [str(record.__dict__) for record in caplog.records]
    said = "\n".join([*(str(answer.body) for answer in answers), *records, caplog.text, captured.out, captured.err])
    assert len(answers) > 20
    assert API_KEY not in said
    assert PASSWORD not in said
    assert "****" not in said


def test_the_printed_form_of_a_setting_contains_no_credential(
    console: Console, bodies: dict[str, dict[str, Any]]
) -> None:
    for path in SEALED:
        console.put(path, bodies[path])

    shown = [
        find_llm_settings(),
        find_database_settings(),
        parse_dsn(bodies[DATABASE]["dsn"]),
        *Setting.objects.all(),
    ]

    said = "".join(f"{item!r} {item}" for item in shown)
    assert API_KEY not in said
    assert PASSWORD not in said
