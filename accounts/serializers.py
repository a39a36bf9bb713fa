"""Bodies that the account routes take and answer."""

from rest_framework import serializers

from .core.fields import Text


class SignupInput(serializers.Serializer[None]):
    """Body of signup."""

    email = Text()
    password = Text()


class SignupOutput(serializers.Serializer[None]):
    """The new account."""

    user_id = serializers.CharField()
    email = serializers.CharField()


class ChangePasswordInput(serializers.Serializer[None]):
    """Body of a password change."""

    current_password = Text()
    new_password = Text()


class CurrentPasswordInput(serializers.Serializer[None]):
    """Body of what only the password's owner may do."""

    current_password = Text()


class NewEmailInput(serializers.Serializer[None]):
    """Body of a request to change the address."""

    new_email = Text()


class MailTokenInput(serializers.Serializer[None]):
    """Body of what a mailed token proves: the raw token from the mail."""

    token = Text()


class StatusOutput(serializers.Serializer[None]):
    """What was done, in words."""

    status = serializers.CharField()
