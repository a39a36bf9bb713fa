"""Request and response bodies of the API key routes."""

from typing import ClassVar

from rest_framework import serializers

from accounts.core.http.examples import LATER, MOMENT
from accounts.core.http.fields import PRINTABLE, Json, Text

from .models import NAME_MAX

SCOPES_MAX = 50
SCOPE_MAX = 100
DAYS_MAX = 3650
_SCOPE = {"type": "string", "minLength": 1, "maxLength": SCOPE_MAX, "pattern": f"^{PRINTABLE}+$"}


class NewKeyInput(serializers.Serializer[None]):
    """Body of a new key."""

    example: ClassVar = {"name": "nightly report", "scopes": ["reports:read"], "expires_in_days": 90}

    name = Text(allow_blank=False, max_length=NAME_MAX)
    scopes = Json(
        keywords={"type": "array", "maxItems": SCOPES_MAX, "items": _SCOPE, "default": []},
        help_text="Kept as they are; what they mean is up to you. Each is printable, without white space.",
    )
    expires_in_days = Json(
        keywords={"type": "integer", "minimum": 0, "maximum": DAYS_MAX, "default": 0}, help_text="0 means never."
    )


class KeyOutput(serializers.Serializer[None]):
    """A key, without the key itself."""

    example: ClassVar = {
        "id": "01a1fd82-3c07-7d1b-a8f4-5c6e7d8f9a0b",
        "name": "nightly report",
        "prefix": "ak_7hQ2mZ4x",
        "scopes": ["reports:read"],
        "expires_at": LATER,
        "expired": False,
        "created_at": MOMENT,
    }

    id = serializers.UUIDField()
    name = serializers.CharField()
    prefix = serializers.CharField()
    scopes = serializers.ListField(child=serializers.CharField())
    expires_at = serializers.DateTimeField(allow_null=True)
    expired = serializers.BooleanField()
    created_at = serializers.DateTimeField()


class ListedKeyOutput(KeyOutput):
    """A key in a list. `last_used_at` is written every five minutes at most."""

    example: ClassVar = {**KeyOutput.example, "last_used_at": None}

    last_used_at = serializers.DateTimeField(allow_null=True)


class NewKeyOutput(serializers.Serializer[None]):
    """A new key, which is shown this once."""

    example: ClassVar = {
        "key": "ak_7hQ2mZ4x_Vt5cN8bRk1sWj3yLd6gFp9aHeUoQiTzXmKE",
        "notice": "Copy the key now: it is not shown again.",
        "api_key": KeyOutput.example,
    }

    key = serializers.CharField()
    notice = serializers.CharField()
    api_key = KeyOutput()
