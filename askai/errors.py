"""Errors that the askai app owns."""

from accounts.core.errors import ServiceError


class InvalidLlmProvider(ServiceError, status=400):
    """The language model setting is malformed."""


class InvalidDatabaseProvider(ServiceError, status=400):
    """The read-only database setting is malformed."""


class InvalidAskAiWidget(ServiceError, status=400):
    """The widget setting is malformed."""


class DatabaseRoleNotReadOnly(ServiceError, status=400):
    """This role may write: it could make a temporary table. Revoke TEMPORARY on the database from it and from PUBLIC; superusers and the database's owner never pass."""


class DatabaseRoleUnverified(ServiceError, status=400):
    """Whether this role is read-only could not be found out. Check that the address, role and password work, and that the session is not read-only by a setting or a standby: the role itself has to lack the privilege."""


class SettingUndecryptable(ServiceError, status=409):
    """The stored credential does not open, probably because SETTINGS_ENCRYPTION_KEY changed. Delete it or set it anew."""


class AskAiWidgetDisabled(ServiceError, status=404):
    """Questions are switched off on this deployment."""


class OriginNotAllowed(ServiceError, status=403):
    """Pages of this origin may not ask; an operator lists those that may."""


class InvalidQuestion(ServiceError, status=400):
    """A question is a text of 1 to 500 characters that is not blank."""


class QuestionNotAnswerable(ServiceError, status=400):
    """This question cannot be answered here. Ask about your own sessions or about what happened in your account."""


class AskAiUnavailable(ServiceError, status=503):
    """Questions cannot be answered at the moment. Try again later."""
