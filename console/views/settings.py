"""Routes of the settings of ask-AI, the third of the console's three writes.

No response contains a credential, not even a masked one.
"""

from dataclasses import asdict
from typing import Any

from accounts.core.conf import read_origin
from accounts.core.errors import NotConfigured
from accounts.core.http.view import Call, operation
from askai.database import prove_read_only
from askai.dsn import SSL_MODES, Dsn, parse_dsn
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
    find_database_settings,
    find_llm_settings,
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

_NO_LLM = {"kind": "", "model": "", "max_tokens": 0, "api_key_set": False, "configured": False}
_NO_DATABASE = {"label": "", "max_rows": 0, "dsn_set": False, "host": "", "database": "", "configured": False}
_QUOTED_MAX = 100


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
        """Show the language model setting.

        Its API key is never shown.
        """
        found = find_llm_settings()
        return _show_llm(kind=found.kind, model=found.model, max_tokens=found.max_tokens) if found else _NO_LLM

    @operation(
        input=LlmProviderInput,
        input_error=InvalidLlmProvider,
        output=LlmProviderOutput,
        errors=(NotConfigured,),
    )
    def put(self, call: Call) -> dict[str, Any]:
        """Store the language model setting.

        The API key is required on each write.
        """
        value = {name: call.body[name] for name in ("kind", "model", "max_tokens")}
        store(name=Name.LLM_PROVIDER, value=value, credential=call.body["api_key"], now=call.now)
        return _show_llm(**value)

    @operation(output=LlmProviderOutput, example=_NO_LLM, errors=(NotConfigured,))
    def delete(self, call: Call) -> dict[str, Any]:
        """Delete the language model setting.

        This works also when the stored setting cannot be decrypted.
        """
        delete(name=Name.LLM_PROVIDER)
        return _NO_LLM


class DatabaseProvider(_SettingView):
    """The read-only database of ask-AI."""

    @operation(output=DatabaseProviderOutput, errors=(NotConfigured, SettingUndecryptable))
    def get(self, call: Call) -> dict[str, Any]:
        """Show the read-only database setting.

        Of its DSN only host and database are shown.
        """
        found = find_database_settings()
        return _show_database(label=found.label, max_rows=found.max_rows, dsn=found.dsn) if found else _NO_DATABASE

    @operation(
        input=DatabaseProviderInput,
        input_error=InvalidDatabaseProvider,
        output=DatabaseProviderOutput,
        errors=(DatabaseRoleNotReadOnly, DatabaseRoleUnverified, NotConfigured),
    )
    def put(self, call: Call) -> dict[str, Any]:
        """Store the read-only database setting.

        Before that, the service connects and tries to write: the database must refuse that. This takes ten seconds at
        most.
        """
        try:
            dsn = parse_dsn(call.body["dsn"])
        except ValueError:
            raise InvalidDatabaseProvider(
                "dsn: must be postgresql://USER:PASSWORD@HOST:PORT/DATABASE with at most "
                f"sslmode ({', '.join(SSL_MODES)}) and connect_timeout (1 to 3600)."
            ) from None
        prove_read_only(dsn=dsn)
        value = {name: call.body[name] for name in ("label", "max_rows")}
        store(name=Name.DATABASE_PROVIDER, value=value, credential=call.body["dsn"], now=call.now)
        return _show_database(**value, dsn=dsn)

    @operation(output=DatabaseProviderOutput, example=_NO_DATABASE, errors=(NotConfigured,))
    def delete(self, call: Call) -> dict[str, Any]:
        """Delete the read-only database setting.

        This works also when the stored setting cannot be decrypted.
        """
        delete(name=Name.DATABASE_PROVIDER)
        return _NO_DATABASE


class AskAiWidget(_SettingView):
    """The widget of ask-AI."""

    @operation(output=WidgetOutput, errors=(NotConfigured,))
    def get(self, call: Call) -> Widget:
        """Show the widget setting.

        A setting that was never stored is shown as switched off.
        """
        return find_widget() or Widget()

    @operation(
        input=WidgetInput,
        input_error=InvalidAskAiWidget,
        output=WidgetOutput,
        errors=(NotConfigured,),
    )
    def put(self, call: Call) -> Widget:
        """Store the widget setting.

        It replaces the one before as a whole.
        """
        if call.body["enabled"] and not call.body["greeting"].strip():
            raise InvalidAskAiWidget("greeting: is required when enabled is true.")
        for origin in call.body["allowed_origins"]:
            _check_origin(origin)
        store(name=Name.WIDGET, value=call.body, credential=None, now=call.now)
        return Widget(**call.body)

    @operation(output=WidgetOutput, example=asdict(Widget()), errors=(NotConfigured,))
    def delete(self, call: Call) -> Widget:
        """Delete the widget setting.

        From then on questions are answered 404 `not_configured`.
        """
        delete(name=Name.WIDGET)
        return Widget()


def _show_llm(*, kind: str, model: str, max_tokens: int) -> dict[str, Any]:
    return {"kind": kind, "model": model, "max_tokens": max_tokens, "api_key_set": True, "configured": True}


def _show_database(*, label: str, max_rows: int, dsn: Dsn) -> dict[str, Any]:
    return {
        "label": label,
        "max_rows": max_rows,
        "dsn_set": True,
        "host": dsn.host,
        "database": dsn.database,
        "configured": True,
    }


def _check_origin(text: str) -> None:
    try:
        read_origin(text)
        is_origin = not text.endswith("/")
    except ValueError:
        is_origin = False
    if not is_origin:
        raise InvalidAskAiWidget(
            f'allowed_origins: "{text[:_QUOTED_MAX]}" must be http or https, scheme://host[:port] without a path, never *.'
        )
