"""Errors that the accounts app owns."""

from collections.abc import Sequence
from typing import Any, ClassVar

from core.errors import ServiceError

PASSWORD_RULES = (
    "min_length",
    "max_length",
    "require_uppercase",
    "require_lowercase",
    "require_digit",
    "require_symbol",
    "contains_email",
)


class UserExists(ServiceError, status=409):
    """An account with this e-mail address already exists. Sign in, or use another address."""


class SignupClosed(ServiceError, status=403):
    """Sign-up is not open for this address. Ask the operators of this service for an invitation."""


class AccountInUse(ServiceError, status=409):
    """Other data of this site needs the account, so it cannot be deleted. Ask the site's support."""


class InvalidCredentials(ServiceError, status=401):
    """The e-mail address or the password is not correct. Check both and try again."""


class AccountLocked(ServiceError, status=403):
    """Too many failed attempts locked this account. Try again later, or sign in with a magic link."""


class AccountDeactivated(ServiceError, status=403):
    """This account is deactivated, so no one can sign in to it. Ask the support of this service."""


class PasswordResetRequired(ServiceError, status=403):
    """This password no longer works. Set a new one: request a link with `POST /v1/password/forgot`."""


class ReauthenticationRequired(ServiceError, status=403):
    """This needs a recent login. Prove your identity with `POST /v1/reauthenticate` or sign in again, then try again."""


class EmailNotVerified(ServiceError, status=403):
    """The e-mail address of this account is not verified. Open the newest link that was mailed to it, then sign in again."""


class PasswordPolicyViolation(ServiceError, status=400):
    """The password breaks the rules that `details` lists. Choose a password that meets them."""

    members: ClassVar = {
        "details": {
            "type": "array",
            "minItems": 1,
            # A host project's validators add codes of their own.
            "items": {"type": "string", "examples": list(PASSWORD_RULES)},
            "examples": [["min_length"]],
        }
    }

    def __init__(self, *, details: Sequence[str]) -> None:
        super().__init__()
        self.details = tuple(details)

    def body(self) -> dict[str, Any]:
        return {**super().body(), "details": list(self.details)}


class PasswordBreached(ServiceError, status=400):
    """This password is known from data breaches. Choose another one."""


class VerificationTokenInvalid(ServiceError, status=400):
    """This link is not valid, was already used, or was replaced by a newer link. Ask for a new link."""


class VerificationTokenExpired(ServiceError, status=400):
    """This link has expired. Ask for a new link."""


class ReservedMetadataKey(ServiceError, status=400):
    """This key is reserved for a claim of the access token. Use another key."""


class InvalidMetadataKey(ServiceError, status=400):
    """The key must start with a letter or an underscore. It must have at most 64 letters, digits, underscores, dots and hyphens."""


class MetadataKeyNotFound(ServiceError, status=404):
    """The user's metadata does not contain this key. Check the spelling of the key."""
