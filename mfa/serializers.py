"""Request and response bodies of the routes of second factors."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rest_framework import serializers

from accounts.core.http.examples import (
    CEREMONY_TOKEN,
    CHALLENGE,
    CREDENTIAL_ID,
    MOMENT,
    PASSWORD,
    PENDING_TOKEN,
)
from accounts.core.http.fields import Credential, Object, Text
from accounts.core.keys.opaque import RAW_MAX
from accounts.passwords.rules import INPUT_MAX

from .models import NICKNAME_MAX
from .recovery_codes import ALPHABET, CODE_INPUT_MAX, CODES
from .totp import DIGITS

_AUTHENTICATION: Mapping[str, Any] = {
    "challenge": CHALLENGE,
    "timeout": 300000,
    "rpId": "auth.example.com",
    "allowCredentials": [{"id": CREDENTIAL_ID, "type": "public-key", "transports": ["internal"]}],
    "userVerification": "preferred",
}
REGISTRATION: Mapping[str, Any] = {
    "public_key": {
        "rp": {"name": "Example", "id": "auth.example.com"},
        "user": {"id": "AaH9f4pZcL2OmKc0KDFgag", "name": "alice@example.com", "displayName": "alice@example.com"},
        "challenge": CHALLENGE,
        "pubKeyCredParams": [{"type": "public-key", "alg": -7}],
        "timeout": 300000,
        "excludeCredentials": [],
        "authenticatorSelection": {
            "residentKey": "preferred",
            "requireResidentKey": False,
            "userVerification": "preferred",
        },
        "attestation": "none",
    },
    "ceremony_token": CEREMONY_TOKEN,
}
"""An example of a ceremony that makes a passkey."""


class CodeInput(serializers.Serializer[None]):
    """Body of what a code of the authenticator app proves."""

    example: ClassVar = {"code": "492039"}

    code = Credential(max_length=DIGITS, help_text="Six digits.")


class PasswordInput(serializers.Serializer[None]):
    """Body of what only the password's owner may do."""

    example: ClassVar = {"password": PASSWORD}

    password = Credential(max_length=INPUT_MAX)


class PendingTokenInput(serializers.Serializer[None]):
    """Body of what goes on with a login that waits for a second factor."""

    example: ClassVar[dict[str, Any]] = {"pending_token": PENDING_TOKEN}

    pending_token = Credential(max_length=RAW_MAX, help_text="From the answer of the login that waits.")


class PendingCodeInput(PendingTokenInput):
    """Body of a completion by an authenticator code."""

    example: ClassVar = {"pending_token": PENDING_TOKEN, "code": "492039"}

    code = Credential(max_length=DIGITS, help_text="Six digits.")


class PendingRecoveryCodeInput(PendingTokenInput):
    """Body of a completion by a recovery code."""

    example: ClassVar = {"pending_token": PENDING_TOKEN, "code": "7k2m-9xqt"}

    code = Credential(max_length=CODE_INPUT_MAX, help_text="`xxxx-xxxx`. Case, dashes and blanks do not matter.")


class PendingPasskeyInput(PendingTokenInput):
    """Body of a completion by passkey: what `navigator.credentials.get()` gave, as its `toJSON()` says it."""

    example: ClassVar = {
        "pending_token": PENDING_TOKEN,
        "ceremony_token": CEREMONY_TOKEN,
        "credential": {
            "id": CREDENTIAL_ID,
            "rawId": CREDENTIAL_ID,
            "type": "public-key",
            "response": {
                "clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0",
                "authenticatorData": "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MdAAAAAQ",
                "signature": "MEUCIQDlqTm3pHjVbPqWvB9y8s5L7rJ0Wd3oXcZt",
                "userHandle": "AaH9f4pZcL2OmKc0KDFgag",
            },
            "clientExtensionResults": {},
        },
    }

    ceremony_token = Credential(max_length=RAW_MAX)
    credential = Object()


class NewPasskeyInput(serializers.Serializer[None]):
    """Body of a registration: what `navigator.credentials.create()` gave, as its `toJSON()` says it."""

    example: ClassVar = {
        "ceremony_token": CEREMONY_TOKEN,
        "credential": {
            "id": CREDENTIAL_ID,
            "rawId": CREDENTIAL_ID,
            "type": "public-key",
            "response": {
                "clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0",
                "attestationObject": "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViU",
                "transports": ["internal"],
            },
            "clientExtensionResults": {},
        },
        "nickname": "Laptop",
    }

    ceremony_token = Credential(max_length=RAW_MAX)
    credential = Object()
    nickname = Text(max_length=NICKNAME_MAX, default="", help_text="Blank becomes `Passkey`.")


class OtpauthOutput(serializers.Serializer[None]):
    """What an authenticator app takes, as a link or in a QR code."""

    example: ClassVar = {
        "otpauth_url": "otpauth://totp/Example:alice%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Example"
    }

    otpauth_url = serializers.CharField()


class CeremonyOutput(serializers.Serializer[None]):
    """A passkey ceremony: options for the browser, and the token that its finish takes."""

    example: ClassVar = {"public_key": _AUTHENTICATION, "ceremony_token": CEREMONY_TOKEN}

    public_key = serializers.DictField()
    ceremony_token = serializers.CharField()


class PasskeyOutput(serializers.Serializer[None]):
    """A passkey. `last_used_at` is missing while it has never been used."""

    example: ClassVar = {
        "credential_id": CREDENTIAL_ID,
        "nickname": "Laptop",
        "created_at": MOMENT,
        "last_used_at": MOMENT,
    }

    credential_id = serializers.CharField(help_text="base64url; the path of its removal takes it as it is.")
    nickname = serializers.CharField()
    created_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(required=False)


class RecoveryCodesOutput(serializers.Serializer[None]):
    """New recovery codes, which are shown this once."""

    example: ClassVar = {
        "codes": [
            "7k2m-9xqt",
            "0c4v-h8wd",
            "n3bz-52rf",
            "q9tk-ymj1",
            "x6ep-83as",
            "4dgh-v0cn",
            "r7wy-k2zq",
            "b5mj-t9xe",
            "h1fs-60pd",
            "z8qv-n4gk",
        ],
        "notice": "Keep these codes somewhere safe.",
    }

    codes = serializers.ListField(
        child=serializers.RegexField(f"^[{ALPHABET}]{{4}}-[{ALPHABET}]{{4}}$"), min_length=CODES, max_length=CODES
    )
    notice = serializers.CharField()
