"""Bodies that the session routes take and answer."""

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from accounts.core.fields import Credential
from accounts.core.ids import TEXT_LENGTH
from accounts.core.opaque import RAW_MAX
from accounts.models import EMAIL_MAX
from accounts.password_rules import INPUT_MAX


class LoginInput(serializers.Serializer[None]):
    """Body of a password login."""

    email = Credential(max_length=EMAIL_MAX)
    password = Credential(max_length=INPUT_MAX)


class RefreshInput(serializers.Serializer[None]):
    """Body of a refresh."""

    refresh_token = Credential(max_length=RAW_MAX)


class LogoutInput(serializers.Serializer[None]):
    """Body of a logout."""

    session_id = Credential(max_length=TEXT_LENGTH)


class MagicLinkInput(serializers.Serializer[None]):
    """Body of a request for a magic link."""

    email = Credential(max_length=EMAIL_MAX)


class EmptyOutput(serializers.Serializer[None]):
    """Nothing: an answer that tells nothing."""


class TokenPairOutput(serializers.Serializer[None]):
    """A signed-in caller's tokens; keep only the newest refresh token."""

    access_token = serializers.CharField()
    refresh_token = serializers.CharField()


class PausedLoginOutput(serializers.Serializer[None]):
    """A login that waits for a second factor."""

    second_factor_required = serializers.BooleanField()
    pending_token = serializers.CharField()
    methods = serializers.ListField(child=serializers.CharField())


LOGIN_OUTPUT = PolymorphicProxySerializer(
    component_name="LoginAnswer",
    serializers=[TokenPairOutput, PausedLoginOutput],
    resource_type_field_name=None,
)


class KeyFactsOutput(serializers.Serializer[None]):
    """The API key that was presented."""

    id = serializers.CharField()
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.CharField())
    expires_at = serializers.DateTimeField(allow_null=True)


class VerifyOutput(serializers.Serializer[None]):
    """Whose access token it is, or whose API key and which."""

    user_id = serializers.CharField()
    api_key = KeyFactsOutput(required=False)


class DeviceOutput(serializers.Serializer[None]):
    """What the user agent says of the device."""

    browser = serializers.CharField(allow_blank=True)
    os = serializers.CharField(allow_blank=True)
    form = serializers.CharField(allow_blank=True)


class LocationOutput(serializers.Serializer[None]):
    """Where the address is; all empty without a geolocator."""

    city = serializers.CharField(allow_blank=True)
    region = serializers.CharField(allow_blank=True)
    country = serializers.CharField(allow_blank=True)


class SessionOutput(serializers.Serializer[None]):
    """One login."""

    id = serializers.UUIDField()
    ip = serializers.CharField(allow_blank=True)
    user_agent = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    label = serializers.CharField()  # type: ignore[assignment]  # the contract's word; DRF takes declared fields away
    device = DeviceOutput()
    location = LocationOutput()
