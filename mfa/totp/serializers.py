"""Bodies of requests to the routes of authenticator apps."""

from typing import ClassVar

from rest_framework import serializers

from core.http.examples import PENDING_TOKEN
from core.http.fields import Credential

from ..serializers import PendingTokenInput
from .codes import DIGITS


class CodeInput(serializers.Serializer[None]):
    """Request body with a code from the authenticator app."""

    example: ClassVar = {"code": "492039"}

    code = Credential(max_length=DIGITS, help_text="Six digits.")


class PendingCodeInput(PendingTokenInput):
    """Request body that completes a login with an authenticator code."""

    example: ClassVar = {"pending_token": PENDING_TOKEN, "code": "492039"}

    code = Credential(max_length=DIGITS, help_text="Six digits.")
