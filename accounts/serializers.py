"""Bodies that the account routes take and answer."""

from rest_framework import serializers

from .core.fields import Credential, Text
from .core.opaque import RAW_MAX
from .models import EMAIL_MAX
from .password_rules import INPUT_MAX, NEW_INPUT_MAX


class SignupInput(serializers.Serializer[None]):
    """Body of signup."""

    email = Text(max_length=EMAIL_MAX)
    password = Credential(max_length=NEW_INPUT_MAX)


class SignupOutput(serializers.Serializer[None]):
    """The new account."""

    user_id = serializers.CharField()
    email = serializers.CharField()


class ChangePasswordInput(serializers.Serializer[None]):
    """Body of a password change."""

    current_password = Credential(max_length=INPUT_MAX)
    new_password = Credential(max_length=NEW_INPUT_MAX)


class CurrentPasswordInput(serializers.Serializer[None]):
    """Body of what only the password's owner may do."""

    current_password = Credential(max_length=INPUT_MAX)


class NewEmailInput(serializers.Serializer[None]):
    """Body of a request to change the address."""

    new_email = Text(max_length=EMAIL_MAX)


class MailTokenInput(serializers.Serializer[None]):
    """Body of what a mailed token proves: the raw token from the mail."""

    token = Credential(max_length=RAW_MAX)


class StatusOutput(serializers.Serializer[None]):
    """What was done, in words."""

    status = serializers.CharField()
