"""Errors of recovery codes."""

from core.errors import ServiceError


class RecoveryCodesNotConfigured(ServiceError, status=404):
    """Recovery codes are not available on this service. Ask the people who run it to set them up."""


class InvalidRecoveryCode(ServiceError, status=401):
    """The recovery code is not correct or was already used. Use another recovery code."""
