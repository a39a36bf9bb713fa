"""The settings of ask-AI for operators: what is stored, tests of values, and changes with their audit events.

The routes and the console's pages call the same functions. So the checks of a value come before every test and change.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from django.utils.translation import gettext

from askai.errors import InvalidAskAiWidget, InvalidDatabaseProvider
from askai.plans.entities import Entity
from askai.running.database import prove_read_only
from askai.settings.dsn import SSL_MODES, Dsn, parse_dsn
from askai.settings.stored import (
    DEFAULT_MAX_ROWS,
    DEFAULT_MAX_TOKENS,
    LlmKind,
    LlmSettings,
    Name,
    Widget,
    delete,
    find_database_settings,
    find_llm_settings,
    store,
)
from askai.trial import SettingTest, try_database, try_llm, try_widget
from core.conf import read_origin
from core.db.transactions import write
from core.http.client import Client
from events.vocabulary import EventType

from ..operators.acts import record_act

_QUOTED_MAX = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmSetting:
    """The language model setting, without its key. `configured` is false when no setting is stored."""

    component: ClassVar = "LlmProvider"
    example: ClassVar = {
        "kind": "builtin",
        "model": "builtin",
        "max_tokens": DEFAULT_MAX_TOKENS,
        "api_key_set": True,
        "configured": True,
    }

    kind: str = ""
    model: str = ""
    max_tokens: int = 0
    api_key_set: bool = False
    configured: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseSetting:
    """The read-only database setting, without its DSN. `configured` is false when no setting is stored."""

    component: ClassVar = "DatabaseProvider"
    example: ClassVar = {
        "label": "replica",
        "max_rows": DEFAULT_MAX_ROWS,
        "dsn_set": True,
        "host": "replica.example.com",
        "database": "gatehouse",
        "configured": True,
    }

    label: str = ""
    max_rows: int = 0
    dsn_set: bool = False
    host: str = ""
    database: str = ""
    configured: bool = False


def show_llm() -> LlmSetting:
    """Return the language model setting. Raises SettingUndecryptable when no key opens its credential."""
    found = find_llm_settings()
    return _show_llm(kind=found.kind, model=found.model, max_tokens=found.max_tokens) if found else LlmSetting()


def show_database() -> DatabaseSetting:
    """Return the read-only database setting. Raises SettingUndecryptable when no key opens its credential."""
    found = find_database_settings()
    return _show_database(label=found.label, max_rows=found.max_rows, dsn=found.dsn) if found else DatabaseSetting()


def check_llm(*, kind: str, model: str, max_tokens: int, api_key: str) -> SettingTest:
    """Send a question to the language model with these values, and return the result. Stores nothing."""
    return try_llm(provider=LlmSettings(kind=LlmKind(kind), model=model, max_tokens=max_tokens, api_key=api_key))


def check_database(*, dsn: str) -> SettingTest:
    """Return the success of the proof that the role is read-only. Stores nothing.

    Raises InvalidDatabaseProvider for a malformed DSN, and the errors of `prove_read_only`.
    """
    return try_database(dsn=_read_dsn(dsn))


def check_widget(*, value: Mapping[str, Any]) -> SettingTest:
    """Return whether users can ask with these values. Stores nothing. Raises InvalidAskAiWidget."""
    return try_widget(widget=_read_widget(value))


def store_llm(
    *, kind: str, model: str, max_tokens: int, api_key: str, operator_id: str, client: Client, now: datetime
) -> LlmSetting:
    """Store the language model setting in place of an earlier one. Opens its own transaction."""
    value = {"kind": kind, "model": model, "max_tokens": max_tokens}
    _store(name=Name.LLM_PROVIDER, value=value, credential=api_key, operator_id=operator_id, client=client, now=now)
    return _show_llm(kind=kind, model=model, max_tokens=max_tokens)


def store_database(
    *, label: str, max_rows: int, dsn: str, operator_id: str, client: Client, now: datetime
) -> DatabaseSetting:
    """Prove that the role of the DSN is read-only, then store the setting in place of an earlier one.

    Raises InvalidDatabaseProvider for a malformed DSN, and the errors of `prove_read_only`. Opens its own transaction
    after the proof, which takes at most ten seconds.
    """
    parsed = _read_dsn(dsn)
    prove_read_only(dsn=parsed)
    value = {"label": label, "max_rows": max_rows}
    _store(name=Name.DATABASE_PROVIDER, value=value, credential=dsn, operator_id=operator_id, client=client, now=now)
    return _show_database(label=label, max_rows=max_rows, dsn=parsed)


def store_widget(*, value: Mapping[str, Any], operator_id: str, client: Client, now: datetime) -> Widget:
    """Store the widget setting in place of an earlier one. Raises InvalidAskAiWidget. Opens its own transaction."""
    widget = _read_widget(value)
    _store(name=Name.WIDGET, value=value, credential=None, operator_id=operator_id, client=client, now=now)
    return widget


@write
def remove_setting(*, name: Name, operator_id: str, client: Client, now: datetime) -> None:
    """Delete the setting, if it is stored. Opens its own transaction."""
    if delete(name=name):
        _record(name, change="removed", operator_id=operator_id, client=client, now=now)


def _record(name: Name, *, change: str, operator_id: str, client: Client, now: datetime) -> None:
    metadata = {"setting": str(name), "change": change}
    record_act(
        act=EventType.OPERATOR_SETTING_CHANGED, operator_id=operator_id, client=client, now=now, metadata=metadata
    )


@write
def _store(
    *,
    name: Name,
    value: Mapping[str, Any],
    credential: str | None,
    operator_id: str,
    client: Client,
    now: datetime,
) -> None:
    """Store the setting in place of an earlier one, with its credential sealed. Opens its own transaction."""
    store(name=name, value=value, credential=credential, now=now)
    _record(name, change="stored", operator_id=operator_id, client=client, now=now)


def _show_llm(*, kind: str, model: str, max_tokens: int) -> LlmSetting:
    return LlmSetting(kind=kind, model=model, max_tokens=max_tokens, api_key_set=True, configured=True)


def _show_database(*, label: str, max_rows: int, dsn: Dsn) -> DatabaseSetting:
    return DatabaseSetting(
        label=label, max_rows=max_rows, dsn_set=True, host=dsn.host, database=dsn.database, configured=True
    )


def _read_dsn(text: str) -> Dsn:
    try:
        return parse_dsn(text)
    except ValueError:
        raise InvalidDatabaseProvider(
            "dsn: "
            + gettext(
                "must be postgresql://USER:PASSWORD@HOST:PORT/DATABASE. Its only permitted parameters are "
                "sslmode (%(modes)s) and connect_timeout (1 to 3600)."
            )
            % {"modes": ", ".join(SSL_MODES)}
        ) from None


def _read_widget(body: Mapping[str, Any]) -> Widget:
    if body["enabled"] and not body["greeting"].strip():
        raise InvalidAskAiWidget("greeting: " + gettext("is required when enabled is true."))
    for origin in body["allowed_origins"]:
        _check_origin(origin)
    return Widget(**{**body, "entities": [Entity(entity) for entity in body["entities"]]})


def _check_origin(text: str) -> None:
    try:
        read_origin(text)
        is_origin = not text.endswith("/")
    except ValueError:
        is_origin = False
    if not is_origin:
        raise InvalidAskAiWidget(
            "allowed_origins: "
            + gettext('"%(origin)s" must be http or https, scheme://host[:port] without a path, and not *.')
            % {"origin": text[:_QUOTED_MAX]}
        )
