"""Strict input fields. They do not convert types: `5` is not a string, and `"5"` and `true` are not integers.

The fields do not trim strings.
"""

import re
from datetime import UTC, datetime
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from .answers import Keywords
from .client import parse_address

NOT_BLANK = r"[^\s\x1c-\x1f\x85]"
"""A pattern for a character that is not white space, with the same meaning in Python and ECMA-262.

The `\\s` of ECMA-262 lacks a few control characters, so the pattern lists them.
"""
PRINTABLE = r"[^\s\x00-\x1f\x7f-\x9f]"
"""A pattern for a printable character that is not white space.

The pattern excludes control characters only, because not all tools can read a complete list of unprintable characters.
"""

_MOMENT = re.compile(
    r"(19[7-9][0-9]|2[0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
)
_WHOLE = re.compile(r"-?[0-9]{1,9}")

QUERY_MAX = 8192
"""The maximum number of characters of a text in a query string. Proxies commonly accept no longer request line."""

# DRF translates its own messages into the host project's language. The API's messages are always in English, and those of
# the console's pages in the language of the operator. So each message is a text of the console's catalogue.
_BOUNDS = {
    "min_value": gettext_lazy("must be at least {min_value}."),
    "max_value": gettext_lazy("must be at most {max_value}."),
}
_NUL = gettext_lazy("must not contain a NUL character.")
_LINE = gettext_lazy("must be one line of printable characters, and must not be blank.")
REQUIRED = {"required": gettext_lazy("is required."), "null": gettext_lazy("must not be null.")}


class Text(serializers.CharField):
    """A string without conversion or trimming. A blank string is valid unless `allow_blank` is false.

    A string with a NUL character is not valid, because no text column can store NUL. Every text has a `max_length` in
    characters as sent. Therefore work whose cost grows faster than the length, such as Unicode normalization, never
    gets a long text.
    """

    default_error_messages: ClassVar = {
        **REQUIRED,
        "invalid": gettext_lazy("must be a string."),
        "nul": _NUL,
        "blank": gettext_lazy("must not be blank."),
        "max_length": gettext_lazy("must have at most {max_length} characters."),
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
    """A text that the route compares with stored data: an address, a password, a token, a code or an id.

    The route answers a text that is too long with the error code of a wrong one. Therefore the field accepts every
    length. The field cuts a longer text to `max_length` + 1 characters, which is still too long to be correct.
    """

    def to_internal_value(self, data: Any) -> str:
        return super().to_internal_value(data)[: (self.max_length or 0) + 1]

    def run_validators(self, value: Any) -> None:
        """Accept every length, because the route answers a text that is too long with its own error code."""


class NonBlankText(Text):
    """A string with at least one character that is not white space."""

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        keywords = {"minLength": 1, "pattern": NOT_BLANK}
        super().__init__(max_length=max_length, allow_blank=False, keywords=keywords, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not text.strip():
            self.fail("blank")
        return text


class Line(Text):
    """A string that is not blank and contains only printable characters, so no line breaks."""

    default_error_messages: ClassVar = {"blank": _LINE, "line": _LINE}

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        keywords = {"minLength": 1, "pattern": f"^ *{PRINTABLE}( |{PRINTABLE})*$"}
        super().__init__(max_length=max_length, allow_blank=False, keywords=keywords, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not text.strip() or not text.isprintable():
            self.fail("line")
        return text


class StrictInteger(serializers.IntegerField):
    """A JSON integer."""

    default_error_messages: ClassVar = {**REQUIRED, **_BOUNDS, "invalid": gettext_lazy("must be an integer.")}

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return data


class StrictBoolean(serializers.BooleanField):
    """A JSON boolean."""

    default_error_messages: ClassVar = {**REQUIRED, "invalid": gettext_lazy("must be true or false.")}

    def to_internal_value(self, data: Any) -> bool:
        if type(data) is not bool:
            self.fail("invalid")
        return data


class JsonObject(serializers.DictField):
    """A JSON object, which the field returns unchanged. An object with a NUL character anywhere is not valid."""

    default_error_messages: ClassVar = {**REQUIRED, "not_a_dict": gettext_lazy("must be an object."), "nul": _NUL}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("not_a_dict")
        if _contains_nul(data):
            self.fail("nul")
        return data


class QueryInteger(serializers.IntegerField):
    """An integer in a query string. A number out of bounds is not valid; the field does not adjust it."""

    default_error_messages: ClassVar = {**_BOUNDS, "invalid": gettext_lazy("must be an integer.")}

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, str) or not _WHOLE.fullmatch(data):
            self.fail("invalid")
        return int(data)


class QueryMoment(serializers.DateTimeField):
    """A time of RFC 3339 with an offset, in the years 1970 to 2999. The field returns it in UTC."""

    default_error_messages: ClassVar = {
        "invalid": gettext_lazy("must be a time with an offset, such as 2026-11-21T09:45:56Z. Encode a plus as %2B.")
    }
    keywords: ClassVar = {"pattern": f"^{_MOMENT.pattern}$"}

    def to_internal_value(self, data: Any) -> datetime:
        moment = _read_moment(data) if isinstance(data, str) else None
        if moment is None:
            self.fail("invalid")
        return moment


class QueryAddress(Text):
    """An IP address. The field returns its canonical form, in which the service stores addresses."""

    default_error_messages: ClassVar = dict.fromkeys(("address", "blank"), gettext_lazy("must be an IP address."))

    def __init__(self, **kwargs: Any) -> None:
        # The schema has no format: two alternative formats of a parameter break the clients of openapi-generator.
        super().__init__(max_length=45, allow_blank=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        address = parse_address(super().to_internal_value(data))
        if address is None:
            self.fail("address")
        return str(address)


class Choice(serializers.ChoiceField):
    """One of the given words in exactly the given spelling."""

    default_error_messages: ClassVar = {**REQUIRED, "invalid_choice": gettext_lazy("must be one of {choices_text}.")}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str) or data not in self.choices:
            self.fail("invalid_choice", choices_text=", ".join(self.choices))
        return data


@extend_schema_field(OpenApiTypes.ANY)
class AnyJson(serializers.Field[Any, Any, Any, Any]):
    """Any JSON value, including null, which the field returns unchanged.

    The view checks the member itself and answers with its own error code. `keywords` describe the values that the view
    accepts. `is_demanded` is true when the view refuses a body without the member.
    """

    def __init__(self, *, keywords: Keywords | None = None, is_demanded: bool = False, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)
        self.keywords: Keywords = keywords or {}
        self.is_demanded = is_demanded

    def validate_empty_values(self, data: Any) -> tuple[bool, Any]:
        # `allow_null` would also declare null as valid in the API's description, although the view may refuse null.
        return (True, None) if data is None else super().validate_empty_values(data)

    def to_internal_value(self, data: Any) -> Any:
        return data


def _read_moment(text: str) -> datetime | None:
    if not _MOMENT.fullmatch(text):
        return None
    try:
        # In UTC, because PostgreSQL refuses offsets of sixteen hours and more.
        return datetime.fromisoformat(text).astimezone(UTC)
    except ValueError:
        return None  # such as the thirtieth of February


def _contains_nul(value: Any) -> bool:
    match value:
        case str():
            return "\0" in value
        case dict():
            return any("\0" in name or _contains_nul(member) for name, member in value.items())
        case list():
            return any(_contains_nul(member) for member in value)
    return False
