"""Errors of the mfa app."""

from accounts.core.errors import ServiceError


class TotpNotConfigured(ServiceError, status=404):
    """This deployment has no authenticator codes; its ENCRYPTION_KEY is not set or not the one that sealed them."""


class PasskeysNotConfigured(ServiceError, status=404):
    """This deployment has no passkeys; its ENCRYPTION_KEY is not set."""


class RecoveryCodesNotConfigured(ServiceError, status=404):
    """This deployment has no recovery codes; its ENCRYPTION_KEY is not set or not the one that sealed them."""


class TotpNotEnabled(ServiceError, status=400):
    """The account has no authenticator app set up. Enroll one first."""


class TotpAlreadyEnabled(ServiceError, status=409):
    """The account has an authenticator app already. Disable it before you enroll another."""


class InvalidTotpCode(ServiceError, status=401):
    """The code is wrong or was used before. Wait for the app to show the next one."""


class NoPasskeysEnrolled(ServiceError, status=400):
    """The account has no passkeys. Use another of its methods."""


class InvalidCeremonyToken(ServiceError, status=400):
    """This passkey ceremony is unknown, over, or somebody else's. Begin again."""


class InvalidPasskeyResponse(ServiceError, status=401):
    """The authenticator's response does not prove what it should. Begin again."""


class InvalidRecoveryCode(ServiceError, status=401):
    """The recovery code is wrong or was used before. Each works once."""
