"""Errors that the console owns."""

from accounts.core.errors import ServiceError


class NotImplementedOnEmbeddedDb(ServiceError, status=501):
    """The operator console needs PostgreSQL; this deployment runs on an embedded database."""


class NotOperator(ServiceError, status=403):
    """Only an operator may do this. A grant shows in the token from the next login or refresh on."""


class AuditEventNotFound(ServiceError, status=404):
    """There is no flagged event with this id."""


class InvalidReviewStatus(ServiceError, status=400):
    """A review's status is unreviewed, confirmed or dismissed."""


class InvalidReviewNote(ServiceError, status=400):
    """A review's note is a text of at most 500 characters."""
