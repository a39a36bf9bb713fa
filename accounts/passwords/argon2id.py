"""Argon2 by the faster of two libraries. Both write and read the same format, which is also Django's.

PyNaCl computes Argon2id with one lane and SALT_BYTES of salt. argon2-cffi computes all other hashes.
"""

import base64
import os
import re
from dataclasses import dataclass
from hmac import compare_digest
from pathlib import Path

import _argon2_cffi_bindings
from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, VerifyMismatchError
from argon2.low_level import ARGON2_VERSION, Type, hash_secret_raw
from nacl.bindings import crypto_pwhash_alg, crypto_pwhash_ALG_ARGON2ID13
from nacl.exceptions import CryptoError

from core.db.deployment import has_own_users

SALT_BYTES = 16
DJANGO_SALT_BYTES = 22
DIGEST_BYTES = 32

FAST_BUILD = "avx2"
"""The directory in which the image keeps an argon2-cffi that is built for AVX2. This build is faster than PyNaCl."""

UNREADABLE = (ValueError, OverflowError, Argon2Error, CryptoError)
"""The errors of both libraries for a hash that they cannot read or compute."""

_prefers_pynacl = FAST_BUILD not in Path(str(_argon2_cffi_bindings.__file__)).parts

# In the last characters of salt and digest, the unused bits are zero. argon2-cffi refuses all other characters too.
_OF_PYNACL = re.compile(
    r"argon2\$argon2id\$v=19\$m=([1-9]\d*),t=([1-9]\d*),p=1"
    r"\$([A-Za-z0-9+/]{21}[AQgw])\$([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048])",
    re.ASCII,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """The costs of new hashes. `memory` is in KiB."""

    memory: int
    passes: int
    lanes: int


def encode(password: str, *, costs: Costs) -> str:
    """Return a new hash of the password."""
    salt = os.urandom(_salt_bytes())
    if costs.lanes == 1 and len(salt) == SALT_BYTES and _prefers_pynacl:
        digest = _compute_with_pynacl(password, salt=salt, memory=costs.memory, passes=costs.passes)
    else:
        digest = hash_secret_raw(
            password.encode(), salt, costs.passes, costs.memory, costs.lanes, DIGEST_BYTES, Type.ID
        )
    return _text(costs, salt=salt, digest=digest)


def blank(*, costs: Costs) -> str:
    """Return a hash like a new one, with zeros as salt and digest. No known password matches it."""
    return _text(costs, salt=bytes(_salt_bytes()), digest=bytes(DIGEST_BYTES))


def verify(password: str, encoded: str) -> bool:
    """Return whether the hash belongs to the password.

    Raises one of UNREADABLE when the hash is malformed. Django's own hasher returns False instead, much sooner than for
    a wrong password.
    """
    found = _OF_PYNACL.fullmatch(encoded) if _prefers_pynacl else None
    if found is None:
        try:
            return PasswordHasher().verify(encoded.removeprefix("argon2"), password)
        except VerifyMismatchError:
            return False
    salt, digest = (base64.b64decode(f"{text}==") for text in found.group(3, 4))
    computed = _compute_with_pynacl(password, salt=salt, memory=int(found[1]), passes=int(found[2]))
    return compare_digest(computed, digest)


def is_of_pynacl(encoded: str) -> bool:
    """Return whether PyNaCl computes the hash."""
    return _prefers_pynacl and _OF_PYNACL.fullmatch(encoded) is not None


def _salt_bytes() -> int:
    # A host project's next login rewrites a hash with a shorter salt than Django's, and so ends the user's sessions.
    return SALT_BYTES if has_own_users() else DJANGO_SALT_BYTES


def _compute_with_pynacl(password: str, *, salt: bytes, memory: int, passes: int) -> bytes:
    return crypto_pwhash_alg(DIGEST_BYTES, password.encode(), salt, passes, memory * 1024, crypto_pwhash_ALG_ARGON2ID13)


def _text(costs: Costs, *, salt: bytes, digest: bytes) -> str:
    parts = (base64.b64encode(part).decode().rstrip("=") for part in (salt, digest))
    return "$".join(
        ("argon2", "argon2id", f"v={ARGON2_VERSION}", f"m={costs.memory},t={costs.passes},p={costs.lanes}", *parts)
    )
