"""Errors of the endpoints of OAuth. Their form is that of RFC 6749, not the envelope of the API."""

from django.utils.translation import gettext_noop

from core.errors import PROOF_ALGORITHMS

EXPIRED = gettext_noop("This page has expired. Go back to the application, and sign in from there.")
"""The message for a person whose sign-in took too long."""

UNAUTHORIZED = 401


class OauthError(Exception):
    """An endpoint refuses a request of a client. The message is for developers of the client.

    `error` is the code, such as `invalid_grant`. `challenge` is the header WWW-Authenticate, or "".
    """

    def __init__(self, error: str, message: str, *, status: int = 400, challenge: str = "") -> None:
        super().__init__(message)
        self.error = error
        self.status = status
        self.challenge = challenge


class InvalidClient(OauthError):
    """The client did not authenticate. The answer does not say which part was wrong."""

    def __init__(
        self,
        message: str = "The client is unknown, or its authentication is wrong. Check its id and its secret or key.",
    ) -> None:
        super().__init__("invalid_client", message, status=401, challenge='Basic realm="clients"')


class InvalidGrant(OauthError):
    """The code or the refresh token is unknown, spent, expired, ended or another client's."""

    def __init__(
        self,
        message: str = "The code or token is unknown, used, expired, or another client's. Send the person to sign in again.",
    ) -> None:
        super().__init__("invalid_grant", message)


class InvalidBearer(OauthError):
    """The access token is not valid here."""

    def __init__(self) -> None:
        super().__init__(
            "invalid_token",
            "The access token is not valid here, has expired, or its session has ended.",
            status=401,
            challenge='Bearer error="invalid_token"',
        )


class InvalidProof(OauthError):
    """The proof of possession is not valid (RFC 9449, sections 5 and 7.1)."""

    def __init__(self, message: str, *, error: str = "invalid_dpop_proof", status: int = 400) -> None:
        challenge = f'DPoP error="{error}", algs="{" ".join(PROOF_ALGORITHMS)}"' if status == UNAUTHORIZED else ""
        super().__init__(error, message, status=status, challenge=challenge)


class NonceMissing(InvalidProof):
    """The proof of possession needs the nonce that the answer has (RFC 9449, section 8)."""

    def __init__(self, *, status: int) -> None:
        message = "Sign the proof again, with the nonce in the header DPoP-Nonce of this answer."
        super().__init__(message, error="use_dpop_nonce", status=status)


class NoDestination(Exception):
    """An authorization request names no client, or none of its redirect URIs. The person gets a page, and the client nothing."""


class RegistrationRefused(Exception):
    """The data of a client are not valid. The message is for the operator."""
