"""Errors of the mfa app."""

from core.errors import ServiceError


class TotpNotConfigured(ServiceError, status=404):
    """Authenticator codes are not available on this service. Ask the people who run it to set them up."""


class PasskeysNotConfigured(ServiceError, status=404):
    """Passkeys are not available on this service. Ask the people who run it to set them up."""


class RecoveryCodesNotConfigured(ServiceError, status=404):
    """Recovery codes are not available on this service. Ask the people who run it to set them up."""


class TotpNotEnabled(ServiceError, status=400):
    """The account has no authenticator app. Set one up first."""


class TotpAlreadyEnabled(ServiceError, status=409):
    """The account already has an authenticator app. Disable it before you set up another one."""


class InvalidTotpCode(ServiceError, status=401):
    """The code is not correct or was already used. Wait for the next code in your authenticator app."""


class NoPasskeysEnrolled(ServiceError, status=400):
    """The account has no passkey. Use another second factor."""


class InvalidCeremonyToken(ServiceError, status=400):
    """This passkey request is not valid, has expired or was already used. Start again."""


class InvalidPasskeyResponse(ServiceError, status=401):
    """The passkey could not be verified. Start again."""


class InvalidRecoveryCode(ServiceError, status=401):
    """The recovery code is not correct or was already used. Use another recovery code."""
