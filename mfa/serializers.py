"""Bodies of requests that several rooms of second factors share."""

from typing import Any, ClassVar

from rest_framework import serializers

from accounts.passwords.rules import INPUT_MAX
from accounts.serializers import CONFIRMATION_HELP
from core.http.examples import PASSWORD, PENDING_TOKEN
from core.http.fields import Credential
from core.keys.opaque import RAW_MAX


class PasswordInput(serializers.Serializer[None]):
    """Request body that confirms the operation with the account's password."""

    example: ClassVar = {"password": PASSWORD}

    password = Credential(max_length=INPUT_MAX, help_text=CONFIRMATION_HELP)


class PendingTokenInput(serializers.Serializer[None]):
    """Request body that names a login that waits for a second factor."""

    example: ClassVar[dict[str, Any]] = {"pending_token": PENDING_TOKEN}

    pending_token = Credential(max_length=RAW_MAX, help_text="The `pending_token` from the answer to the login.")
