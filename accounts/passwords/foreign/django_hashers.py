"""Two of Django's hashers, without the limits that hashes of other systems meet."""

import bcrypt
from django.contrib.auth.hashers import BCryptPasswordHasher, ScryptPasswordHasher

from .work import MEMORY_MAX

BCRYPT_BYTES = 72
"""The bytes of a password that bcrypt uses. The library refuses a longer password, and other systems cut it."""


class BCryptOfOldSystems(BCryptPasswordHasher):
    """bcrypt that ignores the bytes of a password behind the 72nd, as other systems do."""

    def verify(self, password: str, encoded: str) -> bool:
        """Return whether the hash belongs to the password."""
        _, _, text = encoded.partition("$")
        return bcrypt.checkpw(password.encode()[:BCRYPT_BYTES], text.encode())


class ScryptWithMemory(ScryptPasswordHasher):
    """scrypt that may use as much memory as an import allows. OpenSSL allows 32 MiB by default."""

    maxmem = MEMORY_MAX
