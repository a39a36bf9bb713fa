"""Encryption of stored values that the service must read again: AES-256-GCM under a ring of keys.

A sealed value is a version byte, the key's id (8 bytes), a nonce (12 bytes) and the ciphertext. The ciphertext includes
its tag. The value is bound to a context, which names its table, column and row. The value does not open with another
context.
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
"""The length of the header of a sealed value. The header identifies the key that sealed the value."""


class Unsealable(Exception):
    """No key of the ring opens the value in this context.

    The key is not in the ring, the value was sealed in another context, or the value was changed.
    """


def seal(plaintext: bytes, *, keys: Sequence[bytes], context: str) -> bytes:
    """Return the plaintext sealed under the first key. Each key is 32 bytes long.

    `context` names the table, the column and the row, such as `mail 01931e2c-…`. `unseal` needs the same context.
    """
    header = _VERSION + _id_of(keys[0])
    nonce = os.urandom(_NONCE_BYTES)
    return header + nonce + AESGCM(keys[0]).encrypt(nonce, plaintext, header + context.encode())


def unseal(sealed: bytes | memoryview, *, keys: Sequence[bytes], context: str) -> bytes:
    """Return the plaintext of the sealed value. Any of the keys may have sealed the value.

    Raises Unsealable when no key of the ring opens the value in this context.
    """
    value = bytes(sealed)
    header, nonce, box = (
        value[:HEADER_BYTES],
        value[HEADER_BYTES:][:_NONCE_BYTES],
        value[HEADER_BYTES:][_NONCE_BYTES:],
    )
    key = next((key for key in keys if header == _VERSION + _id_of(key)), None)
    if key is None:
        raise Unsealable("No key of the ring encrypted this value.")
    try:
        return AESGCM(key).decrypt(nonce, box, header + context.encode())
    except (InvalidTag, ValueError):
        raise Unsealable("This value is damaged, or was encrypted for another row.") from None


def is_sealed_under(key: bytes, sealed: bytes | memoryview) -> bool:
    """Return whether this key sealed the value. The check reads only the first HEADER_BYTES of the value."""
    return bytes(sealed[:HEADER_BYTES]) == _VERSION + _id_of(key)


def derived_keys(*, purpose: str) -> tuple[bytes, ...]:
    """Return a ring of keys for one purpose, derived from Django's secret keys with HKDF (RFC 5869).

    The first key is derived from SECRET_KEY and seals. The others are derived from SECRET_KEY_FALLBACKS and only open.
    """
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return tuple(_derive(force_bytes(secret), purpose=purpose) for secret in secrets)


def _derive(secret: bytes, *, purpose: str) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=f"authsvc {purpose}".encode()).derive(secret)


def _id_of(key: bytes) -> bytes:
    return hmac.digest(key, b"authsvc key id", "sha256")[:_ID_BYTES]
