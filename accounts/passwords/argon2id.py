"""Argon2 by the faster of two libraries. Both write and read the same format, which is also Django's.

PyNaCl can compute Argon2id with one lane and SALT_BYTES of salt. argon2-cffi computes all other hashes. After
`choose_fastest`, argon2-cffi can have memory of its own for the hashes that PyNaCl can compute.
"""

import base64
import math
import os
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from hmac import compare_digest
from pathlib import Path
from time import thread_time

import _argon2_cffi_bindings
from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, VerifyMismatchError
from argon2.low_level import ARGON2_VERSION, Type, hash_secret_raw
from nacl.bindings import crypto_pwhash_alg, crypto_pwhash_ALG_ARGON2ID13
from nacl.exceptions import CryptoError

from core.db.deployment import has_own_users

from .hash_memory import HashMemory

SALT_BYTES = 16
DJANGO_SALT_BYTES = 22
DIGEST_BYTES = 32

FAST_BUILD = "avx2"
"""The directory in which the image keeps an argon2-cffi that is built for AVX2. This build is faster than PyNaCl."""

UNREADABLE = (ValueError, OverflowError, Argon2Error, CryptoError)
"""The errors of both libraries for a hash that they cannot read or compute."""

MEASURED_HASHES, MEASURED_MEMORY, MEASURED_PASSES = 3, 19_456, 2
"""The hashes of each way that `choose_fastest` computes, and their largest costs. They take a tenth of a second."""

LEAST_GAIN = 1.1
"""The ratio of the times from which memory of its own is worth the 20 MiB that a process keeps for some seconds."""

_own_memory: HashMemory | None = None
_prefers_pynacl = FAST_BUILD not in Path(str(_argon2_cffi_bindings.__file__)).parts

# The hashes that PyNaCl can compute. In the last characters of salt and digest, the unused bits are zero. argon2-cffi
# refuses all other characters too.
_USUAL = re.compile(
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
    return _text(costs, salt=salt, digest=_compute(password, salt=salt, costs=costs))


def blank(*, costs: Costs) -> str:
    """Return a hash like a new one, with zeros as salt and digest. No known password matches it."""
    return _text(costs, salt=bytes(_salt_bytes()), digest=bytes(DIGEST_BYTES))


def verify(password: str, encoded: str) -> bool:
    """Return whether the hash belongs to the password.

    Raises one of UNREADABLE when the hash is malformed. Django's own hasher returns False instead, much sooner than for
    a wrong password.
    """
    found = _USUAL.fullmatch(encoded) if _prefers_pynacl or _own_memory else None
    if found is None:
        try:
            return PasswordHasher().verify(encoded.removeprefix("argon2"), password)
        except VerifyMismatchError:
            return False
    salt, digest = (base64.b64decode(f"{text}==") for text in found.group(3, 4))
    computed = _compute(password, salt=salt, costs=Costs(memory=int(found[1]), passes=int(found[2]), lanes=1))
    return compare_digest(computed, digest)


def choose_fastest(*, costs: Costs) -> None:
    """Compute the usual hashes from now on in the way that takes the least processor time on this machine.

    The ways are PyNaCl, and argon2-cffi in memory of its own, which must be faster by LEAST_GAIN. The call computes six
    hashes of the costs, or of smaller ones. The choice also holds in the processes that are forked later. They call
    `give_memory_back` now and then.
    """
    global _own_memory, _prefers_pynacl  # noqa: PLW0603 - the one place that chooses
    if costs.lanes != 1 or _salt_bytes() != SALT_BYTES:
        return
    try:
        _own_memory = HashMemory()
    except MemoryError:
        # A hardened system refuses memory for the code of callbacks.
        return
    measured = replace(costs, memory=min(costs.memory, MEASURED_MEMORY), passes=min(costs.passes, MEASURED_PASSES))
    seconds = {True: math.inf, False: math.inf}
    # Both take turns, because the speed of a busy machine changes within milliseconds. The fastest hash of each counts.
    for _ in range(MEASURED_HASHES):
        for by_pynacl, fastest in seconds.items():
            _prefers_pynacl = by_pynacl
            started = thread_time()
            encode("", costs=measured)
            seconds[by_pynacl] = min(fastest, thread_time() - started)
    _prefers_pynacl = seconds[True] < LEAST_GAIN * seconds[False]
    # The new object has no memory yet, which the processes that are forked later would copy.
    _own_memory = None if _prefers_pynacl else HashMemory()


def give_memory_back() -> None:
    """Return the memory of `choose_fastest` to the system that no hash has used since the last call."""
    if _own_memory is not None:
        _own_memory.give_back_unused()


def is_of_pynacl(encoded: str) -> bool:
    """Return whether PyNaCl computes the hash."""
    return _prefers_pynacl and _USUAL.fullmatch(encoded) is not None


def _salt_bytes() -> int:
    # A host project's next login rewrites a hash with a shorter salt than Django's, and so ends the user's sessions.
    return SALT_BYTES if has_own_users() else DJANGO_SALT_BYTES


def _compute(password: str, *, salt: bytes, costs: Costs) -> bytes:
    secret, passes, memory = password.encode(), costs.passes, costs.memory
    if costs.lanes == 1 and len(salt) == SALT_BYTES:
        if _prefers_pynacl:
            return crypto_pwhash_alg(DIGEST_BYTES, secret, salt, passes, memory * 1024, crypto_pwhash_ALG_ARGON2ID13)
        # argon2-cffi itself can still get memory, because it needs no whole huge pages.
        with suppress(MemoryError):
            if _own_memory is not None:
                return _own_memory.compute(secret, salt=salt, memory=memory, passes=passes, length=DIGEST_BYTES)
    return hash_secret_raw(secret, salt, passes, memory, costs.lanes, DIGEST_BYTES, Type.ID)


def _text(costs: Costs, *, salt: bytes, digest: bytes) -> str:
    parts = (base64.b64encode(part).decode().rstrip("=") for part in (salt, digest))
    return "$".join(
        ("argon2", "argon2id", f"v={ARGON2_VERSION}", f"m={costs.memory},t={costs.passes},p={costs.lanes}", *parts)
    )
