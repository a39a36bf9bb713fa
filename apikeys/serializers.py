"""Bodies that the key routes take and answer."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.core.fields import Json, Text

from .models import NAME_MAX

SCOPES_MAX = 50
SCOPE_MAX = 100
DAYS_MAX = 3650
_SCOPE = {"type": "string", "minLength": 1, "maxLength": SCOPE_MAX}


@extend_schema_field({"type": "array", "maxItems": SCOPES_MAX, "items": _SCOPE})
class _Scopes(Json):
    """Judged by the view, under a code of its own."""


@extend_schema_field({"type": "integer", "minimum": 0, "maximum": DAYS_MAX})
class _Days(Json):
    """Judged by the view, under a code of its own."""


class NewKeyInput(serializers.Serializer[None]):
    """Body of a new key."""

    name = Text(allow_blank=False, max_length=NAME_MAX)
    scopes = _Scopes(required=False, help_text="Kept as they are; what they mean is up to you.")
    expires_in_days = _Days(required=False, help_text="0 or nothing means never.")


class KeyOutput(serializers.Serializer[None]):
    """A key, without the key itself."""

    id = serializers.CharField()
    name = serializers.CharField()
    prefix = serializers.CharField()
    scopes = serializers.ListField(child=serializers.CharField())
    expires_at = serializers.DateTimeField(allow_null=True)
    expired = serializers.BooleanField()
    created_at = serializers.DateTimeField()


class ListedKeyOutput(KeyOutput):
    """A key in a list. `last_used_at` is written every five minutes at most."""

    last_used_at = serializers.DateTimeField(allow_null=True)


class NewKeyOutput(serializers.Serializer[None]):
    """A new key, which is shown this once."""

    key = serializers.CharField()
    notice = serializers.CharField()
    api_key = KeyOutput()
