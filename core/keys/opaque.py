"""Opaque tokens: 32 random bytes without a meaning. The database stores only their SHA-256 digest.

A plain digest is safe, because an attacker cannot guess 256 random bits. A salt or a work factor would add no security.
"""

import hashlib
import re
import secrets
from typing import NamedTuple

RAW_MAX = 47
"""The length of the longest raw token: a prefix of 4 characters and 43 characters of base64url."""

_BODY = re.compile(r"[A-Za-z0-9_-]{43}")


class OpaqueToken(NamedTuple):
    """A new token. Only the client receives `raw`. The row stores `digest`, which is 32 bytes long."""

    raw: str
    digest: bytes


def new_token(*, prefix: str = "", key: str = "") -> OpaqueToken:
    """Return a new random token. `raw` is the prefix (such as `srt_`) and 43 characters of base64url.

    `key` is the thumbprint of the key to which the token is bound, or "".
    """
    raw = prefix + secrets.token_urlsafe(32)
    return OpaqueToken(raw, digest(raw, key=key))


def digest(raw: str, *, key: str = "") -> bytes:
    """Return the SHA-256 digest under which a token is stored. It covers the key to which the token is bound."""
    # No token contains a blank. So the digest of a bound token is never that of an unbound one.
    return hashlib.sha256(f"{raw} {key}".encode() if key else raw.encode()).digest()


def find_digest(raw: str, *, prefix: str = "", key: str = "") -> bytes | None:
    """Return the digest of a request's token, or None when the text is not a token with this prefix.

    The caller looks up the row of the token by this digest. `key` is the thumbprint of the key that the request proves,
    or "". Without the key to which it is bound, a token is unknown.
    """
    body = raw.removeprefix(prefix)
    if len(body) + len(prefix) != len(raw) or not _BODY.fullmatch(body):
        return None
    return digest(raw, key=key)
