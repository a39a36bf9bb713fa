"""Access tokens: JWTs with the type `at+jwt` of RFC 9068, signed by the key ring's active key.

joserfc provides the keys and the signatures. This module encodes and decodes the compact form itself. With joserfc's
codec, verifying takes a fifth more time and signing takes a third more time.
"""

import base64
import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from ..conf import CoreSettings, core_settings
from ..errors import InvalidAccessToken, KeyBoundToken
from .ring import current_ring, ensure_rs256_key, recheck_ring
from .signing_keys import Ring, SigningKey

ACCESS_TOKEN_TYPE = "at+jwt"  # noqa: S105 - the type of a header
TOKEN_MAX_CHARACTERS = 16 * 1024
REMEMBERED_MAX = 10_000
NOT_BEFORE_LEEWAY_SECONDS = 5

# The standard library's encoder is used, because a JSON column can return integers beyond 64 bits. orjson rejects them.
_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The caller of a request: the account, the session and the operator role that a valid access token claims.

    `token_id` is the claim `jti`: the id of the refresh-token row that was issued together with the access token. Some
    routes must know whether the session is still live. They find the session by `token_id`; "" means no session. `key` is
    the thumbprint of the key to which the token is bound (RFC 9449), or "".
    """

    user_id: str
    token_id: str
    is_operator: bool
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Verified:
    """The verified content of a token. The caller still checks `not_before` and `expires_at` at each use."""

    caller: Caller
    not_before: int
    expires_at: int


class _Verifier:
    """A cache of tokens that were verified under one ring and one set of settings, and of the ring's key sets as JSON.

    A new ring or new settings get a new verifier, whose cache is empty.
    """

    def __init__(self, ring: Ring, settings: CoreSettings) -> None:
        self.ring = ring
        self.settings = settings
        # The header of a token must equal, byte for byte, the header that this service writes for the key. The
        # comparison checks alg, kid and typ together. A foreign header (none, HS256, jwk, jku, x5c, crit) is never
        # parsed.
        self.keys = {_header(kid=key.kid, algorithm=key.algorithm, type_=ACCESS_TOKEN_TYPE): key for key in ring.keys}
        self.verified: OrderedDict[bytes, _Verified] = OrderedDict()
        self.key_sets: dict[tuple[str, ...], bytes] = {}

    def verify(self, token: str, key: SigningKey) -> _Verified:
        digest = hashlib.sha256(token.encode()).digest()
        known = self.verified.get(digest)
        if known is None:
            known = self.verified[digest] = _open(token, key, self.settings)
            if len(self.verified) > REMEMBERED_MAX:
                self.verified.popitem(last=False)
        return known


_verifier: _Verifier | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Signer:
    """The key and the time of an access token that the service is about to issue."""

    key: SigningKey
    now: datetime

    def issue(self, *, user_id: str, token_id: str, claims: Mapping[str, Any], key: str = "") -> str:
        """Return a signed access token that is valid for ACCESS_TOKEN_SECONDS.

        `token_id` becomes the claim `jti`: the id of the refresh-token row that is issued together with the access
        token. `claims` are further claims with JSON values: the claims of the claims providers. This function sets the
        seven registered claims and overrides claims of the same names. `key` is the thumbprint of the key to which the
        token is bound, or "". No other claim `cnf` gets into a token: an account must not bind a token by its metadata.
        """
        settings = core_settings()
        issued_at = int(self.now.timestamp())
        payload = {
            **claims,
            "iss": settings.issuer,
            "sub": user_id,
            "aud": settings.token_audience,
            "exp": issued_at + settings.access_token_seconds,
            "nbf": issued_at,
            "iat": issued_at,
            "jti": token_id,
        }
        payload.pop("cnf", None)
        if key:
            payload["cnf"] = {"jkt": key}
        return self.sign(payload, type_=ACCESS_TOKEN_TYPE)

    def sign(self, claims: Mapping[str, Any], *, type_: str) -> str:
        """Return a signed JWT with exactly these claims. `type_` is the `typ` of its header."""
        header = _header(kid=self.key.kid, algorithm=self.key.algorithm, type_=type_)
        signed = f"{header}.{_encode(_json(claims).encode())}"
        return f"{signed}.{_encode(self.key.sign(signed.encode()))}"


def current_signer(*, now: datetime) -> Signer:
    """Return a signer with the active key.

    A caller gets the signer before it writes. A missing or unreadable key then fails before the write.
    """
    return Signer(key=current_ring(now=now).active_key(now=now), now=now)


def rs256_signer(*, now: datetime) -> Signer:
    """Return a signer with the key that signs with RS256. The first call of a deployment makes the key.

    Raises ImproperlyConfigured when there is no such key and the file of the keys cannot be written.
    """
    return Signer(key=ensure_rs256_key(now=now), now=now)


def issue_access_token(*, user_id: str, token_id: str, claims: Mapping[str, Any], now: datetime) -> str:
    """Return an access token from `Signer.issue`, signed with the active key."""
    return current_signer(now=now).issue(user_id=user_id, token_id=token_id, claims=claims)


def verify_access_token(token: str, *, key: str = "", now: datetime) -> Caller:
    """Return the caller whom the token names. The check reads the token and the key ring, but not the database.

    `key` is the thumbprint of the key that the request proves, or "". A token that is bound to another key, or to none, is
    not valid. So a caller of this function that knows no proofs refuses bound tokens.

    The verifier's clock may be up to 5 seconds behind the issuer's clock (`nbf`). A token is expired from the second of
    its `exp` on. Raises InvalidAccessToken when the token is not valid.
    """
    if len(token) > TOKEN_MAX_CHARACTERS or not token.isascii():
        raise InvalidAccessToken
    header = token.partition(".")[0]
    verifier = _verifier_of(current_ring(now=now))
    if header not in verifier.keys:
        verifier = _verifier_of(recheck_ring(now=now))
    signing_key = verifier.keys.get(header)
    if signing_key is None or not signing_key.is_published(now=now):
        raise InvalidAccessToken
    verified = verifier.verify(token, signing_key)
    if not verified.not_before - NOT_BEFORE_LEEWAY_SECONDS <= now.timestamp() < verified.expires_at:
        raise InvalidAccessToken
    if verified.caller.key != key:
        raise InvalidAccessToken if key else KeyBoundToken
    return verified.caller


def find_claims(token: str, *, type_: str, now: datetime) -> Mapping[str, Any] | None:
    """Return the claims of a JWT that a published key of the ring signed, or None. The header must have this `typ`.

    The caller checks all claims, the times included.
    """
    if len(token) > TOKEN_MAX_CHARACTERS or not token.isascii():
        return None
    header = token.partition(".")[0]
    for find_ring in (current_ring, recheck_ring):
        for key in find_ring(now=now).published_keys(now=now):
            if header == _header(kid=key.kid, algorithm=key.algorithm, type_=type_):
                return _find_signed(token, key)
    return None


def is_of_other_type(token: str) -> bool:
    """Return whether the token's header is a JSON object whose `typ` is not that of the service's access tokens.

    RFC 7515, section 4.1.9: the type has no case. A header without `typ` is of another type.
    """
    try:
        header = json.loads(_decode(token.partition(".")[0]))
    except (ValueError, RecursionError):
        return False
    return isinstance(header, dict) and str(header.get("typ", "")).lower() not in {"at+jwt", "application/at+jwt"}


def jwks(*, now: datetime) -> Mapping[str, Any]:
    """Return the JWK set (RFC 7517) with the public members of every published key.

    The set includes a key that will become active later.
    """
    return {"keys": [key.public_jwk() for key in current_ring(now=now).published_keys(now=now)]}


def jwks_document(*, now: datetime) -> bytes:
    """Return the JSON of `jwks`. The process keeps it until a key is published or expires."""
    ring = current_ring(now=now)
    key_sets = _verifier_of(ring).key_sets
    kids = tuple(key.kid for key in ring.published_keys(now=now))
    if kids not in key_sets:
        key_sets[kids] = _json(jwks(now=now)).encode()
    return key_sets[kids]


def _verifier_of(ring: Ring) -> _Verifier:
    global _verifier  # noqa: PLW0603 - the process has one verifier, which is replaced as a whole
    settings = core_settings()
    verifier = _verifier
    if verifier is None or verifier.ring is not ring or verifier.settings is not settings:
        verifier = _verifier = _Verifier(ring, settings)
    return verifier


def _open(token: str, key: SigningKey, settings: CoreSettings) -> _Verified:
    """Return the content of the token. The caller checks the times.

    Raises InvalidAccessToken when the key has not signed the token, or when `iss` or `aud` differs from the settings.
    Raises InvalidAccessToken also when a registered claim is missing or has the wrong type.
    """
    claims = _find_signed(token, key) or {}
    match claims:
        case {
            "iss": settings.issuer,
            "aud": settings.token_audience,
            "sub": str(user_id),
            "exp": expires_at,
            "nbf": not_before,
            "iat": issued_at,
            "jti": str(token_id),
        } if {type(expires_at), type(not_before), type(issued_at)} == {int}:
            caller = Caller(
                user_id=user_id, token_id=token_id, is_operator=claims.get("role") == "admin", key=_key_of(claims)
            )
            return _Verified(caller=caller, not_before=not_before, expires_at=expires_at)
    raise InvalidAccessToken


def _key_of(claims: Mapping[str, Any]) -> str:
    """Return the thumbprint in the claim `cnf` (RFC 7800), or "" without the claim.

    Raises InvalidAccessToken for another method of confirmation, because this service could not check it.
    """
    match claims.get("cnf"):
        case None:
            return ""
        case {"jkt": str(key)} if key:
            return key
    raise InvalidAccessToken


def _find_signed(token: str, key: SigningKey) -> Mapping[str, Any] | None:
    """Return the claims when the key has signed them and they are a JSON object, or None."""
    signed, _, signature = token.rpartition(".")
    try:
        if not key.has_signed(signed.encode(), _decode(signature)):
            return None
        claims = json.loads(_decode(signed.partition(".")[2]))
    except (ValueError, RecursionError):
        # The parser raises RecursionError when the claims are nested too deeply.
        return None
    return claims if isinstance(claims, dict) else None


@lru_cache(maxsize=64)
def _header(*, kid: str, algorithm: str, type_: str) -> str:
    return _encode(_json({"alg": algorithm, "kid": kid, "typ": type_}).encode())


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    """Return the bytes that the text encodes in base64url without padding.

    Raises ValueError when the text is not the canonical encoding of the bytes.
    """
    raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if _encode(raw) != text:
        raise ValueError
    return raw
