"""The pages of the settings of ask-AI."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.urls import reverse

from accounts.models import Event
from askai.models import Setting
from askai.running import database as proof
from askai.settings.stored import Widget, find_database_settings, find_llm_settings, find_widget
from tests.api.askai.deployment import planning
from tests.api.console.readonly_role import OtherDatabase
from tests.client import PASSWORD
from tests.console_browser import Browser, prefix
from tests.loopback import serving
from tests.pages import ORIGIN
from tests.rows import each

Configure = Callable[..., None]

HTMX = {"HX-Request": "true", "HX-Current-URL": f"{ORIGIN}/console/settings/llm"}
HOSTILE = "<script>alert(1)</script>\"'\u202e=1+1"
SECRET = "sk-live-4f9b61d2aa"
LLM = {"kind": "openai", "model": "some-model-1", "api_key": SECRET, "max_tokens": "1024"}
WIDGET = {
    "enabled": "on",
    "allowed_origins": "https://app.example.com\r\n\r\n http://localhost:3000 \r\n",
    "sessions": "on",
    "greeting": "Ask me",
    "placeholder": "Where?",
}
FORMS: dict[str, dict[str, str]] = {
    "llm": LLM,
    "database": {"label": "reader", "dsn": f"postgresql://r:{SECRET}@db.example.invalid/auth", "max_rows": "10"},
    "widget": WIDGET,
}


def send_test(browser: Browser, name: str, form: dict[str, str]) -> Browser:
    """Send the form by the button Test, as the script of the page does."""
    return browser.send(f"settings/{name}", {"csrf_token": browser.token(), **form, "act": "test"}, headers=HTMX)


def save(browser: Browser, name: str, form: dict[str, str]) -> Browser:
    return browser.submit(f"settings/{name}", {**form, "act": "save"})


@pytest.mark.parametrize("name", FORMS)
def test_a_page_shows_that_nothing_is_stored_and_opens_for_operators_only(browser: Browser, name: str) -> None:
    browser.open(f"settings/{name}")

    assert browser.status == 200
    assert "Nothing is stored" in browser.text
    assert browser.text.count('<span class="badge warn">missing</span>') == 3
    assert "Confirm first" not in browser.text
    assert len(browser.page.content) < 60_000
    for caller in (Browser().open(f"settings/{name}"), Browser().send(f"settings/{name}", FORMS[name])):
        assert "/sign-in" in caller.location
    for path in (f"settings/{name}", f"settings/{name}/remove"):
        assert browser.send(path, FORMS[name]).status == 403
    assert not Setting.objects.exists()


def test_the_language_model_is_tested_stored_and_removed(browser: Browser, configure: Configure) -> None:
    plan = {"entity": "sessions", "answer": {"kind": "count"}, "filters": {}}
    with serving(planning(plan)) as peer:
        configure(OPERATOR_SECOND_FACTOR="optional", LLM_BASE_URL_OPENAI=f"{peer.url('')}/v1")

        assert f"Questions go to <code>{peer.url('')}/v1</code>" in browser.open("settings/llm").text
        send_test(browser, "llm", LLM)

    assert browser.status == 200
    assert browser.text.strip() == '<p class="notice">The language model answers with a valid plan.</p>'
    assert not Setting.objects.exists()

    save(browser, "llm", LLM).follow()
    assert "You stored the language model setting." in browser.text
    assert 'value="some-model-1"' in browser.text
    assert SECRET not in browser.text
    stored = find_llm_settings()
    assert stored is not None
    assert (stored.kind, stored.model, stored.max_tokens, stored.api_key) == ("openai", "some-model-1", 1024, SECRET)

    browser.submit("settings/llm/remove").follow()
    assert "You removed the language model setting." in browser.text
    assert find_llm_settings() is None
    assert Event.objects.filter(type="operator_setting_changed").count() == 2


def test_the_built_in_parser_needs_neither_model_nor_key(browser: Browser) -> None:
    form = {**LLM, "kind": "builtin", "model": "", "api_key": ""}

    assert "needs no network" in send_test(browser, "llm", form).text
    save(browser, "llm", form).follow()

    stored = find_llm_settings()
    assert stored is not None
    assert (stored.kind, stored.model) == ("builtin", "builtin")
    assert browser.field("model") == ""


def test_the_database_is_tested_and_stored_when_it_refuses_writes(
    browser: Browser, database: OtherDatabase, reader: str
) -> None:
    form = {**FORMS["database"], "dsn": reader}
    with database.role("GRANT CONNECT, TEMPORARY ON DATABASE {database} TO {role}") as role:
        save(browser, "database", {**form, "dsn": database.dsn(role)})
    assert browser.status == 400
    assert "is not read-only" in browser.text
    assert browser.field("label") == "reader"
    assert "pass-7c1f9e" not in browser.text

    assert "refuses writes of this role" in send_test(browser, "database", form).text
    save(browser, "database", form).follow()

    assert f'<dd class="mono">{database.host}</dd>' in browser.text
    assert "pass-7c1f9e" not in browser.text
    stored = find_database_settings()
    assert stored is not None
    assert (stored.label, stored.max_rows, stored.dsn.database) == ("reader", 10, database.name)


def test_a_database_that_does_not_answer_is_a_result(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "PROOF_SECONDS", 0.5)

    send_test(browser, "database", FORMS["database"])

    assert browser.status == 200
    assert "could not verify that this database role is read-only" in browser.text


def test_the_page_shows_the_statements_of_the_documentation(browser: Browser) -> None:
    document = (Path(__file__).parents[4] / "docs/ask-ai.md").read_text()
    (block,) = re.findall(r"```sql\n(.*?)```", document, re.DOTALL)
    documented = [" ".join(statement.split()) for statement in block.split(";") if statement.strip()]

    browser.open("settings/database")
    shown = unescape("".join(re.findall(r"<pre[^>]*>(.*?)</pre>", browser.text, re.DOTALL)))

    name = connection.ops.quote_name(connection.settings_dict["NAME"])
    statements = {" ".join(statement.split()) for statement in shown.split(";") if statement.strip()}
    assert statements == {statement.replace("DATABASE gatehouse", f"DATABASE {name}") for statement in documented}


def test_the_widget_is_tested_stored_and_removed(browser: Browser) -> None:
    browser.open("settings/widget")
    assert f'src="{reverse("authsvc-ask-ai-script")}" nonce="' in browser.text
    assert "<ask-ai inert>" in browser.text
    assert "Users can ask questions." in send_test(browser, "widget", WIDGET).text

    save(browser, "widget", WIDGET).follow()

    assert find_widget() == Widget(
        enabled=True,
        allowed_origins=["https://app.example.com", "http://localhost:3000"],
        entities=["sessions"],  # type: ignore[list-item]  # a StrEnum equals its value
        greeting="Ask me",
        placeholder="Where?",
    )
    assert '<span class="badge good">on</span>' in browser.text
    assert 'name="sessions" value="on" checked' in browser.text
    assert 'name="audit_events" value="on">' in browser.text
    browser.submit("settings/widget/remove")
    assert find_widget() is None


@each(
    "name, change, message",
    [
        ("llm", {"kind": "gemini"}, "Must be one of anthropic, openai, builtin."),
        ("llm", {"api_key": ""}, "Must be one line of printable characters, and must not be blank."),
        ("llm", {"max_tokens": "many"}, "Must be an integer."),
        ("llm", {"max_tokens": "9" * 5000}, "Must be an integer."),
        ("llm", {"max_tokens": "1"}, "Must be at least 256."),
        ("database", {"dsn": "mysql://x"}, "Must be postgresql://USER:PASSWORD@HOST:PORT/DATABASE."),
        ("widget", {"greeting": " "}, "Is required when enabled is true."),
        ("widget", {"allowed_origins": "https://a.example/path"}, "without a path, and not *."),
    ],
)
def test_a_wrong_value_gets_a_message_beside_its_field(
    browser: Browser, name: str, change: dict[str, str], message: str
) -> None:
    form = {**FORMS[name], **change}

    save(browser, name, form)
    assert browser.status in {400, 422}
    assert re.search(rf'<p class="error"[^>]*>[^<]*{re.escape(message)}', unescape(browser.text))
    assert SECRET not in browser.text

    send_test(browser, name, form)
    assert browser.status == 200
    assert message[1:] in unescape(browser.text)
    assert not Setting.objects.exists()


def test_without_a_script_a_test_shows_the_page_with_the_typed_values(browser: Browser) -> None:
    browser.submit("settings/llm", {**LLM, "kind": "builtin", "max_tokens": "300", "act": "test"})

    assert browser.status == 200
    assert "needs no network" in browser.text
    assert browser.field("max_tokens") == "300"
    assert "type it again" in browser.text
    assert SECRET not in browser.text
    assert not Setting.objects.exists()


def test_a_setting_that_cannot_be_decrypted_can_be_overwritten_and_removed(browser: Browser) -> None:
    save(browser, "llm", LLM)
    Setting.objects.update(credential=b"sealed under a lost key")

    browser.open("settings/llm")
    assert browser.status == 200
    assert "The stored setting cannot be decrypted." in browser.text
    assert '<span class="badge bad">cannot be decrypted</span>' in browser.text
    assert "settings/llm/remove" in browser.text

    save(browser, "llm", LLM)
    assert find_llm_settings() is not None
    Setting.objects.update(credential=b"sealed under a lost key")
    browser.submit("settings/llm/remove")
    assert not Setting.objects.exists()


@pytest.mark.parametrize("name", FORMS)
def test_without_a_key_for_settings_the_page_names_the_variable(
    browser: Browser, configure: Configure, name: str
) -> None:
    configure(OPERATOR_SECOND_FACTOR="optional", SETTINGS_ENCRYPTION_KEY="")

    browser.open(f"settings/{name}")

    assert browser.status == 200
    assert "<code>SETTINGS_ENCRYPTION_KEY</code>" in browser.text
    assert "openssl rand -base64 32" in browser.text
    assert save(browser, name, FORMS[name]).status == 404


def test_a_change_and_a_test_ask_for_a_confirmation_after_ten_minutes(
    travel: time_machine.Traveller, browser: Browser
) -> None:
    travel.shift(timedelta(minutes=11))

    browser.open("settings/llm")
    assert f'href="{reverse("authsvc-confirm")}?next=' in browser.text
    token = browser.field("csrf_token")
    assert "confirm" in send_test(browser, "llm", {**LLM, "kind": "builtin"}).page.headers["HX-Redirect"]
    for path in ("settings/llm", "settings/llm/remove"):
        browser.send(path, {"csrf_token": token, **LLM}, headers={"Referer": f"{ORIGIN}{prefix()}settings/llm"})
        assert "confirm?next=" in browser.location
    assert not Setting.objects.exists()

    browser.send(
        "authsvc-confirm-password", {"csrf_token": token, "password": PASSWORD, "next": f"{prefix()}settings/llm"}
    )
    assert browser.location == f"{prefix()}settings/llm"
    assert "needs no network" in send_test(browser, "llm", {**LLM, "kind": "builtin"}).text
    assert save(browser, "llm", LLM).status == 303


def test_hostile_values_are_escaped(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "PROOF_SECONDS", 0.5)
    forms: dict[str, Any] = {
        "llm": {**LLM, "model": "<script>alert(1)</script>\"'=1+1"},
        "database": {**FORMS["database"], "label": "<script>alert(1)</script>\"'=1+1"},
        "widget": {**WIDGET, "greeting": HOSTILE, "placeholder": HOSTILE, "allowed_origins": HOSTILE},
    }
    for name, form in forms.items():
        for browsed in (save(browser, name, form), send_test(browser, name, form), browser.open(f"settings/{name}")):
            assert "<script>alert" not in browsed.text
    save(browser, "widget", {**forms["widget"], "allowed_origins": ""}).follow()
    assert "<script>alert" not in browser.text
    assert "&lt;script&gt;alert(1)" in browser.text
