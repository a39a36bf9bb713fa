"""The check of ID tokens (OpenID Connect Core, section 3.1.3.7)."""

import re
import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import orjson
from joserfc.errors import JoseError
from joserfc.jwk import JWKRegistry
from joserfc.jws import JWSRegistry, extract_compact
from joserfc.util import urlsafe_b64decode

from .connection import refusal, step
from .discovery import ALGORITHMS, Metadata, find_keys
from .known import TENANT
from .providers import Provider

LEEWAY_SECONDS = 60
"""The accepted difference between the clocks of the service and the provider."""
AGE_MAX_SECONDS = 600
"""The greatest age of an ID token. The provider issues it when the service redeems the code."""
RSA_MODULUS_MIN = 342
"""The number of characters of a modulus of 2048 bits in base64url."""

# Most issuers still use the name of RFC 8037. joserfc warns of it, because the name of RFC 9864 names the curve.
_NAMES = {"EdDSA": "Ed25519"}
_registry = JWSRegistry(algorithms=list(ALGORITHMS), strict_check_header=False)
_KEY_TYPES = {"RS": "RSA", "PS": "RSA", "ES": "EC", "Ed": "OKP"}
_TENANT_ID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@step("ID token")
def verify_id_token(
    raw: object, *, provider: Provider, metadata: Metadata, nonce: str, now: datetime
) -> Mapping[str, Any]:
    """Return the claims of the ID token. `iss` and `sub` are texts that are not empty.

    Checks the signature by a key of the issuer, and `iss`, `aud`, `azp`, `exp`, `iat` and `nonce`. The algorithm is one
    that the issuer's metadata state. Raises OauthFailed when a check fails, and OauthUnavailable when the keys cannot be
    fetched.
    """
    if not isinstance(raw, str) or not raw.isascii():
        raise refusal(provider, "the answer contains no ID token")
    claims = _read(raw, provider=provider, metadata=metadata, now=now)
    fault = (
        _fault_of_parties(claims, provider)
        or _fault_of_times(claims, now=now)
        or (None if _is_same(claims.get("nonce"), nonce) else "the nonce of the ID token is wrong")
    )
    if fault:
        raise refusal(provider, fault)
    return claims


def expected_issuer(claims: Mapping[str, Any], metadata: Metadata) -> str | None:
    """Return the issuer that the claims must state. Each tenant has an issuer of its own."""
    tenant = claims.get("tid")
    if TENANT not in metadata.issuer:
        return metadata.issuer
    if not isinstance(tenant, str) or not _TENANT_ID.fullmatch(tenant):
        return None
    return metadata.issuer.replace(TENANT, tenant)


def _read(raw: str, *, provider: Provider, metadata: Metadata, now: datetime) -> Mapping[str, Any]:
    """Return the claims after the check of the signature and of the issuer."""
    try:
        token = extract_compact(raw.encode(), registry=_registry)
        header: object = token.headers()
        claims = orjson.loads(token.payload)
    except (JoseError, ValueError):
        raise refusal(provider, "the ID token is malformed") from None
    if not isinstance(claims, dict) or not isinstance(header, dict):
        raise refusal(provider, "the ID token is malformed")
    algorithm, kid = header.get("alg"), header.get("kid")
    if not isinstance(algorithm, str) or not isinstance(kid, str | None):
        raise refusal(provider, "the ID token is malformed")
    if algorithm not in metadata.algorithms:
        raise refusal(provider, "the ID token has an algorithm that the issuer does not state")
    issuer = expected_issuer(claims, metadata)
    if issuer is None or claims.get("iss") != issuer:
        raise refusal(provider, "the ID token is from another issuer")
    keys = [
        key
        for key in find_keys(provider, metadata, kid=kid, now=now)
        if _is_usable(key, algorithm=algorithm, claims=claims)
    ]
    if len(keys) != 1:
        raise refusal(provider, "the issuer has no key of the ID token")
    if not _is_signed(raw, header, keys[0], algorithm=algorithm):
        raise refusal(provider, "the signature of the ID token is wrong")
    return claims


def _is_signed(raw: str, header: dict[str, Any], jwk: Mapping[str, Any], *, algorithm: str) -> bool:
    signed, _, signature = raw.rpartition(".")
    method = _registry.get_alg(_NAMES.get(algorithm, algorithm))
    try:
        _registry.check_header(header)
        key = JWKRegistry.import_key({**jwk})
        method.check_key(key)
        return bool(method.verify(signed.encode(), urlsafe_b64decode(signature.encode()), key))
    except (JoseError, ValueError, TypeError, KeyError):
        return False


def _is_usable(key: Mapping[str, Any], *, algorithm: str, claims: Mapping[str, Any]) -> bool:
    # A key of microsoft names the issuer whose tokens it signs.
    issuer = key.get("issuer")
    tenant = claims.get("tid")
    return (
        key.get("kty") == _KEY_TYPES[algorithm[:2]]
        and key.get("use", "sig") == "sig"
        and key.get("alg", algorithm) in (algorithm, _NAMES.get(algorithm))
        and (key.get("kty") != "RSA" or len(str(key.get("n"))) >= RSA_MODULUS_MIN)
        and (issuer is None or str(issuer).replace(TENANT, str(tenant)) == claims["iss"])
    )


def _fault_of_parties(claims: Mapping[str, Any], provider: Provider) -> str | None:
    audience = claims.get("aud")
    audiences = audience if isinstance(audience, list) else [audience]
    if provider.client_id not in audiences:
        return "the ID token is for another client"
    if (len(audiences) > 1 or "azp" in claims) and claims.get("azp") != provider.client_id:
        return "the ID token is for another authorized party"
    subject = claims.get("sub")
    if not isinstance(subject, str) or not subject:
        return "the ID token has no subject"
    return None


def _fault_of_times(claims: Mapping[str, Any], *, now: datetime) -> str | None:
    moment = now.timestamp()
    expires_at, issued_at = (_number(claims.get(name)) for name in ("exp", "iat"))
    if expires_at is None or issued_at is None:
        return "the ID token has no times"
    if moment >= expires_at + LEEWAY_SECONDS:
        return "the ID token has expired"
    if not moment - AGE_MAX_SECONDS - LEEWAY_SECONDS <= issued_at <= moment + LEEWAY_SECONDS:
        return "the ID token was issued at another time"
    return None


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _is_same(given: object, expected: str) -> bool:
    return isinstance(given, str) and secrets.compare_digest(given.encode(), expected.encode())
