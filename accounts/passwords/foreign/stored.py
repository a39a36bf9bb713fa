"""Reading of the stored text `foreign$…`. All schemes that Django does not know share this first word.

Django's own hashers know no algorithm `foreign`. They take such a hash for a wrong password.
"""

from .crypt_schemes import Phpass, ShaCrypt
from .refusals import RefusedHash
from .schemes import BLOCK_BYTES, Firebase, Pbkdf2, Scheme, Scrypt
from .wrapped import ALGORITHMS, ORDERS, Recipe, Wrapped

ALGORITHM = "foreign"
"""The first word of the stored text."""

STORED_MAX = 128
"""The longest stored text, in characters. The `password` column of Django's users has the same limit."""

_SCHEMES: dict[str, type[Scheme]] = {
    "5": ShaCrypt,
    "6": ShaCrypt,
    "phpass": Phpass,
    "scrypt": Scrypt,
    "firebase": Firebase,
    **{f"pbkdf2-{name}": Pbkdf2 for name in BLOCK_BYTES},
    **{Recipe(algorithm=name, order=order, salt=b"").name: Wrapped for name in ALGORITHMS for order in ORDERS},
}


def read(encoded: str) -> Scheme:
    """Return the hash of the stored text. Raises RefusedHash when the text is malformed."""
    word, *rest = encoded.split("$")
    name, *fields = rest or [""]
    scheme = _SCHEMES.get(name)
    if word != ALGORITHM or scheme is None or len(encoded) > STORED_MAX:
        raise RefusedHash("The stored hash has no known format.")
    try:
        return scheme.read(name, fields)
    except ValueError as error:
        raise error if isinstance(error, RefusedHash) else RefusedHash("The stored hash is malformed.") from error


def write(scheme: Scheme) -> str:
    """Return the stored text. Raises RefusedHash when it does not fit into the column."""
    text = f"{ALGORITHM}${scheme.text()}"
    if len(text) > STORED_MAX:
        raise RefusedHash("The salt of the hash is too long for the database.")
    return text


def verify(password: str, encoded: str) -> bool:
    """Return whether the hash belongs to the password. Raises ValueError when the hash or the password is malformed."""
    return read(encoded).matches(password.encode())


def kind_of(encoded: str) -> str | None:
    """Return the stored text with its salt and digest replaced by zeros, or None when it is malformed."""
    try:
        return write(read(encoded).blank())
    except RefusedHash:
        return None


def library_of(kind: str) -> str:
    """Return the name of the algorithm that takes the time of a check."""
    return f"{ALGORITHM} {read(kind).work.family}"
