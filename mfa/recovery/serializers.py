"""Bodies of requests to the routes of recovery codes and of the recovery of accounts."""

from typing import ClassVar

from rest_framework import serializers

from core.http.examples import MAILED_TOKEN, PENDING_TOKEN
from core.http.fields import Credential
from core.keys.opaque import RAW_MAX

from ..serializers import PendingTokenInput
from .codes import CODE_INPUT_MAX


class PendingRecoveryCodeInput(PendingTokenInput):
    """Request body that completes a login with a recovery code."""

    example: ClassVar = {"pending_token": PENDING_TOKEN, "code": "7k2m-9xqt"}

    code = Credential(
        max_length=CODE_INPUT_MAX,
        help_text="A code such as `7k2m-9xqt`. The service ignores case, dashes and white space.",
    )


class MailedTokenInput(serializers.Serializer[None]):
    """Request body with the token from a mail."""

    example: ClassVar = {"token": MAILED_TOKEN}

    token = Credential(max_length=RAW_MAX)


class RecoveryCodeForm(serializers.Serializer[None]):
    """The form of a page with a recovery code."""

    recovery_code = Credential(max_length=CODE_INPUT_MAX)
