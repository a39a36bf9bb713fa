"""Errors of the sessions app."""

from accounts.core.errors import ServiceError


class InvalidToken(ServiceError, status=401):
    """The refresh token is invalid, expired or revoked. Sign in again."""


class TokenReused(ServiceError, status=401):
    """This refresh token was used before, so the whole session was ended. Sign in again."""


class InvalidPendingLogin(ServiceError, status=401):
    """This login waits no longer for its second factor. Sign in again."""


class MagicLinkNotConfigured(ServiceError, status=404):
    """This deployment sends no mails, so there are no magic links."""


class SessionNotOwned(ServiceError, status=403):
    """This session belongs to another account."""
