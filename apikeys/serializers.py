"""Bodies that the key routes take and answer."""

from rest_framework import serializers

from accounts.core.fields import Json, Text

from .models import NAME_MAX


class NewKeyInput(serializers.Serializer[None]):
    """Body of a new key."""

    name = Text(allow_blank=False, max_length=NAME_MAX)
    scopes = Json(required=False, help_text="At most 50 texts, kept as they are; what they mean is up to you.")
    expires_in_days = Json(required=False, help_text="An integer from 0 to 3650; 0 or nothing means never.")


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
