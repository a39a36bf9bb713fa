"""The third of the three writes: the settings of ask-AI. No answer carries or masks a credential."""

from typing import Any

from accounts.core.conf import read_origin
from accounts.core.errors import BadRequest, NotConfigured, Overloaded
from accounts.core.view import Call, operation
from askai.database import prove_read_only
from askai.dsn import parse_dsn
from askai.errors import (
    DatabaseRoleNotReadOnly,
    DatabaseRoleUnverified,
    InvalidAskAiWidget,
    InvalidDatabaseProvider,
    InvalidLlmProvider,
    SettingUndecryptable,
)
from askai.settings_store import (
    Name,
    Widget,
    delete,
    find_database_provider,
    find_llm_provider,
    find_widget,
    settings_keys,
    store,
)

from ..serializers import (
    DatabaseProviderInput,
    DatabaseProviderOutput,
    LlmProviderInput,
    LlmProviderOutput,
    WidgetInput,
    WidgetOutput,
)
from .base import AdminView


class _SettingView(AdminView):
    """A setting. There is none while SETTINGS_ENCRYPTION_KEY is unset."""

    def check_feature(self) -> None:
        """Raise NotConfigured while there is no key to seal under."""
        if not settings_keys():
            raise NotConfigured


class LlmProvider(_SettingView):
    """The language model of ask-AI."""

    @operation(output=LlmProviderOutput, errors=(NotConfigured, SettingUndecryptable))
    def get(self, call: Call) -> dict[str, Any]:
        """Show the setting; its key is never shown."""
        return _show_llm()

    @operation(
        input=LlmProviderInput,
        input_error=InvalidLlmProvider,
        output=LlmProviderOutput,
        errors=(BadRequest, NotConfigured, Overloaded),
    )
    def put(self, call: Call) -> dict[str, Any]:
        """Store the setting; the key has to be given each time."""
        value = {name: call.body[name] for name in ("kind", "model", "max_tokens")}
        store(name=Name.LLM_PROVIDER, value=value, credential=call.body["api_key"], now=call.now)
        return _show_llm()

    @operation(output=LlmProviderOutput, errors=(NotConfigured, Overloaded))
    def delete(self, call: Call) -> dict[str, Any]:
        """Take the setting away, whether or not its key still opens."""
        delete(name=Name.LLM_PROVIDER)
        return _show_llm()


class DatabaseProvider(_SettingView):
    """The read-only database of ask-AI."""

    @operation(output=DatabaseProviderOutput, errors=(NotConfigured, SettingUndecryptable))
    def get(self, call: Call) -> dict[str, Any]:
        """Show the setting; of its DSN only host and database are shown."""
        return _show_database()

    @operation(
        input=DatabaseProviderInput,
        input_error=InvalidDatabaseProvider,
        output=DatabaseProviderOutput,
        errors=(BadRequest, DatabaseRoleNotReadOnly, DatabaseRoleUnverified, NotConfigured, Overloaded),
    )
    def put(self, call: Call) -> dict[str, Any]:
        """Store the setting, once the database has refused the role a write: it is tried, ten seconds at most."""
        try:
            dsn = parse_dsn(call.body["dsn"])
        except ValueError:
            raise InvalidDatabaseProvider(
                "dsn: must be postgresql://USER:PASSWORD@HOST:PORT/DATABASE with sslmode and connect_timeout at most."
            ) from None
        prove_read_only(dsn=dsn)
        value = {name: call.body[name] for name in ("label", "max_rows")}
        store(name=Name.DATABASE_PROVIDER, value=value, credential=call.body["dsn"], now=call.now)
        return _show_database()

    @operation(output=DatabaseProviderOutput, errors=(NotConfigured, Overloaded))
    def delete(self, call: Call) -> dict[str, Any]:
        """Take the setting away, whether or not its DSN still opens."""
        delete(name=Name.DATABASE_PROVIDER)
        return _show_database()


class AskAiWidget(_SettingView):
    """The widget of ask-AI."""

    @operation(output=WidgetOutput, errors=(NotConfigured,))
    def get(self, call: Call) -> Widget:
        """Show the setting."""
        return find_widget() or Widget()

    @operation(
        input=WidgetInput,
        input_error=InvalidAskAiWidget,
        output=WidgetOutput,
        errors=(BadRequest, NotConfigured, Overloaded),
    )
    def put(self, call: Call) -> Widget:
        """Store the setting."""
        if call.body["enabled"] and not call.body["greeting"].strip():
            raise InvalidAskAiWidget("greeting: is required when enabled is true.")
        if not all(_is_origin(origin) for origin in call.body["allowed_origins"]):
            raise InvalidAskAiWidget("allowed_origins: each must be scheme://host[:port] without a path.")
        store(name=Name.WIDGET, value=call.body, credential=None, now=call.now)
        return find_widget() or Widget()

    @operation(output=WidgetOutput, errors=(NotConfigured, Overloaded))
    def delete(self, call: Call) -> Widget:
        """Take the setting away: nobody can ask any more."""
        delete(name=Name.WIDGET)
        return find_widget() or Widget()


def _show_llm() -> dict[str, Any]:
    found = find_llm_provider()
    return {
        "kind": found.kind if found else "",
        "model": found.model if found else "",
        "max_tokens": found.max_tokens if found else 0,
        "api_key_set": found is not None,
        "configured": found is not None,
    }


def _show_database() -> dict[str, Any]:
    found = find_database_provider()
    return {
        "label": found.label if found else "",
        "max_rows": found.max_rows if found else 0,
        "dsn_set": found is not None,
        "host": found.dsn.host if found else "",
        "database": found.dsn.database if found else "",
        "configured": found is not None,
    }


def _is_origin(text: str) -> bool:
    try:
        read_origin(text)
    except ValueError:
        return False
    return not text.endswith("/")
