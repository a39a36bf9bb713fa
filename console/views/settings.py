"""Routes that show, store, delete and test the settings of ask-AI. A test stores nothing.

No response contains a credential, not even a masked one. A test needs a recent login like a write, because the service
then calls a host that the operator names.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from askai.database import prove_read_only
from askai.dsn import SSL_MODES, Dsn, parse_dsn
from askai.entities import Entity
from askai.errors import (
    DatabaseRoleNotReadOnly,
    DatabaseRoleUnverified,
    InvalidAskAiWidget,
    InvalidDatabaseProvider,
    InvalidLlmProvider,
    SettingUndecryptable,
)
from askai.settings_store import (
    DEFAULT_MAX_ROWS,
    DEFAULT_MAX_TOKENS,
    LlmKind,
    LlmSettings,
    Name,
    Widget,
    find_database_settings,
    find_llm_settings,
    find_widget,
    settings_keys,
)
from askai.trial import SettingTest, try_database, try_llm, try_widget
from core.conf import read_origin
from core.errors import NotConfigured
from core.http.view import Call, operation

from ..ask_ai_settings import remove_setting, store_setting
from ..serializers import DatabaseProviderInput, LlmProviderInput, WidgetInput
from .base import AdminView

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


class _SettingView(AdminView):
    """A route for a setting. It exists only while SETTINGS_ENCRYPTION_KEY is set."""

    def check_feature(self) -> None:
        """Raise NotConfigured while SETTINGS_ENCRYPTION_KEY is unset."""
        if not settings_keys():
            raise NotConfigured


class LlmProvider(_SettingView):
    """The language model of ask-AI."""

    @operation(output=LlmSetting, errors=(NotConfigured, SettingUndecryptable))
    def get(self, call: Call) -> LlmSetting:
        """Show the language model setting.

        The answer does not contain the API key.
        """
        found = find_llm_settings()
        return _show_llm(kind=found.kind, model=found.model, max_tokens=found.max_tokens) if found else LlmSetting()

    @operation(
        input=LlmProviderInput,
        input_error=InvalidLlmProvider,
        output=LlmSetting,
        errors=(NotConfigured,),
    )
    def put(self, call: Call) -> LlmSetting:
        """Store the language model setting.

        Every request must contain the API key.
        """
        value = {name: call.body[name] for name in ("kind", "model", "max_tokens")}
        store_setting(
            name=Name.LLM_PROVIDER,
            value=value,
            credential=call.body["api_key"],
            operator_id=call.user_id,
            client=call.client,
            now=call.now,
        )
        return _show_llm(**value)

    @operation(output=LlmSetting, example=LlmSetting(), errors=(NotConfigured,))
    def delete(self, call: Call) -> LlmSetting:
        """Delete the language model setting.

        The call succeeds even if the stored setting cannot be decrypted.
        """
        remove_setting(name=Name.LLM_PROVIDER, operator_id=call.user_id, client=call.client, now=call.now)
        return LlmSetting()


class DatabaseProvider(_SettingView):
    """The read-only database of ask-AI."""

    @operation(output=DatabaseSetting, errors=(NotConfigured, SettingUndecryptable))
    def get(self, call: Call) -> DatabaseSetting:
        """Show the read-only database setting.

        The answer contains only the host and the database of the DSN.
        """
        found = find_database_settings()
        return _show_database(label=found.label, max_rows=found.max_rows, dsn=found.dsn) if found else DatabaseSetting()

    @operation(
        input=DatabaseProviderInput,
        input_error=InvalidDatabaseProvider,
        output=DatabaseSetting,
        errors=(DatabaseRoleNotReadOnly, DatabaseRoleUnverified, NotConfigured),
    )
    def put(self, call: Call) -> DatabaseSetting:
        """Store the read-only database setting.

        The service first connects to the database and tries to write. It stores the setting only if the database
        refuses the write. The check takes at most ten seconds.
        """
        dsn = _read_dsn(call.body["dsn"])
        prove_read_only(dsn=dsn)
        value = {name: call.body[name] for name in ("label", "max_rows")}
        store_setting(
            name=Name.DATABASE_PROVIDER,
            value=value,
            credential=call.body["dsn"],
            operator_id=call.user_id,
            client=call.client,
            now=call.now,
        )
        return _show_database(**value, dsn=dsn)

    @operation(output=DatabaseSetting, example=DatabaseSetting(), errors=(NotConfigured,))
    def delete(self, call: Call) -> DatabaseSetting:
        """Delete the read-only database setting.

        The call succeeds even if the stored setting cannot be decrypted.
        """
        remove_setting(name=Name.DATABASE_PROVIDER, operator_id=call.user_id, client=call.client, now=call.now)
        return DatabaseSetting()


class AskAiWidget(_SettingView):
    """The widget of ask-AI."""

    @operation(output=Widget, errors=(NotConfigured,))
    def get(self, call: Call) -> Widget:
        """Show the widget setting.

        If no setting is stored, `enabled` is false.
        """
        return find_widget() or Widget()

    @operation(
        input=WidgetInput,
        input_error=InvalidAskAiWidget,
        output=Widget,
        errors=(NotConfigured,),
    )
    def put(self, call: Call) -> Widget:
        """Store the widget setting.

        The new setting replaces every part of an earlier setting.
        """
        widget = _read_widget(call.body)
        store_setting(
            name=Name.WIDGET,
            value=call.body,
            credential=None,
            operator_id=call.user_id,
            client=call.client,
            now=call.now,
        )
        return widget

    @operation(output=Widget, example=Widget(), errors=(NotConfigured,))
    def delete(self, call: Call) -> Widget:
        """Delete the widget setting.

        From then on, the service answers questions with the error `not_configured`.
        """
        remove_setting(name=Name.WIDGET, operator_id=call.user_id, client=call.client, now=call.now)
        return Widget()


class TestLlmProvider(_SettingView):
    """Test a language model setting."""

    @operation(input=LlmProviderInput, input_error=InvalidLlmProvider, output=SettingTest, errors=(NotConfigured,))
    def post(self, call: Call) -> SettingTest:
        """Send a question to the language model with the values of the body. The service stores nothing.

        The test takes at most twelve seconds. The body must contain the API key, even if one is stored.
        """
        return try_llm(provider=LlmSettings(**{**call.body, "kind": LlmKind(call.body["kind"])}))


class TestDatabaseProvider(_SettingView):
    """Test a read-only database setting."""

    @operation(
        input=DatabaseProviderInput,
        input_error=InvalidDatabaseProvider,
        output=SettingTest,
        example=SettingTest(ok=True, message="The database refuses writes of this role."),
        errors=(DatabaseRoleNotReadOnly, DatabaseRoleUnverified, NotConfigured),
    )
    def post(self, call: Call) -> SettingTest:
        """Connect to the database of the body and try to write, as a `PUT` does. The service stores nothing.

        The check takes at most ten seconds. The errors are those of a `PUT`.
        """
        return try_database(dsn=_read_dsn(call.body["dsn"]))


class TestAskAiWidget(_SettingView):
    """Test a widget setting."""

    @operation(
        input=WidgetInput,
        input_error=InvalidAskAiWidget,
        output=SettingTest,
        example=SettingTest(ok=True, message="The setting is valid. Users can ask questions."),
        errors=(NotConfigured,),
    )
    def post(self, call: Call) -> SettingTest:
        """Check the widget setting of the body. The service stores nothing."""
        return try_widget(widget=_read_widget(call.body))


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
            "dsn: must be postgresql://USER:PASSWORD@HOST:PORT/DATABASE. Its only permitted parameters are "
            f"sslmode ({', '.join(SSL_MODES)}) and connect_timeout (1 to 3600)."
        ) from None


def _read_widget(body: Mapping[str, Any]) -> Widget:
    if body["enabled"] and not body["greeting"].strip():
        raise InvalidAskAiWidget("greeting: is required when enabled is true.")
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
            f'allowed_origins: "{text[:_QUOTED_MAX]}" must be http or https, scheme://host[:port] without a path, and not *.'
        )
