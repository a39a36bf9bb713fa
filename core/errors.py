"""Errors of the API. Each error code has one class, in the app that raises the error.

The client gets `{"error": {"code", "message"}}`. The code is the class name in snake case. The default message is the
first line of the class's docstring.
"""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

PROOF_ALGORITHMS = ("ES256", "PS256", "EdDSA", "Ed25519")
"""The algorithms of a proof of possession (RFC 9449). None of them works with a shared secret."""

_WORD = re.compile(r"(?<!^)(?=[A-Z])")


class ServiceError(Exception):
    """An error that the API reports to the client with an error code."""

    code: ClassVar[str] = ""
    status: ClassVar[int] = 0
    message: ClassVar[str] = ""
    members: ClassVar[Mapping[str, Any]] = {}
    """JSON Schemas of the error's members other than code and message, by member name."""
    registry: ClassVar[dict[str, type["ServiceError"]]] = {}

    def __init_subclass__(cls, *, status: int = 0, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not status:
            return  # an abstract base class, which has no code
        cls.code = _WORD.sub("_", cls.__name__).lower()
        cls.status = status
        cls.message = (cls.__doc__ or "").split("\n", 1)[0]
        taken = ServiceError.registry.setdefault(cls.code, cls)
        if taken is not cls:
            raise TypeError(f"The error code {cls.code} belongs to {taken.__module__} already.")

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or self.message)

    def body(self) -> dict[str, Any]:
        """Return the value of `error` in the envelope."""
        return {"code": self.code, "message": str(self)}

    def headers(self) -> Mapping[str, str]:
        """Return the headers that only the response to this error has."""
        return {}


class _RetryLater(ServiceError):
    """Base class of errors whose response has the header `Retry-After: <retry_after>`, in seconds."""

    def __init__(self, message: str | None = None, *, retry_after: int = 1) -> None:
        super().__init__(message)
        self.retry_after = retry_after

    def headers(self) -> Mapping[str, str]:
        return {"Retry-After": str(self.retry_after)}


class BadRequest(ServiceError, status=400):
    """The request is not valid. Compare it with the API reference."""


class MissingAuthHeader(ServiceError, status=401):
    """The header 'Authorization: Bearer ACCESS_TOKEN' is missing or malformed. Sign in to get an access token."""

    def headers(self) -> Mapping[str, str]:
        return {"WWW-Authenticate": "Bearer"}


class InvalidAccessToken(ServiceError, status=401):
    """The access token is not valid or has expired. Refresh the tokens once; if that fails, sign in again."""

    def headers(self) -> Mapping[str, str]:
        return {"WWW-Authenticate": 'Bearer error="invalid_token"'}


class KeyBoundToken(InvalidAccessToken):
    """An access token that is bound to a key, without a proof of the key. The error has the code of its base class."""

    message = "This access token is bound to a key. Send it as 'Authorization: DPoP ACCESS_TOKEN', with a proof in the header DPoP."

    def headers(self) -> Mapping[str, str]:
        return {"WWW-Authenticate": _dpop_challenge("invalid_token")}


class InvalidDpopProof(ServiceError, status=401):
    """The proof in the header DPoP is not valid for this request. Sign a new one for each request."""

    def headers(self) -> Mapping[str, str]:
        return {"WWW-Authenticate": _dpop_challenge(self.code)}


class UseDpopNonce(ServiceError, status=401):
    """The proof needs a nonce of the service. Sign it again, with the nonce in the header DPoP-Nonce of this answer."""

    def __init__(self, *, nonce: str) -> None:
        super().__init__()
        self.nonce = nonce

    def headers(self) -> Mapping[str, str]:
        return {"WWW-Authenticate": _dpop_challenge(self.code), "DPoP-Nonce": self.nonce}


def _dpop_challenge(error: str) -> str:
    return f'DPoP error="{error}", algs="{" ".join(PROOF_ALGORITHMS)}"'


class NotFound(ServiceError, status=404):
    """There is nothing at this address. Check the URL."""


class NotConfigured(ServiceError, status=404):
    """This feature is not available on this service. Ask the people who run it to set it up."""


class MethodNotAllowed(ServiceError, status=405):
    """This address does not accept this method. Use a method that the Allow header lists."""

    def __init__(self, *, allow: str) -> None:
        super().__init__()
        self.allow = allow

    def headers(self) -> Mapping[str, str]:
        return {"Allow": self.allow}


class LengthRequired(ServiceError, status=411):
    """A body must have a Content-Length header. Send the body without chunked encoding."""


class PayloadTooLarge(ServiceError, status=413):
    """The body is larger than 64 KiB. Send a smaller one."""


class UnsupportedMediaType(ServiceError, status=415):
    """The body must have the content type application/json."""


class RateLimited(_RetryLater, status=429):
    """Too many requests. Wait as many seconds as the Retry-After header says, then try again."""


class InternalError(ServiceError, status=500):
    """The service failed unexpectedly. Try again later, or report the value of the X-Request-ID header."""


class Overloaded(_RetryLater, status=503):
    """The service is busy. Try again in a second."""


class DbUnreachable(ServiceError, status=503):
    """The service cannot reach its database. Try again in a few seconds."""

    def headers(self) -> Mapping[str, str]:
        return {"Retry-After": "5"}

    @classmethod
    def for_writes(cls) -> "DbUnreachable":
        """Return the error for a database that answers but refuses writes."""
        return cls("The service cannot write to its database. Try again in a few seconds.")


class WritesStopped(DbUnreachable):
    """The data move to another database. Reads go on. The error has the code of DbUnreachable, and its own message."""

    message = "The service moves to another database and accepts no changes meanwhile. Try again in a few seconds."
