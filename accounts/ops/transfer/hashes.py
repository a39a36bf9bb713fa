"""The password hashes of rows, in the form that the service stores."""

from typing import Any, TypeAlias

from ...passwords import hashing
from ...passwords.foreign.adoption import AdoptedHash, WeakHash, adopt, wrap
from ...passwords.foreign.adoption import seconds_to_wrap as seconds_of_wrap
from ...passwords.foreign.refusals import RefusedHash
from .values import RefusedRow

FoundHash: TypeAlias = AdoptedHash | WeakHash

_ENCODED = "argon2$argon2"
_PHC = "$argon2"


def read_hash(text: str) -> FoundHash:
    """Return the hash of a row. Raises RefusedRow when it is unknown, malformed or too costly."""
    try:
        return adopt(text)
    except RefusedHash as error:
        raise RefusedRow(f"password_hash: {error.reason}") from None


def is_weak(text: Any) -> bool:
    """Return whether the hash must be wrapped. Any other value is no weak hash."""
    if not isinstance(text, str) or text.startswith(_PHC):
        return False
    try:
        return isinstance(adopt(text), WeakHash)
    except RefusedHash:
        return False


def to_stored(found: FoundHash) -> str:
    """Return the text for the database. A weak hash takes as long as a new hash of a password."""
    if isinstance(found, WeakHash):
        found = wrap(found, costs=hashing.costs_of_new_hashes())
    return found.stored


def seconds_to_wrap() -> float:
    """Return the estimated time for one weak hash on one processor."""
    return seconds_of_wrap(costs=hashing.costs_of_new_hashes())


def to_exported(stored: str) -> str | None:
    """Return the text for an export: Argon2 in PHC form, every other hash as it is stored. None without a password."""
    if not stored or stored.startswith("!"):
        return None
    return stored.removeprefix("argon2") if stored.startswith(_ENCODED) else stored
