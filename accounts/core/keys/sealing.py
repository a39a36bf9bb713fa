"""A box for what must be read again but not lie open in a row: AES-256-GCM under a ring of keys.

A sealed value is a version byte, the id of its key (8 bytes), a nonce (12 bytes), and the ciphertext with its tag. It is
bound to a context, the name of the place it is kept at, so that it does not open anywhere else.
"""

import hmac
import os
from collections.abc import Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.utils.encoding import force_bytes

_VERSION = b"\x01"
_ID_BYTES = 8
_NONCE_BYTES = 12
HEADER_BYTES = len(_VERSION) + _ID_BYTES
"""How long a value's beginning is that tells which key sealed it."""


class Unsealable(Exception):
    """The value was sealed under a key that is not in the ring, for another place, or was tampered with."""


def seal(plaintext: bytes, *, keys: Sequence[bytes], context: str) -> bytes:
    """Return the plaintext sealed under the first of the keys, 32 bytes each.

    `context` names table, column and row, such as `mail 01931e2c-…`; the same is needed to open it again.
    """
    header = _VERSION + _id_of(keys[0])
    nonce = os.urandom(_NONCE_BYTES)
    return header + nonce + AESGCM(keys[0]).encrypt(nonce, plaintext, header + context.encode())


def unseal(sealed: bytes | memoryview, *, keys: Sequence[bytes], context: str) -> bytes:
    """Return what was sealed, under whichever of the keys. Raises Unsealable."""
    value = bytes(sealed)
    header, nonce, box = (
        value[:HEADER_BYTES],
        value[HEADER_BYTES:][:_NONCE_BYTES],
        value[HEADER_BYTES:][_NONCE_BYTES:],
    )
    key = next((key for key in keys if header == _VERSION + _id_of(key)), None)
    if key is None:
        raise Unsealable("No key of the ring has sealed this.")
    try:
        return AESGCM(key).decrypt(nonce, box, header + context.encode())
    except (InvalidTag, ValueError):
        raise Unsealable("This was sealed for another place, or is damaged.") from None


def is_sealed_under(key: bytes, sealed: bytes | memoryview) -> bool:
    """Tell whether it was this key that sealed the value, going by its first HEADER_BYTES alone."""
    return bytes(sealed[:HEADER_BYTES]) == _VERSION + _id_of(key)


def derived_keys(*, purpose: str) -> tuple[bytes, ...]:
    """Return a ring for one purpose, derived from SECRET_KEY and, to open only, from SECRET_KEY_FALLBACKS (RFC 5869)."""
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return tuple(_derive(force_bytes(secret), purpose=purpose) for secret in secrets)


def _derive(secret: bytes, *, purpose: str) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=f"authsvc {purpose}".encode()).derive(secret)


def _id_of(key: bytes) -> bytes:
    return hmac.digest(key, b"authsvc key id", "sha256")[:_ID_BYTES]
