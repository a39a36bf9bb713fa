"""Base64 without padding, as the stored text of hashes uses it."""

import base64
import re

from .refusals import RefusedHash

_ALPHABET = re.compile(r"[A-Za-z0-9+/]*={0,2}", re.ASCII)


def to_text(data: bytes) -> str:
    """Return the data in standard base64 without padding."""
    return base64.b64encode(data).decode().rstrip("=")


def to_bytes(text: str, *, name: str) -> bytes:
    """Return the bytes of base64 text, with or without padding.

    The text may use the URL-safe alphabet, or a dot for the plus sign as passlib does. Raises RefusedHash, with the
    `name` of the part, when the text is something else.
    """
    standard = text.replace("-", "+").replace("_", "/").replace(".", "+")
    if not _ALPHABET.fullmatch(standard) or len(standard.rstrip("=")) % 4 == 1:
        raise RefusedHash(f"The {name} is not base64.")
    return base64.b64decode(standard.rstrip("=") + "==")
