"""Errors that the askai app owns."""

from django.utils.translation import gettext

from core.errors import ServiceError


class InvalidLlmProvider(ServiceError, status=400):
    """The language model setting is not valid. Correct it and try again."""


class InvalidDatabaseProvider(ServiceError, status=400):
    """The read-only database setting is not valid. Correct it and try again."""


class InvalidAskAiWidget(ServiceError, status=400):
    """The widget setting is not valid. Correct it and try again."""


class DatabaseRoleNotReadOnly(ServiceError, status=400):
    """This database role can create tables or change data, so it is not read-only. Revoke TEMPORARY on the database from the role and from PUBLIC, and every right but SELECT; do not use a superuser or the database's owner."""


class DatabaseRoleUnverified(ServiceError, status=400):
    """The service could not verify that this database role is read-only. Check the DSN, and use a primary server and a role without a read-only default."""

    @classmethod
    def because(cls, cause: str) -> "DatabaseRoleUnverified":
        """Return the error with the cause before its message."""
        return cls(f"{gettext(cause)} {gettext(cls.message)}")


class SettingUndecryptable(ServiceError, status=409):
    """The stored setting cannot be decrypted, probably because SETTINGS_ENCRYPTION_KEY changed. Delete the setting or store it again."""


class AskAiWidgetDisabled(ServiceError, status=404):
    """Questions are turned off on this service. An operator can turn them on."""


class OriginNotAllowed(ServiceError, status=403):
    """Web pages of this origin are not allowed to ask questions. An operator can allow the origin in the widget setting."""


class InvalidQuestion(ServiceError, status=400):
    """The question must be a text of 1 to 500 characters, and must not be blank."""


class QuestionNotAnswerable(ServiceError, status=400):
    """This question cannot be answered. Ask about your own sessions, or about events in your account."""


class AskAiUnavailable(ServiceError, status=503):
    """Questions cannot be answered right now. Try again later."""
