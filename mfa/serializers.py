"""Bodies of requests to the routes of second factors."""

from typing import Any, ClassVar

from rest_framework import serializers

from accounts.core.http.examples import (
    CEREMONY_TOKEN,
    CREDENTIAL_ID,
    PASSWORD,
    PENDING_TOKEN,
)
from accounts.core.http.fields import Credential, Object, Text
from accounts.core.keys.opaque import RAW_MAX
from accounts.passwords.rules import INPUT_MAX

from .models import NICKNAME_MAX
from .recovery_codes import CODE_INPUT_MAX
from .totp import DIGITS


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
