"""Request and response bodies of the session routes."""

from typing import ClassVar

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from accounts.addresses import EMAIL_MAX
from accounts.core.db.ids import TEXT_LENGTH
from accounts.core.http.examples import (
    ACCESS_TOKEN,
    EMAIL,
    LATER,
    MOMENT,
    PASSWORD,
    PENDING_TOKEN,
    REFRESH_TOKEN,
    SESSION_ID,
    USER_ID,
)
from accounts.core.http.fields import Constant, Credential
from accounts.core.keys.opaque import RAW_MAX
from accounts.passwords.rules import INPUT_MAX


class LoginInput(serializers.Serializer[None]):
    """Body of a password login."""

    example: ClassVar = {"email": EMAIL, "password": PASSWORD}

    email = Credential(max_length=EMAIL_MAX)
    password = Credential(max_length=INPUT_MAX)


class RefreshInput(serializers.Serializer[None]):
    """Body of a refresh."""

    example: ClassVar = {"refresh_token": REFRESH_TOKEN}

    refresh_token = Credential(max_length=RAW_MAX)


class LogoutInput(serializers.Serializer[None]):
    """Body of a logout."""

    example: ClassVar = {"session_id": SESSION_ID}

    session_id = Credential(
        max_length=TEXT_LENGTH,
        help_text="The `id` of a session in the list; an older one of the same session does as well.",
    )


class MagicLinkInput(serializers.Serializer[None]):
    """Body of a request for a magic link."""

    example: ClassVar = {"email": EMAIL}

    email = Credential(max_length=EMAIL_MAX)


class EmptyOutput(serializers.Serializer[None]):
    """Nothing: an answer that tells nothing."""

    example: ClassVar[dict[str, str]] = {}


class TokenPairOutput(serializers.Serializer[None]):
    """A signed-in caller's tokens; keep only the newest refresh token."""

    example: ClassVar = {"access_token": ACCESS_TOKEN, "refresh_token": REFRESH_TOKEN}

    access_token = serializers.CharField(help_text="A JWT: send it as `Authorization: Bearer …`.")
    refresh_token = serializers.CharField(help_text="An opaque text for `POST /v1/refresh`; it works once.")


class PausedLoginOutput(serializers.Serializer[None]):
    """A login that waits for a second factor. A recovery code completes it too, where the account has any."""

    example: ClassVar = {
        "second_factor_required": True,
        "pending_token": PENDING_TOKEN,
        "methods": ["totp", "passkey"],
    }

    second_factor_required = Constant(True)
    pending_token = serializers.CharField(help_text="An opaque text for the `/v1/login/…` operations.")
    methods = serializers.ListField(child=serializers.ChoiceField(["totp", "passkey"]), min_length=1)


LOGIN_OUTPUT = PolymorphicProxySerializer(
    component_name="LoginAnswer",
    serializers=[TokenPairOutput, PausedLoginOutput],
    resource_type_field_name=None,
)


class KeyFactsOutput(serializers.Serializer[None]):
    """The API key that was presented."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.CharField())
    expires_at = serializers.DateTimeField(allow_null=True)


class VerifyOutput(serializers.Serializer[None]):
    """Whose access token it is, or whose API key and which."""

    example: ClassVar = {
        "user_id": USER_ID,
        "api_key": {
            "id": "01a1fd82-3c07-7d1b-a8f4-5c6e7d8f9a0b",
            "name": "nightly report",
            "scopes": ["reports:read"],
            "expires_at": LATER,
        },
    }

    user_id = serializers.CharField()
    api_key = KeyFactsOutput(required=False, help_text="Only in the answer to an API key.")


class DeviceOutput(serializers.Serializer[None]):
    """What the user agent says of the device; a text is empty where it says nothing."""

    browser = serializers.CharField(allow_blank=True)
    os = serializers.CharField(allow_blank=True)
    form = serializers.ChoiceField(["desktop", "mobile", "tablet", "bot", ""])


class LocationOutput(serializers.Serializer[None]):
    """Where the address is; all empty without a geolocator."""

    city = serializers.CharField(allow_blank=True)
    region = serializers.CharField(allow_blank=True)
    country = serializers.CharField(allow_blank=True)


class SessionOutput(serializers.Serializer[None]):
    """One login."""

    example: ClassVar = {
        "id": SESSION_ID,
        "ip": "203.0.113.7",
        "user_agent": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) "
        "Chrome/141.0.0.0 Safari/537.36",
        "created_at": MOMENT,
        "label": "Chrome on macOS",
        "device": {"browser": "Chrome", "os": "macOS", "form": "desktop"},
        "location": {"city": "", "region": "", "country": ""},
    }

    id = serializers.UUIDField(help_text="Another one after each refresh; the older ones still name the session.")
    ip = serializers.CharField(allow_blank=True)
    user_agent = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField(help_text="When the login happened.")
    label = serializers.CharField()  # type: ignore[assignment]  # the contract's word; DRF takes declared fields away
    device = DeviceOutput()
    location = LocationOutput()
