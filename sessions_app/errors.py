"""Errors of the sessions app."""

from core.errors import ServiceError


class InvalidToken(ServiceError, status=401):
    """The refresh token is not valid, has expired or was revoked. Sign in again."""


class TokenReused(ServiceError, status=401):
    """This refresh token was already used, so the service ended the session. Sign in again."""


class InvalidPendingLogin(ServiceError, status=401):
    """This login has expired or is not valid any more. Sign in again."""


class InvalidLoginCode(ServiceError, status=401):
    """This code is not correct, has expired or was already used. Check it, or ask for a new link and use its code."""


class MagicLinkNotConfigured(ServiceError, status=404):
    """Magic links are not available, because this service sends no mail. Sign in with your password."""


class SessionNotOwned(ServiceError, status=403):
    """This session belongs to another account. You can end only your own sessions."""


class InvalidOauthState(ServiceError, status=400):
    """This sign-in has expired, was already completed, or belongs to another account. Start again."""


class OauthFailed(ServiceError, status=400):
    """The provider refused the sign-in, or its answer is not valid. Start again, or sign in another way."""


class OauthUnavailable(ServiceError, status=502):
    """The provider does not answer right now. Try again later, or sign in another way."""


class OauthEmailUnverified(ServiceError, status=403):
    """The provider does not confirm a verified e-mail address. Verify your address there, or sign up in another way."""


class IdentityInUse(ServiceError, status=409):
    """This identity belongs to another account. Sign in with it, or remove it from the other account first."""


class LastSignInMethod(ServiceError, status=409):
    """The account has no other way to sign in. Set a password, register a passkey or link another identity first."""
