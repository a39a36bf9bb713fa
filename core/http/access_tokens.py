"""Access tokens in requests: by the scheme Bearer (RFC 6750), or by the scheme DPoP with a proof of their key (RFC 9449)."""

from datetime import datetime

from django.http import HttpRequest

from ..errors import MissingAuthHeader
from ..keys import jwt
from .possession import find_dpop_token, verify_bound_token


def caller_of(request: HttpRequest, *, now: datetime) -> jwt.Caller:
    """Return the caller by the access token of the request.

    The check of a bearer token does not read the database. That of a bound token stores its proof as used. Raises
    MissingAuthHeader when the request has no access token. Raises InvalidAccessToken when the token is not valid, or sent
    by the other scheme. Raises InvalidDpopProof or UseDpopNonce when the proof of a bound token is not valid.
    """
    return caller_by(
        authorization=request.META.get("HTTP_AUTHORIZATION", ""),
        proof=request.META.get("HTTP_DPOP", ""),
        method=request.method or "",
        path=request.path,
        now=now,
    )


def caller_by(*, authorization: str, proof: str, method: str, path: str, now: datetime) -> jwt.Caller:
    """Return the caller by the values of the headers Authorization and DPoP. Raises as `caller_of` does."""
    token = find_bearer_token(authorization)
    if token is not None:
        return jwt.verify_access_token(token, now=now)
    token = find_dpop_token(authorization)
    if token is None:
        raise MissingAuthHeader
    return verify_bound_token(token=token, proof=proof, method=method, path=path, now=now)


def has_token(request: HttpRequest) -> bool:
    """Return whether the request has an access token in one of the two schemes, valid or not."""
    authorization = request.META.get("HTTP_AUTHORIZATION", "")
    return find_bearer_token(authorization) is not None or find_dpop_token(authorization) is not None


def find_bearer_token(authorization: str) -> str | None:
    """Return the token of a header value `Bearer x`, or None for a value of another form."""
    # A regular expression reads the 400 characters of a token one by one, at ten times the instructions.
    scheme, _, rest = authorization.partition(" ")
    token = rest.lstrip(" ")
    return token if scheme.lower() == "bearer" and token.split() == [token] else None
