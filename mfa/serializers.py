"""Bodies that the routes of second factors take and answer."""

from rest_framework import serializers

from accounts.core.fields import Credential, Object, Text
from accounts.core.opaque import RAW_MAX
from accounts.password_rules import INPUT_MAX

from .models import NICKNAME_MAX
from .recovery_codes import CODE_INPUT_MAX
from .totp import DIGITS


class CodeInput(serializers.Serializer[None]):
    """Body of what a code of the authenticator app proves."""

    code = Credential(max_length=DIGITS)


class PasswordInput(serializers.Serializer[None]):
    """Body of what only the password's owner may do."""

    password = Credential(max_length=INPUT_MAX)


class PendingTokenInput(serializers.Serializer[None]):
    """Body of what goes on with a login that waits for a second factor."""

    pending_token = Credential(max_length=RAW_MAX)


class PendingCodeInput(PendingTokenInput):
    """Body of a completion by a code."""

    code = Credential(max_length=CODE_INPUT_MAX)


class PendingPasskeyInput(PendingTokenInput):
    """Body of a completion by passkey: what `navigator.credentials.get()` gave, as its `toJSON()` says it."""

    ceremony_token = Credential(max_length=RAW_MAX)
    credential = Object()


class NewPasskeyInput(serializers.Serializer[None]):
    """Body of a registration: what `navigator.credentials.create()` gave, as its `toJSON()` says it."""

    ceremony_token = Credential(max_length=RAW_MAX)
    credential = Object()
    nickname = Text(max_length=NICKNAME_MAX, default="", help_text="Blank becomes `Passkey`.")


class OtpauthOutput(serializers.Serializer[None]):
    """What an authenticator app takes, as a link or in a QR code."""

    otpauth_url = serializers.CharField()


class CeremonyOutput(serializers.Serializer[None]):
    """A passkey ceremony: options for the browser, and the token that its finish takes."""

    public_key = serializers.DictField()
    ceremony_token = serializers.CharField()


class PasskeyOutput(serializers.Serializer[None]):
    """A passkey. `last_used_at` is missing while it has never been used."""

    credential_id = serializers.CharField()
    nickname = serializers.CharField()
    created_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(required=False)


class RecoveryCodesOutput(serializers.Serializer[None]):
    """New recovery codes, which are shown this once."""

    codes = serializers.ListField(child=serializers.CharField())
    notice = serializers.CharField()
