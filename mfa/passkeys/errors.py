"""Errors of passkeys."""

from core.errors import ServiceError


class PasskeysNotConfigured(ServiceError, status=404):
    """Passkeys are not available on this service. Ask the people who run it to set them up."""


class NoPasskeysEnrolled(ServiceError, status=400):
    """The account has no passkey. Use another second factor."""


class InvalidCeremonyToken(ServiceError, status=400):
    """This passkey request is not valid, has expired or was already used. Start again."""


class InvalidPasskeyResponse(ServiceError, status=401):
    """The passkey could not be verified. Start again."""
