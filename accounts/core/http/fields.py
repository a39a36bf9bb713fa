"""Input fields that mean what they say: `5` is no string, `"5"` and `true` are no integers, nothing is trimmed."""

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeAlias

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

Keywords: TypeAlias = Mapping[str, Any] | Callable[[], Mapping[str, Any]]
"""JSON Schema keywords of a field that its class and arguments do not show. A callable reads settings when it is called."""

NOT_BLANK = r"[^\s\x1c-\x1f\x85]"
"""A character that is no white space, in Python as in ECMA-262, whose `\\s` lacks a few control characters."""
PRINTABLE = r"[^\s\x00-\x1f\x7f-\x9f]"
"""A printable character that is no white space, as far as a pattern that all tools read can list the unprintable ones."""

_WHOLE = re.compile(r"-?[0-9]{1,9}")

QUERY_MAX = 8192
"""Characters of a text in a query string: as long as the longest request line that proxies commonly pass."""

# DRF's own sentences go through the site's translations; the API speaks English.
_BOUNDS = {"min_value": "must be at least {min_value}.", "max_value": "must be at most {max_value}."}
_NUL = "must not hold a NUL character."
_LINE = "must be one line with something in it."
REQUIRED = {"required": "is required.", "null": "must not be null."}


class Text(serializers.CharField):
    """A string as it came: no number becomes one, nothing is trimmed, blank is allowed. NUL is not: no column takes it.

    Every text has a longest form, of `max_length` characters as they were sent. Work whose cost grows faster than the
    length, such as Unicode normalization, therefore never sees a long text.
    """

    default_error_messages: ClassVar = {
        **REQUIRED,
        "invalid": "must be a string.",
        "nul": _NUL,
        "blank": "must not be blank.",
        "max_length": "must have at most {max_length} characters.",
    }

    def __init__(
        self, *, max_length: int, allow_blank: bool = True, keywords: Keywords | None = None, **kwargs: Any
    ) -> None:
        super().__init__(trim_whitespace=False, max_length=max_length, allow_blank=allow_blank, **kwargs)
        self.keywords: Keywords = keywords or ({} if allow_blank else {"minLength": 1})

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        if "\0" in data:
            self.fail("nul")
        return data


class Credential(Text):
    """A text that its route compares with what it knows: an address, a password, a token, a code or an id.

    The route answers a text that is too long under the code of a wrong one. The field therefore refuses no length: it
    cuts a longer text to `max_length` + 1 characters, which is still too long to be right.
    """

    def to_internal_value(self, data: Any) -> str:
        return super().to_internal_value(data)[: (self.max_length or 0) + 1]

    def run_validators(self, value: Any) -> None:
        """Refuse no length: the route answers under its own code."""


class Filled(Text):
    """A string with something in it besides white space."""

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        keywords = {"minLength": 1, "pattern": NOT_BLANK}
        super().__init__(max_length=max_length, allow_blank=False, keywords=keywords, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not text.strip():
            self.fail("blank")
        return text


class Line(Text):
    """A string with something in it and no control characters or line breaks."""

    default_error_messages: ClassVar = {"blank": _LINE, "line": _LINE}

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        keywords = {"minLength": 1, "pattern": f"^ *{PRINTABLE}( |{PRINTABLE})*$"}
        super().__init__(max_length=max_length, allow_blank=False, keywords=keywords, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not text.strip() or not text.isprintable():
            self.fail("line")
        return text


class Whole(serializers.IntegerField):
    """A JSON integer."""

    default_error_messages: ClassVar = {**REQUIRED, **_BOUNDS, "invalid": "must be an integer."}

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return data


class Flag(serializers.BooleanField):
    """A JSON boolean."""

    default_error_messages: ClassVar = {**REQUIRED, "invalid": "must be true or false."}

    def to_internal_value(self, data: Any) -> bool:
        if type(data) is not bool:
            self.fail("invalid")
        return data


class Object(serializers.DictField):
    """A JSON object, passed through as it came."""

    default_error_messages: ClassVar = {**REQUIRED, "not_a_dict": "must be an object.", "nul": _NUL}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("not_a_dict")
        if _holds_nul(data):
            self.fail("nul")
        return data


class QueryWhole(serializers.IntegerField):
    """An integer in a query string, refused when it is out of bounds."""

    default_error_messages: ClassVar = {**_BOUNDS, "invalid": "must be an integer."}

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, str) or not _WHOLE.fullmatch(data):
            self.fail("invalid")
        return int(data)


class Choice(serializers.ChoiceField):
    """One word out of a few, as it is spelled."""

    default_error_messages: ClassVar = {**REQUIRED, "invalid_choice": "must be one of {choices_text}."}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str) or data not in self.choices:
            self.fail("invalid_choice", choices_text=", ".join(self.choices))
        return data


class Constant(serializers.BooleanField):
    """A member of an answer that always has the same value."""

    def __init__(self, value: bool) -> None:
        super().__init__()
        self.keywords: Keywords = {"const": value}


@extend_schema_field(OpenApiTypes.ANY)
class Json(serializers.Field[Any, Any, Any, Any]):
    """Any JSON value as it came, null too; for a member that the view itself checks, under a code of its own.

    `keywords` describe the values that the view accepts. `is_demanded` says that the view refuses a body without the
    member.
    """

    def __init__(self, *, keywords: Keywords | None = None, is_demanded: bool = False, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)
        self.keywords: Keywords = keywords or {}
        self.is_demanded = is_demanded

    def validate_empty_values(self, data: Any) -> tuple[bool, Any]:
        # Not by allow_null, which the API's description would tell of where null is refused under a code of its own.
        return (True, None) if data is None else super().validate_empty_values(data)

    def to_internal_value(self, data: Any) -> Any:
        return data

    def to_representation(self, value: Any) -> Any:
        return value


def _holds_nul(value: Any) -> bool:
    match value:
        case str():
            return "\0" in value
        case dict():
            return any("\0" in name or _holds_nul(member) for name, member in value.items())
        case list():
            return any(_holds_nul(member) for member in value)
    return False
