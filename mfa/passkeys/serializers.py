"""Bodies of requests to the routes of passkeys."""

from typing import Any, ClassVar

import orjson
from rest_framework import serializers

from core.http.bodies import BODY_MAX_BYTES
from core.http.examples import CEREMONY_TOKEN, CREDENTIAL_ID, PENDING_TOKEN
from core.http.fields import Credential, JsonObject, StrictBoolean, Text
from core.keys.opaque import RAW_MAX

from ..models import NICKNAME_MAX
from ..serializers import PendingTokenInput

_ASSERTION = {
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
}


class PasskeyOnlyInput(serializers.Serializer[None]):
    """Request body that logs in with a passkey alone.

    `credential` is the result of `toJSON()` on the credential that `navigator.credentials.get()` returned.
    """

    example: ClassVar = {"ceremony_token": CEREMONY_TOKEN, "credential": _ASSERTION}

    ceremony_token = Credential(max_length=RAW_MAX)
    credential = JsonObject()


class PendingPasskeyInput(PendingTokenInput):
    """Request body that completes a login with a passkey.

    `credential` is the result of `toJSON()` on the credential that `navigator.credentials.get()` returned.
    """

    example: ClassVar = {
        "pending_token": PENDING_TOKEN,
        "ceremony_token": CEREMONY_TOKEN,
        "credential": _ASSERTION,
    }

    ceremony_token = Credential(max_length=RAW_MAX)
    credential = JsonObject()


class BeginPasskeyInput(serializers.Serializer[None]):
    """Request body that begins to register a passkey."""

    example: ClassVar = {"conditional": False}

    conditional = StrictBoolean(
        default=False,
        help_text="True when the page calls `navigator.credentials.create()` with the mediation `conditional`. Possible "
        "within five minutes of a login with the password.",
    )


class NewPasskeyInput(serializers.Serializer[None]):
    """Request body that registers a passkey.

    `credential` is the result of `toJSON()` on the credential that `navigator.credentials.create()` returned.
    """

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
    credential = JsonObject()
    nickname = Text(
        max_length=NICKNAME_MAX,
        default="",
        help_text="The name in the list of passkeys. A blank name becomes `Passkey`.",
    )


class PasskeyResponse(Text):
    """A hidden field, into which the script puts a passkey's response as JSON. Its value is the decoded object."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=BODY_MAX_BYTES, allow_blank=False, **kwargs)

    def to_internal_value(self, data: Any) -> Any:
        text = super().to_internal_value(data)
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError:
            value = None
        # The route refuses an empty object as a wrong response.
        return value if isinstance(value, dict) else {}

    def run_validators(self, value: Any) -> None:
        """Accept every object. The length of the body limits its size."""


class PasskeyForm(serializers.Serializer[None]):
    """The form of a page with the response of a passkey to a ceremony."""

    ceremony_token = Credential(max_length=RAW_MAX)
    credential = PasskeyResponse()
