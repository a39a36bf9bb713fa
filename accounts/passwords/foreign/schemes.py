"""The stored hashes of other systems that only this service reads: `foreign$name$…`.

Each scheme is a frozen dataclass. `read()` reads the text behind `foreign$`, and `text()` writes it again. Salts and
digests are base64 without padding. A column of Django's users has 128 characters. Digests are therefore cut to 32 bytes:
the outputs of PBKDF2 and scrypt begin with the shorter output, so the cut digest is checked in the same way.
"""

import hashlib
from dataclasses import dataclass, replace
from hmac import compare_digest
from typing import Protocol, Self

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from . import base64_text
from .refusals import RefusedHash
from .work import Work, scrypt_memory

DIGEST_MAX = 32
DIGEST_MIN = 16
"""The least length of a digest in bytes. A shorter digest would match wrong passwords by chance."""

BLOCK_BYTES = {"sha1": 20, "sha256": 32, "sha512": 64}
"""The hash functions of PBKDF2, and the length of one block of its output."""


_AES_KEY_BYTES = 32


class Scheme(Protocol):
    """One stored hash of another system."""

    @property
    def name(self) -> str:
        """The name of the kind for reports, such as `pbkdf2-sha512`."""

    @property
    def work(self) -> Work:
        """The work of one check."""

    @classmethod
    def read(cls, name: str, fields: list[str], /) -> Self:
        """Return the hash from the parts of its text. Raises RefusedHash, or ValueError, when they are malformed."""

    def text(self) -> str:
        """Return the text behind `foreign$`."""

    def matches(self, secret: bytes) -> bool:
        """Return whether the hash belongs to the password."""

    def blank(self) -> Self:
        """Return a hash of the same costs that contains nothing of this one. No known password matches it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pbkdf2:
    """`pbkdf2-sha512$iterations$salt$digest`."""

    algorithm: str
    iterations: int
    salt: bytes
    digest: bytes

    @property
    def name(self) -> str:
        return f"pbkdf2-{self.algorithm}"

    @property
    def work(self) -> Work:
        return Work(family=self.name, units=self.iterations)

    @classmethod
    def read(cls, name: str, fields: list[str], /) -> Self:
        iterations, salt, digest = fields
        return cls.of(
            algorithm=name.removeprefix("pbkdf2-"),
            iterations=number(iterations),
            salt=base64_text.to_bytes(salt, name="salt"),
            digest=base64_text.to_bytes(digest, name="digest"),
        )

    @classmethod
    def of(cls, *, algorithm: str, iterations: int, salt: bytes, digest: bytes) -> Self:
        """Return the hash with a digest of one block at most. Raises RefusedHash when a part is malformed."""
        if algorithm not in BLOCK_BYTES:
            raise RefusedHash("PBKDF2 is known with SHA-1, SHA-256 and SHA-512 only.")
        return cls(
            algorithm=algorithm,
            iterations=iterations,
            salt=salt,
            digest=long_enough(digest)[: min(DIGEST_MAX, BLOCK_BYTES[algorithm])],
        )

    def text(self) -> str:
        return f"{self.name}${self.iterations}${base64_text.to_text(self.salt)}${base64_text.to_text(self.digest)}"

    def matches(self, secret: bytes) -> bool:
        found = hashlib.pbkdf2_hmac(self.algorithm, secret, self.salt, self.iterations, len(self.digest))
        return compare_digest(found, self.digest)

    def blank(self) -> Self:
        return replace(self, salt=bytes(16), digest=bytes(len(self.digest)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scrypt:
    """`scrypt$ln=14,r=8,p=1$salt$digest`. `ln` is the logarithm to base 2 of the cost N."""

    log_cost: int
    block: int
    lanes: int
    salt: bytes
    digest: bytes

    name = "scrypt"

    @property
    def work(self) -> Work:
        return Work.of_scrypt(log_cost=self.log_cost, block=self.block, lanes=self.lanes)

    @classmethod
    def read(cls, _name: str, fields: list[str], /) -> Self:
        costs, salt, digest = fields
        named = numbers(costs, names=("ln", "r", "p"))
        return cls(
            log_cost=named["ln"],
            block=named["r"],
            lanes=named["p"],
            salt=base64_text.to_bytes(salt, name="salt"),
            digest=long_enough(base64_text.to_bytes(digest, name="digest"))[:DIGEST_MAX],
        )

    def text(self) -> str:
        costs = f"ln={self.log_cost},r={self.block},p={self.lanes}"
        return f"scrypt${costs}${base64_text.to_text(self.salt)}${base64_text.to_text(self.digest)}"

    def matches(self, secret: bytes) -> bool:
        found = _scrypt(
            secret, self.salt, log_cost=self.log_cost, block=self.block, lanes=self.lanes, length=len(self.digest)
        )
        return compare_digest(found, self.digest)

    def blank(self) -> Self:
        return replace(self, salt=bytes(16), digest=bytes(len(self.digest)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Firebase:
    """`firebase$ln=14,r=8$salt$stream`: the modified scrypt of Firebase Authentication.

    Firebase encrypts the signer key of the project with AES-CTR under the scrypt of the password. The stored `stream` is
    the key stream of this encryption. It results from hash and signer key, and the database does not need that key.
    """

    log_cost: int
    block: int
    salt: bytes
    stream: bytes

    name = "firebase-scrypt"

    @property
    def work(self) -> Work:
        return Work.of_scrypt(log_cost=self.log_cost, block=self.block, lanes=1)

    @classmethod
    def read(cls, _name: str, fields: list[str], /) -> Self:
        costs, salt, stream = fields
        named = numbers(costs, names=("ln", "r"))
        return cls(
            log_cost=named["ln"],
            block=named["r"],
            salt=base64_text.to_bytes(salt, name="salt"),
            stream=long_enough(base64_text.to_bytes(stream, name="digest"))[:DIGEST_MAX],
        )

    @classmethod
    def of(cls, *, digest: bytes, salt: bytes, signer_key: bytes, log_cost: int, block: int) -> Self:
        """Return the hash of an export. `salt` is the user's salt with the salt separator behind it."""
        if len(digest) != len(signer_key) or len(signer_key) < DIGEST_MAX:
            raise RefusedHash("The hash and the signer key of Firebase have different lengths.")
        stream = bytes(one ^ other for one, other in zip(digest, signer_key, strict=True))
        return cls(log_cost=log_cost, block=block, salt=salt, stream=stream[:DIGEST_MAX])

    def text(self) -> str:
        costs = f"ln={self.log_cost},r={self.block}"
        return f"firebase${costs}${base64_text.to_text(self.salt)}${base64_text.to_text(self.stream)}"

    def matches(self, secret: bytes) -> bool:
        key = _scrypt(secret, self.salt, log_cost=self.log_cost, block=self.block, lanes=1, length=_AES_KEY_BYTES)
        encryptor = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()
        return compare_digest(encryptor.update(bytes(len(self.stream))), self.stream)

    def blank(self) -> Self:
        return replace(self, salt=bytes(16), stream=bytes(len(self.stream)))


def number(text: str) -> int:
    """Return a positive number of at most nine digits. Raises RefusedHash for other text."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 9 and int(text) > 0):  # noqa: PLR2004 - see above
        raise RefusedHash("A cost of the hash is not a positive number.")
    return int(text)


def numbers(text: str, *, names: tuple[str, ...]) -> dict[str, int]:
    """Return the numbers of `a=1,b=2` by name. Raises RefusedHash when the names or their order differ."""
    pairs = [part.partition("=") for part in text.split(",")]
    if tuple(name for name, _, _ in pairs) != names:
        raise RefusedHash(f"The costs of the hash are not {','.join(names)}.")
    return {name: number(value) for name, _, value in pairs}


def long_enough(digest: bytes) -> bytes:
    """Return the digest. Raises RefusedHash when it is shorter than DIGEST_MIN."""
    if len(digest) < DIGEST_MIN:
        raise RefusedHash("The digest is too short.")
    return digest


def _scrypt(secret: bytes, salt: bytes, *, log_cost: int, block: int, lanes: int, length: int) -> bytes:
    memory = scrypt_memory(log_cost=log_cost, block=block, lanes=lanes)
    return hashlib.scrypt(secret, salt=salt, n=1 << log_cost, r=block, p=lanes, maxmem=memory, dklen=length)
