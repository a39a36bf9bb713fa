"""Access tokens: JWTs of RFC 9068's type `at+jwt`, signed by the key ring's active key.

Keys and signatures are joserfc's; the compact form around them is ours, because joserfc's own codec costs a fifth more
to verify and a third more to sign.
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

from ..conf import CoreSettings, core
from ..errors import InvalidAccessToken
from .ring import (
    Ring,
    SigningKey,
    current_ring,
    recheck_ring,
)

TOKEN_MAX_CHARACTERS = 16 * 1024
REMEMBERED_MAX = 10_000
NOT_BEFORE_LEEWAY_SECONDS = 5

# The standard library's, since orjson refuses the integers beyond 64 bits that a JSON column can give back.
_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """The account of an access token, the session that it was issued in, and whether it claims the operator role.

    `token_id` is `jti`: the id of the refresh-token row that was issued together with the access token. It names the
    session on the routes that must know whether that session is still live; "" names none.
    """

    user_id: str
    token_id: str
    is_operator: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Verified:
    """What is left to look at once a token's signature and claims were found to be good."""

    identity: Identity
    not_before: int
    expires_at: int


class _Verifier:
    """Everything that was verified under one ring and one set of settings; another of either starts with nothing."""

    def __init__(self, ring: Ring, settings: CoreSettings) -> None:
        self.ring = ring
        self.settings = settings
        # A token names its key by carrying, byte for byte, the header that we write for it. So alg, kid and typ are
        # right all at once, and no header of a stranger (none, HS256, jwk, jku, x5c, crit) is ever even parsed.
        self.keys = {_header(kid=key.kid, algorithm=key.algorithm): key for key in ring.keys}
        self.verified: OrderedDict[bytes, _Verified] = OrderedDict()

    def verify(self, token: str, key: SigningKey) -> _Verified:
        digest = hashlib.sha256(token.encode()).digest()
        known = self.verified.get(digest)
        if known is None:
            known = self.verified[digest] = _open(token, key, self.settings)
            if len(self.verified) > REMEMBERED_MAX:
                self.verified.popitem(last=False)
        return known


_verifier: _Verifier | None = None


def issue_access_token(*, user_id: str, token_id: str, claims: Mapping[str, Any], now: datetime) -> str:
    """Return a signed access token that is valid for ACCESS_TOKEN_SECONDS.

    `token_id` becomes `jti`: the id of the refresh-token row that is issued together with the access token.
    `claims` is what it carries besides: the user's metadata merged with what claims providers add, JSON values all.
    The seven registered claims are set here and win over any of the same name.
    """
    settings = core()
    key = current_ring(now=now).active_key(now=now)
    issued_at = int(now.timestamp())
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
    signed = f"{_header(kid=key.kid, algorithm=key.algorithm)}.{_encode(_json(payload).encode())}"
    return f"{signed}.{_encode(key.sign(signed.encode()))}"


def verify_access_token(token: str, *, now: datetime) -> Identity:
    """Return whom the token names, from the token alone. Raises InvalidAccessToken for anything else than a valid one.

    The clock may run 5 seconds behind the issuer's (nbf); a token is expired at the very second of its exp.
    """
    if len(token) > TOKEN_MAX_CHARACTERS or not token.isascii():
        raise InvalidAccessToken
    header = token.partition(".")[0]
    verifier = _verifier_of(current_ring(now=now))
    if header not in verifier.keys:
        verifier = _verifier_of(recheck_ring(now=now))
    key = verifier.keys.get(header)
    if key is None or not key.is_published(now=now):
        raise InvalidAccessToken
    verified = verifier.verify(token, key)
    if not verified.not_before - NOT_BEFORE_LEEWAY_SECONDS <= now.timestamp() < verified.expires_at:
        raise InvalidAccessToken
    return verified.identity


def jwks(*, now: datetime) -> Mapping[str, Any]:
    """Return the JWK set (RFC 7517) with the public members of every published key, those that sign later included."""
    return {"keys": [key.public_jwk() for key in current_ring(now=now).published_keys(now=now)]}


def _verifier_of(ring: Ring) -> _Verifier:
    global _verifier  # noqa: PLW0603 - one for the process, replaced as a whole
    settings = core()
    verifier = _verifier
    if verifier is None or verifier.ring is not ring or verifier.settings is not settings:
        verifier = _verifier = _Verifier(ring, settings)
    return verifier


def _open(token: str, key: SigningKey, settings: CoreSettings) -> _Verified:
    """Return what the token says, whatever the time.

    Raises InvalidAccessToken when the key has not signed it, or it comes from or is meant for somebody else.
    """
    signed, _, signature = token.rpartition(".")
    try:
        if not key.has_signed(signed.encode(), _decode(signature)):
            raise InvalidAccessToken
        claims = json.loads(_decode(signed.partition(".")[2]))
    except (ValueError, RecursionError):
        # RecursionError: claims that are nested too deeply for the parser.
        raise InvalidAccessToken from None
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
            return _Verified(
                identity=Identity(user_id=user_id, token_id=token_id, is_operator=claims.get("role") == "admin"),
                not_before=not_before,
                expires_at=expires_at,
            )
    raise InvalidAccessToken


@lru_cache(maxsize=64)
def _header(*, kid: str, algorithm: str) -> str:
    return _encode(_json({"alg": algorithm, "kid": kid, "typ": "at+jwt"}).encode())


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    """Return the bytes that the text is the one base64url spelling of. Raises ValueError for every other text."""
    raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if _encode(raw) != text:
        raise ValueError
    return raw
