"""The keys whose possession requests prove by the header DPoP (RFC 9449)."""

import re
from datetime import datetime

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from ..conf import core_settings
from ..errors import InvalidDpopProof
from ..keys import jwt
from ..keys.dpop import KeyProof, current_nonce, read_proof
from .proof_stores import MEMORY, used_proofs

_SCHEME = re.compile(r"DPoP +(\S+)", re.IGNORECASE)


def find_dpop_token(authorization: str) -> str | None:
    """Return the access token of a header value `DPoP x`, or None for a value of another form."""
    match = _SCHEME.fullmatch(authorization)
    return match[1] if match else None


def has_proof(request: HttpRequest) -> bool:
    """Return whether the request has the header DPoP."""
    return "HTTP_DPOP" in request.META


def proof_of(request: HttpRequest, *, access_token: str = "", now: datetime) -> KeyProof:
    """Return the proof in the header DPoP. The caller then calls `use_proof`. Raises as `read_proof` does.

    The address of the service is BASE_URL, whatever host name the request has.
    """
    return read_proof(
        request.META.get("HTTP_DPOP", ""),
        method=request.method or "",
        url=core_settings().base_url + request.path,
        access_token=access_token,
        now=now,
    )


def use_proof(proof: KeyProof, *, now: datetime) -> None:
    """Mark the proof as used. Raises InvalidDpopProof when it was used before. Without a store, no proof is accepted."""
    if not used_proofs or not all(store.use(proof.digest, expires_at=now + MEMORY) for store in used_proofs):
        raise InvalidDpopProof("The proof was used before. Sign a new one with another jti for each request.")


def find_key(request: HttpRequest, *, now: datetime) -> str:
    """Return the thumbprint of the key whose possession the request proves, or "" without a proof.

    The proof is used up. Raises InvalidDpopProof or UseDpopNonce when it is not valid.
    """
    if not has_proof(request):
        return ""
    proof = proof_of(request, now=now)
    use_proof(proof, now=now)
    return proof.thumbprint


def verify_bound_token(*, token: str, proof: str, method: str, path: str, now: datetime) -> jwt.Caller:
    """Return the caller of an access token that is bound to the key of the proof. The proof is used up.

    `path` is the decoded path of the request. Raises InvalidAccessToken when the token is not valid, or bound to no key or
    another one. Raises InvalidDpopProof or UseDpopNonce when the proof is not valid for the request.
    """
    url = core_settings().base_url + path
    shown = read_proof(proof, method=method, url=url, access_token=token, now=now)
    caller = jwt.verify_access_token(token, key=shown.thumbprint, now=now)
    use_proof(shown, now=now)
    return caller


def offer_nonce(response: HttpResponseBase, *, now: datetime) -> None:
    """Add the nonce for the next proof to the response."""
    response.headers["DPoP-Nonce"] = current_nonce(now=now)
