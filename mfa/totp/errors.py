"""Errors of authenticator apps."""

from core.errors import ServiceError


class TotpNotConfigured(ServiceError, status=404):
    """Authenticator codes are not available on this service. Ask the people who run it to set them up."""


class TotpNotEnabled(ServiceError, status=400):
    """The account has no authenticator app. Set one up first."""


class TotpAlreadyEnabled(ServiceError, status=409):
    """The account already has an authenticator app. Disable it before you set up another one."""


class InvalidTotpCode(ServiceError, status=401):
    """The code is not correct or was already used. Wait for the next code in your authenticator app."""
