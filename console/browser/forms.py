"""Forms of the console's pages."""

import json
from typing import Any, ClassVar

import orjson
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from accounts.errors import InvalidMetadataKey, ReservedMetadataKey
from accounts.state.metadata import check_key
from askai.plans.entities import Entity, bindable
from askai.settings.stored import LlmKind
from core.http.bodies import BODY_MAX_BYTES
from core.http.fields import QUERY_MAX, Choice, Credential, Text
from core.http.view import BODY_MAX_DEPTH, is_deeper
from pages.frame.forms import NextForm
from pages.frame.zones import zone_names

from ..serializers import DatabaseProviderInput, LlmProviderInput, WidgetInput

INTEGER_DIGITS = 10
"""A number with this many digits or more is too large for every field."""

_STARTS = '"{['
"""The characters with which a text, an object and a list begin."""


class JsonText(Text):
    """A field into which a person types JSON. Its value is the decoded JSON."""

    default_error_messages: ClassVar = {
        "blank": gettext_lazy('Type a JSON value. Empty text is "".'),
        "word": gettext_lazy("A text needs quotes: {quoted}"),
        "invalid_json": gettext_lazy("This is not valid JSON. Line {line}, column {column}: {reason}."),
        "deep": gettext_lazy("The value must have fewer than {levels} nested levels."),
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=BODY_MAX_BYTES, allow_blank=False, **kwargs)

    def to_internal_value(self, data: Any) -> Any:
        text = super().to_internal_value(data).strip()
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError as error:
            if text and text[0] not in _STARTS and "\n" not in text:
                self.fail("word", quoted=json.dumps(text, ensure_ascii=False))
            self.fail("invalid_json", line=error.lineno, column=error.colno, reason=error.msg)
        if is_deeper(value, BODY_MAX_DEPTH - 1):
            self.fail("deep", levels=BODY_MAX_DEPTH)
        # orjson reads an integer of more than 64 bits as a float. The service refuses the exact integer.
        return json.loads(text)

    def run_validators(self, value: Any) -> None:
        """Accept every value. The length of the body limits its size."""


class ZoneForm(NextForm):
    """A time zone, and the path of the page that follows."""

    zone = Choice(zone_names())


class RemoveMetadataForm(serializers.Serializer[None]):
    """The metadata key to remove, and the value that the page showed."""

    key = Credential(max_length=QUERY_MAX)
    expected = JsonText()


class MetadataKey(Credential):
    """The name of a metadata key. The form states its fault beside that of the value."""

    def to_internal_value(self, data: Any) -> str:
        key = super().to_internal_value(data)
        try:
            check_key(key)
        except (ReservedMetadataKey, InvalidMetadataKey) as error:
            raise serializers.ValidationError(gettext(str(error))) from None
        return key


class MetadataForm(serializers.Serializer[None]):
    """The new value of a metadata key. `expected` is the value that the page showed. A new key has none."""

    key = MetadataKey(max_length=QUERY_MAX)
    value = JsonText()
    expected = JsonText(required=False)


class LlmForm(LlmProviderInput):
    """The setting of the language model, as its form sends it. The built-in parser needs neither model nor key."""

    def to_internal_value(self, data: Any) -> Any:
        typed = {**data.dict(), "max_tokens": _integer(data.get("max_tokens"))}
        if typed.get("kind") == LlmKind.BUILTIN:
            typed |= {"model": LlmKind.BUILTIN, "api_key": "not used"}
        return super().to_internal_value(typed)


class DatabaseForm(DatabaseProviderInput):
    """The setting of the database, as its form sends it."""

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value({**data.dict(), "max_rows": _integer(data.get("max_rows"))})


class WidgetForm(WidgetInput):
    """The setting of the widget as its form sends it: a line for each origin, a checkbox for each entity."""

    def to_internal_value(self, data: Any) -> Any:
        lines = [line.strip() for line in data.get("allowed_origins", "").splitlines()]
        typed = {
            "enabled": "enabled" in data,
            "allowed_origins": [line for line in lines if line],
            "entities": [entity for entity in bindable(list(Entity)) if entity in data],
        }
        return super().to_internal_value({**data.dict(), **typed})


def _integer(text: str | None) -> int | str | None:
    """Return the text as a number. Return the text itself when it is no number: the field then refuses it."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < INTEGER_DIGITS else text
