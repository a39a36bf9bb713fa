"""SHA-crypt and phpass, over hashlib. The package libpass computes both too, but would replace a site's own passlib.

Both hash the password again in each round. A password of more than SECRET_MAX bytes therefore matches no such hash.
Otherwise one login with a long password could occupy a processor for minutes.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hmac import compare_digest
from itertools import cycle, islice
from typing import Self

from .refusals import RefusedHash
from .schemes import number
from .work import Work

SECRET_MAX = 256
ALPHABET = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
SHA_ROUNDS = range(1_000, 1_000_000_000)
SHA_SALT_MAX = 16
PHPASS_SALT = 8
PHPASS_LOG_ROUNDS = range(7, 31)

_FUNCTIONS = {"5": "sha256", "6": "sha512"}
_CYCLE = 42
"""The rounds of SHA-crypt repeat after 42: each depends on its number modulo 2, 3 and 7."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShaCrypt:
    """`6$rounds$salt$digest` is `$6$rounds=…$salt$digest` of crypt(3): SHA-512. `5` is SHA-256."""

    version: str
    rounds: int
    salt: str
    digest: str

    @property
    def name(self) -> str:
        return f"{_FUNCTIONS[self.version]}-crypt"

    @property
    def work(self) -> Work:
        return Work(family=self.name, units=self.rounds)

    @classmethod
    def read(cls, name: str, fields: list[str], /) -> Self:
        rounds, salt, digest = fields
        return cls.of(version=name, rounds=number(rounds), salt=salt, digest=digest)

    @classmethod
    def of(cls, *, version: str, rounds: int, salt: str, digest: str) -> Self:
        """Return the hash. Raises RefusedHash when a part is malformed."""
        if rounds not in SHA_ROUNDS:
            raise RefusedHash("SHA-crypt has 1,000 to 999,999,999 rounds.")
        if len(salt) > SHA_SALT_MAX or not salt.isascii() or not salt.isprintable():
            raise RefusedHash("The salt of SHA-crypt has at most 16 ASCII characters.")
        if len(digest) != len(_encode(bytes(64 if version == "6" else 32), _ORDERS[version])) or set(digest) - set(
            ALPHABET
        ):
            raise RefusedHash("The digest of SHA-crypt is malformed.")
        return cls(version=version, rounds=rounds, salt=salt, digest=digest)

    def text(self) -> str:
        return f"{self.version}${self.rounds}${self.salt}${self.digest}"

    def matches(self, secret: bytes) -> bool:
        raw = _sha_crypt(_FUNCTIONS[self.version], secret[:SECRET_MAX], self.salt.encode(), rounds=self.rounds)
        found = _encode(raw, _ORDERS[self.version])
        return compare_digest(found, self.digest) and len(secret) <= SECRET_MAX

    def blank(self) -> Self:
        return replace(self, salt="." * SHA_SALT_MAX, digest="." * len(self.digest))


@dataclass(frozen=True, slots=True, kw_only=True)
class Phpass:
    """`phpass$13$salt$digest` is `$P$B…` or `$H$B…`. The number is the logarithm to base 2 of the rounds."""

    log_rounds: int
    salt: str
    digest: str

    name = "phpass"

    @property
    def work(self) -> Work:
        return Work(family="phpass", units=1 << self.log_rounds)

    @classmethod
    def read(cls, _name: str, fields: list[str], /) -> Self:
        log_rounds, salt, digest = fields
        return cls.of(log_rounds=number(log_rounds), salt=salt, digest=digest)

    @classmethod
    def of(cls, *, log_rounds: int, salt: str, digest: str) -> Self:
        """Return the hash. Raises RefusedHash when a part is malformed."""
        if log_rounds not in PHPASS_LOG_ROUNDS or len(salt) != PHPASS_SALT or not salt.isascii() or "$" in salt:
            raise RefusedHash("The rounds or the salt of phpass are malformed.")
        if len(digest) != len(_encode(bytes(16), _PHPASS_ORDER)) or set(digest) - set(ALPHABET):
            raise RefusedHash("The digest of phpass is malformed.")
        return cls(log_rounds=log_rounds, salt=salt, digest=digest)

    def text(self) -> str:
        return f"phpass${self.log_rounds}${self.salt}${self.digest}"

    def matches(self, secret: bytes) -> bool:
        short = secret[:SECRET_MAX]
        raw = hashlib.md5(self.salt.encode() + short).digest()  # noqa: S324 - the scheme of the other system
        for _ in range(1 << self.log_rounds):
            raw = hashlib.md5(raw + short).digest()  # noqa: S324 - see above
        return compare_digest(_encode(raw, _PHPASS_ORDER), self.digest) and len(secret) <= SECRET_MAX

    def blank(self) -> Self:
        return replace(self, salt="." * PHPASS_SALT, digest="." * len(self.digest))


# The bytes of a digest in the order in which a scheme writes them, three bytes as four characters. The first byte of a
# group has the highest bits.
_Order = tuple[tuple[int, ...], ...]
_ORDERS: dict[str, _Order] = {
    "5": (*(tuple(start + 10 * ((turn + 2 * start) % 3) for turn in range(3)) for start in range(10)), (31, 30)),
    "6": (*(tuple(start + 21 * ((turn + start) % 3) for turn in range(3)) for start in range(21)), (63,)),
}
_PHPASS_ORDER: _Order = (*((start + 2, start + 1, start) for start in range(0, 15, 3)), (15,))


def _sha_crypt(function: str, secret: bytes, salt: bytes, *, rounds: int) -> bytes:
    """Return the digest of SHA-crypt by Ulrich Drepper's specification, whose letters the names use."""
    new = getattr(hashlib, function)
    b = new(secret + salt + secret).digest()
    a = new(secret + salt + _stretched(b, len(secret)))
    length = len(secret)
    while length:
        a.update(b if length & 1 else secret)
        length >>= 1
    digest: bytes = a.digest()
    p = _stretched(new(secret * len(secret)).digest(), len(secret))
    s = _stretched(new(salt * (16 + digest[0])).digest(), len(salt))
    for before, after in islice(cycle(_arguments(p, s)), rounds):
        digest = new(before + digest + after).digest()
    return digest


def _arguments(p: bytes, s: bytes) -> Iterable[tuple[bytes, bytes]]:
    """Yield the bytes before and after the last digest, for each round of one cycle."""
    for turn in range(_CYCLE):
        middle = (s if turn % 3 else b"") + (p if turn % 7 else b"")
        yield (p + middle, b"") if turn % 2 else (b"", middle + p)


def _stretched(data: bytes, length: int) -> bytes:
    return (data * (length // len(data) + 1))[:length]


def _encode(data: bytes, order: _Order) -> str:
    """Return the text of crypt(3) for the bytes: the lowest six bits come first."""
    characters = []
    for group in order:
        value = int.from_bytes(bytes(data[position] for position in group), "big")
        for _ in range(len(group) + 1):
            characters.append(ALPHABET[value & 63])
            value >>= 6
    return "".join(characters)
