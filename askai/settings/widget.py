"""The conditions of asking: whether users may ask on this deployment, and from pages of which origins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar
from urllib.parse import urlsplit

from core.conf import read_origin
from core.db.deployment import is_embedded
from core.errors import NotConfigured
from core.http.answers import Described

from ..errors import SettingUndecryptable
from .stored import (
    DatabaseSettings,
    LlmSettings,
    Widget,
    find_database_settings,
    find_llm_settings,
    find_widget,
    settings_keys,
)

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True, kw_only=True)
class WidgetTexts:
    """The texts that the widget shows, and whether users may ask."""

    example: ClassVar = {
        **{name: Widget.example[name] for name in ("enabled", "greeting", "placeholder")},
        "examples": ["Where am I signed in?", "When did I last log in?"],
    }

    enabled: bool
    greeting: str
    placeholder: str
    examples: Annotated[Sequence[str], Described("Questions that work, in the language of the request.")]


def is_available() -> bool:
    """Return whether this deployment can have the feature: it needs PostgreSQL and a key for its settings.

    The check runs no query.
    """
    return not is_embedded() and bool(settings_keys())


def find_configured() -> Widget | None:
    """Return the widget setting; None when it is not stored or the deployment cannot have the feature."""
    return find_widget() if is_available() else None


def get_settings() -> tuple[LlmSettings, DatabaseSettings]:
    """Return the settings of model and database. Raises NotConfigured when one is missing or cannot be decrypted."""
    try:
        llm, database = find_llm_settings(), find_database_settings()
    except SettingUndecryptable:
        raise NotConfigured from None
    if llm is None or database is None:
        raise NotConfigured
    return llm, database


def is_origin_allowed(origin: str | None, *, widget: Widget) -> bool:
    """Return whether the widget accepts a request with this Origin header.

    A request without the header (None) is accepted, because it does not come from another origin's page.
    """
    if origin is None:
        return True
    asked = _parts(origin)
    return asked is not None and asked in {_parts(allowed) for allowed in widget.allowed_origins}


def _parts(origin: str) -> tuple[str, str, int] | None:
    """Return scheme, host and port; None when the text is no origin of a web page, such as `null`."""
    try:
        parts = urlsplit(read_origin(origin))
    except ValueError:
        return None
    return parts.scheme, parts.hostname or "", parts.port or _PORTS[parts.scheme]
