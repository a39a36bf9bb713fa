"""Errors that the accounts app owns."""

from collections.abc import Sequence
from typing import Any, ClassVar

from .core.errors import ServiceError

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
    """There is an account with this e-mail address already."""


class InvalidCredentials(ServiceError, status=401):
    """The e-mail address or the password is wrong."""


class AccountLocked(ServiceError, status=403):
    """Too many failed attempts have locked this account for a while. A magic link still signs in."""


class PasswordPolicyViolation(ServiceError, status=400):
    """The password breaks the rules that `details` lists."""

    members: ClassVar = {
        "details": {
            "type": "array",
            "minItems": 1,
            "items": {"type": "string", "enum": list(PASSWORD_RULES)},
            "examples": [["min_length"]],
        }
    }

    def __init__(self, *, details: Sequence[str]) -> None:
        super().__init__()
        self.details = tuple(details)

    def body(self) -> dict[str, Any]:
        return {**super().body(), "details": list(self.details)}


class PasswordBreached(ServiceError, status=400):
    """This password is known from breaches. Choose another one."""


class VerificationTokenInvalid(ServiceError, status=400):
    """This link is unknown, was used already, or was replaced by a newer one."""


class VerificationTokenExpired(ServiceError, status=400):
    """This link has expired. Ask for a new one."""


class ReservedMetadataKey(ServiceError, status=400):
    """This name is a claim of the service's own; metadata cannot have it."""


class InvalidMetadataKey(ServiceError, status=400):
    """A key is a letter or underscore, then at most 63 letters, digits, underscores, dots or dashes."""


class MetadataKeyNotFound(ServiceError, status=404):
    """The user's metadata has no such key."""
