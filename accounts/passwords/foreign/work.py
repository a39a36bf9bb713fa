"""The work of one check of a hash, and the time that this machine needs for it.

The time is an estimate: the costs of the hash times the measured time of one unit. No hash of an import is computed.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from time import thread_time
from typing import Self

import bcrypt
from argon2.low_level import Type, hash_secret_raw

from ..argon2id import Costs
from .refusals import RefusedHash

SECONDS_MAX = 2.0
"""The longest time of one check, in seconds of one processor of this machine."""

MEMORY_MAX = 256 * 1024 * 1024
"""The most memory of one check in bytes. Each hash slot can use this much at the same time."""

LANES_MAX = 255
"""The most lanes of Argon2, as in the setting ARGON2_PARALLELISM. Each lane is a thread during the check."""

_RUNS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """`units` of the work that `family` names, and the `memory` in bytes."""

    family: str
    units: int
    memory: int = 0

    @classmethod
    def of_scrypt(cls, *, log_cost: int, block: int, lanes: int) -> Self:
        """Return the work of scrypt. Raises RefusedHash when the logarithm of its cost is out of bounds."""
        # A larger shift would already need the memory that the bound refuses.
        if log_cost > _LOG_COST_MAX:
            raise RefusedHash(_too_much_memory(1 << 62))
        memory = scrypt_memory(log_cost=log_cost, block=block, lanes=lanes)
        return cls(family="scrypt", units=(1 << log_cost) * block * lanes, memory=memory)

    @classmethod
    def of_argon2(cls, costs: Costs) -> Self:
        """Return the work of Argon2. Raises RefusedHash when Argon2 cannot have these costs, or the lanes are too many."""
        if costs.lanes > LANES_MAX:
            raise RefusedHash(f"The hash of Argon2 has more than {LANES_MAX} lanes, and each lane is a thread.")
        if costs.memory < 8 * costs.lanes:
            raise RefusedHash("The hash of Argon2 has less memory than Argon2 allows.")
        return cls(family="argon2", units=costs.memory * costs.passes, memory=costs.memory * 1024)

    def check(self) -> None:
        """Raise RefusedHash when the work exceeds MEMORY_MAX or SECONDS_MAX."""
        if self.memory > MEMORY_MAX:
            raise RefusedHash(_too_much_memory(self.memory))
        if (seconds := self.seconds()) > SECONDS_MAX:
            raise RefusedHash(
                f"One check of the hash takes about {seconds:,.1f} seconds on this machine. At most"
                f" {SECONDS_MAX:.0f} seconds are allowed. The user can set a new password by mail."
            )

    def seconds(self) -> float:
        """Return the estimated time of one check, in seconds of one processor."""
        return self.units * _unit(self.family)


def scrypt_memory(*, log_cost: int, block: int, lanes: int) -> int:
    """Return the memory of scrypt in bytes, as OpenSSL counts it."""
    return 128 * block * ((1 << log_cost) + lanes + 2)


_LOG_COST_MAX = 40

_SAMPLES: dict[str, tuple[int, Callable[[], object]]] = {
    "argon2": (16_384, lambda: hash_secret_raw(b"", bytes(16), 1, 16_384, 1, 32, Type.ID)),
    "bcrypt": (1 << 6, lambda: bcrypt.hashpw(b"", b"$2b$06$" + b"." * 22)),
    "scrypt": ((1 << 13) * 8, lambda: hashlib.scrypt(b"", salt=b"", n=1 << 13, r=8, p=1)),
    "phpass": (1 << 12, lambda: _rounds("md5", 1 << 12)),
    "sha256-crypt": (4_000, lambda: _rounds("sha256", 4_000)),
    "sha512-crypt": (4_000, lambda: _rounds("sha512", 4_000)),
    **{
        f"pbkdf2-{name}": (10_000, partial(hashlib.pbkdf2_hmac, name, b"", b"", 10_000))
        for name in ("sha1", "sha256", "sha512")
    },
}
"""A small sample of each family: its units, and the function that computes it."""


@cache
def _unit(family: str) -> float:
    """Return the time of one unit: the shortest of several runs, so that other processes count little."""
    units, compute = _SAMPLES[family]
    return min(_seconds_of(compute) for _ in range(_RUNS)) / units


def _seconds_of(compute: Callable[[], object]) -> float:
    began = thread_time()
    compute()
    return thread_time() - began


def _rounds(name: str, count: int) -> None:
    new, digest = getattr(hashlib, name), bytes(64)
    for _ in range(count):
        digest = new(b"" + digest + bytes(96)).digest()


def _too_much_memory(memory: int) -> str:
    return (
        f"One check of the hash needs {memory >> 20:,} MiB of memory. At most {MEMORY_MAX >> 20} MiB are allowed."
        " The user can set a new password by mail."
    )
