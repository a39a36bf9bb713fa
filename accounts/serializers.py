"""Bodies of requests to the account routes."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rest_framework import serializers

from core.addresses import EMAIL_MAX, EMAIL_MIN, FORM
from core.http.examples import (
    EMAIL,
    MAILED_TOKEN,
    PASSWORD,
)
from core.http.fields import Credential, Text
from core.keys.opaque import RAW_MAX

from .conf import settings
from .passwords.rules import INPUT_MAX, MAX_LENGTH, NEW_INPUT_MAX

ADDRESS: Mapping[str, Any] = {"minLength": EMAIL_MIN, "maxLength": EMAIL_MAX, "pattern": f"^{FORM}$"}
"""JSON Schema keywords of an address that an account can have."""
ADDRESS_HELP = (
    "The service removes white space around the address. The address must not contain invisible format characters."
)
CONFIRMATION_HELP = (
    "An account without a password needs a login or reauthentication in the last five minutes instead. This "
    "member stays required, and the service ignores its value."
)
POLICY_HELP = (
    "The length limits apply after NFKC normalization. A deployment can have further rules. The error "
    "`password_policy_violation` lists the rules that the password breaks."
)


def new_password() -> Mapping[str, Any]:
    """Return the JSON Schema keywords of a password that an account can get."""
    return {"minLength": settings().password_min_length, "maxLength": MAX_LENGTH}


class SignupInput(serializers.Serializer[None]):
    """Request body of a sign-up."""

    example: ClassVar = {"email": EMAIL, "password": PASSWORD}

    email = Text(max_length=EMAIL_MAX, keywords=ADDRESS, help_text=ADDRESS_HELP)
    password = Credential(max_length=NEW_INPUT_MAX, keywords=new_password, help_text=POLICY_HELP)


class ChangePasswordInput(serializers.Serializer[None]):
    """Request body of a password change."""

    example: ClassVar = {"current_password": PASSWORD, "new_password": "staple orbit lantern"}

    current_password = Credential(max_length=INPUT_MAX, help_text=CONFIRMATION_HELP)
    new_password = Credential(max_length=NEW_INPUT_MAX, keywords=new_password, help_text=POLICY_HELP)


class ForgotPasswordInput(serializers.Serializer[None]):
    """Body of a request for a password reset."""

    example: ClassVar = {"email": EMAIL}

    email = Credential(max_length=EMAIL_MAX)


class ResetPasswordInput(serializers.Serializer[None]):
    """Body of a password reset: the raw token from the mail, and the password that the account gets."""

    example: ClassVar = {"token": MAILED_TOKEN, "new_password": "staple orbit lantern"}

    token = Credential(max_length=RAW_MAX)
    new_password = Credential(max_length=NEW_INPUT_MAX, keywords=new_password, help_text=POLICY_HELP)


class CurrentPasswordInput(serializers.Serializer[None]):
    """Request body that confirms the operation with the current password."""

    example: ClassVar = {"current_password": PASSWORD}

    current_password = Credential(max_length=INPUT_MAX, help_text=CONFIRMATION_HELP)


class NewEmailInput(serializers.Serializer[None]):
    """Request body of a request to change the address."""

    example: ClassVar = {"new_email": "alice@example.org"}

    new_email = Text(max_length=EMAIL_MAX, keywords=ADDRESS, help_text=ADDRESS_HELP)


class MailTokenInput(serializers.Serializer[None]):
    """Request body with the token from a mail."""

    example: ClassVar = {"token": MAILED_TOKEN}

    token = Credential(max_length=RAW_MAX)


class AccountProofInput(MailTokenInput):
    """Request body with the token from a mail, and the password as a proof of the account."""

    example: ClassVar = {"token": MAILED_TOKEN, "password": PASSWORD}

    password = Credential(
        max_length=INPUT_MAX,
        required=False,
        help_text="The account's password. A valid access token of the account can replace it.",
    )


class ExportQuery(serializers.Serializer[Any]):
    """The page of an export."""

    cursor = Text(max_length=80, default=None, help_text="The `next_cursor` of the page before.")
