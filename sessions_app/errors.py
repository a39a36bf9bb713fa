"""Errors of the sessions app."""

from accounts.core.errors import ServiceError


class InvalidToken(ServiceError, status=401):
    """The refresh token is not valid, has expired or was revoked. Sign in again."""


class TokenReused(ServiceError, status=401):
    """This refresh token was already used, so the service ended the session. Sign in again."""


class InvalidPendingLogin(ServiceError, status=401):
    """This login has expired or is not valid any more. Sign in again."""


class MagicLinkNotConfigured(ServiceError, status=404):
    """Magic links are not available, because this service sends no mail. Sign in with your password."""


class SessionNotOwned(ServiceError, status=403):
    """This session belongs to another account. You can end only your own sessions."""
