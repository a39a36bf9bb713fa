"""Errors that the console owns."""

from core.errors import ServiceError


class NotImplementedOnEmbeddedDb(ServiceError, status=501):
    """The operator console needs PostgreSQL, but this service runs on an embedded database."""


class NotOperator(ServiceError, status=403):
    """Only an operator can do this. If you became an operator recently, refresh your access token."""


class AuditEventNotFound(ServiceError, status=404):
    """There is no flagged event with this id. List the flagged events to see their ids."""


class InvalidReviewStatus(ServiceError, status=400):
    """status must be unreviewed, confirmed or dismissed."""


class InvalidReviewNote(ServiceError, status=400):
    """note must be a text of at most 500 characters."""
