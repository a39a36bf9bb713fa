"""Input fields that mean what they say: `5` is no string, `"5"` and `true` are no integers, nothing is trimmed."""

from typing import Any, ClassVar

from rest_framework import serializers

# DRF's own sentences go through the site's translations; the API speaks English.
REQUIRED = {"required": "is required.", "null": "must not be null."}


class Text(serializers.CharField):
    """A string as it came: no number becomes one, nothing is trimmed, blank is allowed. DRF refuses NUL itself."""

    default_error_messages: ClassVar = {**REQUIRED, "invalid": "must be a string."}

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("allow_blank", True)
        super().__init__(trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return data


class Whole(serializers.IntegerField):
    """A JSON integer."""

    default_error_messages: ClassVar = {**REQUIRED, "invalid": "must be an integer."}

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

    default_error_messages: ClassVar = {**REQUIRED, "not_a_dict": "must be an object."}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("not_a_dict")
        return data
