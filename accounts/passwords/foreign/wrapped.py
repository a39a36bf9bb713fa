"""Weak digests (MD5, SHA-1 and plain SHA-2) inside Argon2id, so that the database holds no weak digest."""

import hashlib
import os
from dataclasses import dataclass, replace
from hmac import compare_digest
from typing import Self

from argon2.low_level import Type, hash_secret_raw

from .. import argon2id
from . import base64_text
from .refusals import RefusedHash
from .schemes import number
from .work import Work

ALGORITHMS = {
    name: hashlib.new(name, usedforsecurity=False).digest_size
    for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")
}
"""The weak algorithms, and the length of a digest in bytes."""

ORDERS = ("", "before", "after")
"""The place of the salt, seen from the password. The first is for a digest without a salt."""

OUTER_SALT_BYTES = 16
OUTER_DIGEST_BYTES = 16
"""The length of the digest of Argon2id. RFC 9106 calls 16 bytes sufficient, and the column is short."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How the other system made its digest: `hash(salt + password)` with "before", `hash(password + salt)` with "after"."""

    algorithm: str
    order: str
    salt: bytes

    @property
    def name(self) -> str:
        """The recipe without the salt, such as `sha1-before`."""
        return "-".join(filter(None, (self.algorithm, self.order)))

    def digest(self, secret: bytes) -> bytes:
        """Return the digest of the password."""
        salted = self.salt + secret if self.order == "before" else secret + self.salt
        return hashlib.new(self.algorithm, salted, usedforsecurity=False).digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapped:
    """`sha1-before$19456,2,1$salt$outer salt$digest`. The numbers are memory in KiB, passes and lanes of Argon2id."""

    recipe: Recipe
    costs: argon2id.Costs
    outer_salt: bytes
    digest: bytes

    @property
    def name(self) -> str:
        return f"{self.recipe.algorithm} in argon2id"

    @property
    def work(self) -> Work:
        return Work.of_argon2(self.costs)

    @classmethod
    def read(cls, name: str, fields: list[str], /) -> Self:
        costs, salt, outer_salt, digest = fields
        memory, passes, lanes = map(number, costs.split(","))
        algorithm, _, order = name.partition("-")
        return cls(
            recipe=Recipe(algorithm=algorithm, order=order, salt=base64_text.to_bytes(salt, name="salt")),
            costs=argon2id.Costs(memory=memory, passes=passes, lanes=lanes),
            outer_salt=_of_length(base64_text.to_bytes(outer_salt, name="salt"), OUTER_SALT_BYTES),
            digest=_of_length(base64_text.to_bytes(digest, name="digest"), OUTER_DIGEST_BYTES),
        )

    @classmethod
    def of(cls, *, recipe: Recipe, digest: bytes, costs: argon2id.Costs) -> Self:
        """Return the weak digest inside a new hash of Argon2id. The call takes as long as a hash of these costs."""
        salt = os.urandom(OUTER_SALT_BYTES)
        return cls(recipe=recipe, costs=costs, outer_salt=salt, digest=_outer(digest, salt=salt, costs=costs))

    def text(self) -> str:
        costs = f"{self.costs.memory},{self.costs.passes},{self.costs.lanes}"
        parts = (base64_text.to_text(part) for part in (self.recipe.salt, self.outer_salt, self.digest))
        return "$".join((self.recipe.name, costs, *parts))

    def matches(self, secret: bytes) -> bool:
        found = _outer(self.recipe.digest(secret), salt=self.outer_salt, costs=self.costs)
        return compare_digest(found, self.digest)

    def blank(self) -> Self:
        return replace(
            self,
            recipe=replace(self.recipe, salt=b""),
            outer_salt=bytes(OUTER_SALT_BYTES),
            digest=bytes(OUTER_DIGEST_BYTES),
        )


def _outer(digest: bytes, *, salt: bytes, costs: argon2id.Costs) -> bytes:
    return hash_secret_raw(digest, salt, costs.passes, costs.memory, costs.lanes, OUTER_DIGEST_BYTES, Type.ID)


def _of_length(data: bytes, length: int) -> bytes:
    if len(data) != length:
        raise RefusedHash("A part of the hash has another length.")
    return data
