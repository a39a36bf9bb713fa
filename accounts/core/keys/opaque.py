"""Opaque tokens: 32 random bytes that mean nothing by themselves and are stored as a SHA-256 digest only.

A plain digest is enough: there is nothing to guess in 256 random bits, so neither salt nor work factor adds anything.
"""

import hashlib
import re
import secrets
from typing import NamedTuple

RAW_MAX = 47
"""Characters of the longest raw token: a prefix of four and 43 of base64url."""

_BODY = re.compile(r"[A-Za-z0-9_-]{43}")


class OpaqueToken(NamedTuple):
    """A new token: `raw` goes to its holder and nowhere else, `digest` (32 bytes) is what a row keeps."""

    raw: str
    digest: bytes


def new_token(*, prefix: str = "") -> OpaqueToken:
    """Return a fresh token: the prefix (such as `srt_`) and 43 base64url characters."""
    raw = prefix + secrets.token_urlsafe(32)
    return OpaqueToken(raw, digest(raw))


def digest(raw: str) -> bytes:
    """Return the SHA-256 digest under which a token is stored."""
    return hashlib.sha256(raw.encode()).digest()


def find_digest(raw: str, *, prefix: str = "") -> bytes | None:
    """Return the digest to look a presented token up by, or None when it cannot be one of this prefix."""
    body = raw.removeprefix(prefix)
    if len(body) + len(prefix) != len(raw) or not _BODY.fullmatch(body):
        return None
    return digest(raw)
