"""The operator's three settings. Ask-AI reads them; the console writes them. Each credential is sealed for its row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar

from core.conf import core_settings
from core.db.transactions import transaction_required
from core.keys.columns import SealedColumn
from core.keys.sealing import Unsealable

from ..errors import SettingUndecryptable
from ..models import Setting
from ..plans.entities import Entity
from .dsn import Dsn, parse_dsn

DEFAULT_MAX_TOKENS = 2048
DEFAULT_MAX_ROWS = 50


class Name(StrEnum):
    """The names of the settings. They are the last segments of the settings' paths."""

    LLM_PROVIDER = "llm-provider"
    DATABASE_PROVIDER = "database-provider"
    WIDGET = "ask-ai-widget"


class LlmKind(StrEnum):
    """The kinds of planner: two wire formats of models, and the built-in parser, which needs no network."""

    ANTHROPIC = "anthropic"
    OPENAI = "openai"
    BUILTIN = "builtin"


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmSettings:
    """The language model."""

    kind: LlmKind
    model: str
    max_tokens: int
    api_key: str

    def __repr__(self) -> str:
        return f"<LlmSettings {self.kind}>"  # a traceback with local variables must not show the key


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseSettings:
    """The read-only database, and the maximum number of rows of an answer."""

    label: str
    max_rows: int
    dsn: Dsn


@dataclass(frozen=True, slots=True, kw_only=True)
class Widget:
    """The widget: whether users may ask, from pages of which origins, and about which entities."""

    example: ClassVar = {
        "enabled": True,
        "allowed_origins": ["https://app.example.com"],
        "entities": ["sessions", "audit_events"],
        "greeting": "Ask about your sessions.",
        "placeholder": "Where am I signed in?",
    }

    enabled: bool = False
    allowed_origins: Sequence[str] = ()
    entities: Sequence[Entity] = ()
    greeting: str = ""
    placeholder: str = ""


def settings_keys() -> Sequence[bytes]:
    """Return the key ring that seals credentials; empty when SETTINGS_ENCRYPTION_KEY is unset."""
    return core_settings().settings_encryption_keys


CREDENTIALS = SealedColumn(
    name="setting credentials",
    model=Setting,
    column="credential",
    keys=settings_keys,
    variable="SETTINGS_ENCRYPTION_KEY",
)


def find_llm_settings() -> LlmSettings | None:
    """Return the language model setting; None when it is not stored.

    Raises SettingUndecryptable when no key opens its credential.
    """
    row = Setting.objects.filter(pk=Name.LLM_PROVIDER).first()
    if row is None:
        return None
    return LlmSettings(
        kind=LlmKind(row.value["kind"]),
        model=row.value["model"],
        max_tokens=row.value["max_tokens"],
        api_key=_open(row),
    )


def find_database_settings() -> DatabaseSettings | None:
    """Return the database setting; None when it is not stored.

    Raises SettingUndecryptable when no key opens its credential.
    """
    row = Setting.objects.filter(pk=Name.DATABASE_PROVIDER).first()
    if row is None:
        return None
    return DatabaseSettings(label=row.value["label"], max_rows=row.value["max_rows"], dsn=parse_dsn(_open(row)))


def find_widget() -> Widget | None:
    """Return the widget setting; None when it is not stored. It contains no secret and can always be read."""
    row = Setting.objects.filter(pk=Name.WIDGET).first()
    if row is None:
        return None
    return Widget(**{**row.value, "entities": [Entity(entity) for entity in row.value["entities"]]})


@transaction_required
def store(*, name: Name, value: Mapping[str, Any], credential: str | None, now: datetime) -> None:
    """Store the setting in place of an earlier one, with its credential sealed. Needs a transaction.

    This works also when the earlier credential cannot be decrypted.
    """
    sealed = CREDENTIALS.seal(credential.encode(), pk=name) if credential is not None else None
    # One statement is needed: between two statements, another call could store or delete the row.
    Setting.objects.bulk_create(
        [Setting(name=name, value=value, credential=sealed, updated_at=now)],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["value", "credential", "updated_at"],
    )


@transaction_required
def delete(*, name: Name) -> bool:
    """Delete the setting, and return whether it was stored. Needs a transaction.

    This works also when the setting's credential cannot be decrypted.
    """
    return bool(Setting.objects.filter(pk=name).delete()[0])


def _open(row: Setting) -> str:
    try:
        return CREDENTIALS.unseal(row.credential or b"", pk=row.pk).decode()
    except Unsealable:
        raise SettingUndecryptable from None
