"""Bodies and queries of requests to the routes of the apikeys app."""

from typing import Any, ClassVar

from rest_framework import serializers

from core.http.fields import PRINTABLE, AnyJson, Text

from .models import DAYS_MAX, NAME_MAX

SCOPES_MAX = 50
SCOPE_MAX = 100
_SCOPE = {"type": "string", "minLength": 1, "maxLength": SCOPE_MAX, "pattern": f"^{PRINTABLE}+$"}


class NewKeyInput(serializers.Serializer[None]):
    """The API key to create."""

    example: ClassVar = {"name": "nightly report", "scopes": ["reports:read"], "expires_in_days": 90}

    name = Text(allow_blank=False, max_length=NAME_MAX)
    scopes = AnyJson(
        keywords={"type": "array", "maxItems": SCOPES_MAX, "items": _SCOPE, "default": []},
        help_text="The service stores the scopes unchanged. Your applications define their meaning. A "
        "scope has only printable characters and no white space.",
    )
    expires_in_days = AnyJson(
        keywords={"type": "integer", "minimum": 0, "maximum": DAYS_MAX, "default": 0},
        help_text="Days until the key expires. With 0, it never expires.",
    )


def is_scope(value: Any) -> bool:
    """Return whether the value is a valid scope: a text of printable characters without white space."""
    if not isinstance(value, str) or not 1 <= len(value) <= SCOPE_MAX:
        return False
    return value.isprintable() and not any(character.isspace() for character in value)
