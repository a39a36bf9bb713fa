import ast
import hashlib
import hmac
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from core.conf import load
from events.conf import ShippingSettings, check_shipping
from events.logs.redaction import (
    ALLOWED_FIELDS,
    CREDENTIALS,
    MASK,
    PERSONAL_FIELDS,
    redact,
)
from tests.rows import each

pytestmark = pytest.mark.once

ROOT = Path(__file__).resolve().parents[2]
APPS = ("accounts", "apikeys", "askai", "config", "console", "core", "events", "mail", "mfa", "oidc", "sessions_app")
KEY = "pepper"

AT_HOME = frozenset({"detail", "path"})
"""Names of log fields that are deliberately not copied."""


def hashed(value: str) -> str:
    return f"hmac-sha256:{hmac.new(KEY.encode(), value.encode(), hashlib.sha256).hexdigest()[:16]}"


@each("word", [*CREDENTIALS, *PERSONAL_FIELDS])
@each("spelling", ["{}", "new_{}", "x_y_{}", "_{}"])
@each("case", [str.lower, str.upper, str.title])
def test_a_field_whose_name_is_or_ends_in_a_sensitive_word_is_masked_in_any_case(
    word: str, spelling: str, case: Any
) -> None:
    name = case(spelling.format(word))

    assert redact({name: "sesame"}, hash_key=None) == {name: MASK}


@each("name", ["zip", "ips", "ip_count", "tokens", "secretary", "emailed", "user_id_type", "newip"])
def test_a_field_whose_name_only_resembles_a_sensitive_word_is_unchanged(name: str) -> None:
    assert redact({name: "open"}, hash_key=KEY) == {name: "open"}


@each("hash_key", [None, KEY])
@each("value", ["sesame", 7, None, ["sesame"], {"a": "sesame"}, ("sesame",), b"sesame"])
@each("name", CREDENTIALS)
def test_a_credential_of_any_type_is_masked_even_where_other_fields_are_hashed(
    name: str, value: Any, hash_key: str | None
) -> None:
    assert redact({name: value, f"old_{name.upper()}": value}, hash_key=hash_key) == {
        name: MASK,
        f"old_{name.upper()}": MASK,
    }


@pytest.mark.parametrize("name", PERSONAL_FIELDS)
def test_personal_values_are_replaced_by_a_keyed_hash(name: str) -> None:
    fields = {name: "203.0.113.7", f"other_{name}": "203.0.113.8", f"Same_{name.upper()}": "203.0.113.7"}

    redacted = redact(fields, hash_key=KEY)

    assert redacted == {
        name: hashed("203.0.113.7"),
        f"other_{name}": hashed("203.0.113.8"),
        f"Same_{name.upper()}": hashed("203.0.113.7"),
    }
    assert redact(fields, hash_key="salt")[name] != redacted[name]


@pytest.mark.parametrize("hash_key", [None, KEY])
def test_an_empty_personal_value_is_masked_and_has_no_hash(hash_key: str | None) -> None:
    assert redact({"user_id": None}, hash_key=hash_key) == {"user_id": MASK}


def test_sensitive_fields_are_found_at_any_depth() -> None:
    fields = {
        "reason": [{"Client_IP": "203.0.113.7", "tries": 3}, ({"deep": [[{"PASSWORD": "sesame"}]]},)],
        "job": {"name": "mails", "login": {"email": "alice@example.com", "ok": True}},
    }

    assert redact(fields, hash_key=None) == {
        "reason": [{"Client_IP": MASK, "tries": 3}, [{"deep": [[{"PASSWORD": MASK}]]}]],
        "job": {"name": "mails", "login": {"email": MASK, "ok": True}},
    }


names = st.sampled_from(["ip", "User_ID", "old_token", "job", "name", "PASSWORD", "work_email", "status", "dsn"])
SECRET = "sesame"


@given(
    value=st.recursive(
        st.just(SECRET),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
        max_leaves=20,
    ),
    name=names,
    hash_key=st.sampled_from([None, KEY]),
)
def test_no_secret_remains_below_a_sensitive_name(value: Any, name: str, hash_key: str | None) -> None:
    assert not list(leaks(redact({name: value}, hash_key=hash_key)))


def leaks(value: Any, *, below: bool = False) -> Iterator[str]:
    """Yield the secrets below a sensitive name."""
    if isinstance(value, dict):
        for name, inner in value.items():
            lower = name.lower()
            sensitive = any(lower == word or lower.endswith(f"_{word}") for word in (*CREDENTIALS, *PERSONAL_FIELDS))
            yield from leaks(inner, below=below or sensitive)
    elif isinstance(value, list):
        for inner in value:
            yield from leaks(inner, below=below)
    elif below and SECRET in str(value):
        yield value


def test_the_input_of_a_redaction_is_not_changed() -> None:
    fields = {"reason": [{"ip": "203.0.113.7"}], "token": "sesame"}

    redact(fields, hash_key=KEY)

    assert fields == {"reason": [{"ip": "203.0.113.7"}], "token": "sesame"}


def calls_of_loggers() -> Iterator[tuple[str, ast.Call]]:
    """Yield each logging call of the service with its position."""
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Attribute)
                    and isinstance(node.func.value, ast.Name)
                    and node.func.value.id == "logger"
                ):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def fields_in(path: Path) -> set[str]:
    """Return the keys of every dict that the file passes as `extra`, directly, by name or through a function."""
    tree = ast.parse(path.read_text())
    given = [
        word.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for word in node.keywords
        if word.arg == "extra"
    ]
    named = {node.id for value in given for node in ast.walk(value) if isinstance(node, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name in named:
            given += [inner.value for inner in ast.walk(node) if isinstance(inner, ast.Return) and inner.value]
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id in named for target in node.targets
        ):
            given.append(node.value)
    return {
        key.value
        for value in given
        for node in ast.walk(value)
        if isinstance(node, ast.Dict)
        for key in node.keys
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    }


def test_every_field_of_the_services_log_lines_is_either_allowed_or_deliberately_excluded() -> None:
    logged: set[str] = set()
    for app in APPS:
        for path in (ROOT / app).rglob("*.py"):
            logged |= fields_in(path)

    assert {"user_id", "delivery_id", "mail_id", "exit_code", "delay_seconds"} <= logged
    assert logged - ALLOWED_FIELDS - AT_HOME == set()
    # The copy itself adds these two fields.
    assert ALLOWED_FIELDS - logged == {"exception_type", "request_id"}


def test_every_log_message_of_the_service_is_a_constant() -> None:
    lines = list(calls_of_loggers())

    assert len(lines) > 10
    for where, call in lines:
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("debug", "info", "warning", "error", "critical"):
            message = call.args[0]
            assert isinstance(message, ast.Constant), where
            # The copy would contain a bare `%s`. A variable value belongs into a field.
            assert len(call.args) == 1, where
            assert len(str(message.value)) <= 200, where


# The settings


@each(
    "variable, value, expected",
    [
        ("LOG_SHIPPING", "on", "off, record or the URL of an OTLP/HTTP collector"),
        ("LOG_SHIPPING", "collector:4318", "off, record or the URL"),
        ("LOG_SHIPPING", "grpc://collector:4317", "off, record or the URL"),
        ("LOG_SHIPPING", "http://collector:99999", "off, record or the URL"),
        ("LOG_SHIPPING", "http://collector:port", "off, record or the URL"),
        ("LOG_SHIPPING", "http://alice:sesame@collector:4318", "off, record or the URL"),
        ("LOG_SHIPPING", "http://collector:4318 ", "off, record or the URL"),
        ("LOG_SHIPPING", "http://collector\n:4318", "off, record or the URL"),
        ("LOG_SHIPPING_LEVEL", "warning", "one of debug, info, warn, error"),
        ("LOG_SHIPPING_HEADERS", "authorization", "a comma-separated list of NAME=VALUE"),
        ("LOG_SHIPPING_HEADERS", "auth orization=x", "a comma-separated list of NAME=VALUE"),
        ("LOG_SHIPPING_HEADERS", "authorization=Bearer €", "a comma-separated list of NAME=VALUE"),
        ("LOG_SHIPPING_HEADERS", "authorization=Bearer a\r\nx-scope: 1", "a comma-separated list of NAME=VALUE"),
        ("LOG_SHIPPING_HEADERS", "authorization=Bearer\tsesame", "a comma-separated list of NAME=VALUE"),
        *(
            ("LOG_SHIPPING_HEADERS", f"x-scope=1,{name}=2", "a comma-separated list of NAME=VALUE")
            for name in ("Host", "content-length", "Transfer-Encoding", "CONNECTION", "content-type")
        ),
        ("LOG_REDACTION", "none", "one of mask, hash"),
        ("RETENTION_LOG_DAYS", "0", "a whole number"),
    ],
)
def test_a_malformed_setting_stops_the_start(variable: str, value: str, expected: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"^{variable} must be {expected}"):
        load(ShippingSettings, {variable: value})


def test_hashes_require_a_key(settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "LOG_REDACTION": "hash"}
    with pytest.raises(ImproperlyConfigured, match="LOG_REDACTION=hash needs LOG_SHIPPING_HASH_KEY"):
        check_shipping()

    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "LOG_SHIPPING_HASH_KEY": KEY}
    check_shipping()


def test_headers_may_contain_equals_signs(settings: Settings) -> None:
    read = load(ShippingSettings, {"LOG_SHIPPING_HEADERS": " authorization = Basic YTpi== , x-scope=1 "})

    assert read.headers == (("authorization", "Basic YTpi=="), ("x-scope", "1"))


@each(
    "target, endpoint",
    [
        ("off", ""),
        ("record", ""),
        ("http://collector:4318", "http://collector:4318/v1/logs"),
        ("http://collector:4318/", "http://collector:4318/v1/logs"),
        ("https://collector/otlp/v1/logs", "https://collector/otlp/v1/logs"),
        ("https://collector/otlp/", "https://collector/otlp/"),
        ("https://collector?tenant=7", "https://collector/v1/logs?tenant=7"),
    ],
)
def test_an_address_without_a_path_gets_the_default_path_of_the_protocol(target: str, endpoint: str) -> None:
    read = load(ShippingSettings, {"LOG_SHIPPING": target})

    assert (read.endpoint, read.is_on) == (endpoint, target != "off")
