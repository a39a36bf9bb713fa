"""A hasher for `PASSWORD_HASHERS` of a host project, so that its own pages also check hashes of other systems."""

from typing import Any

from django.contrib.auth.hashers import BasePasswordHasher
from django.utils.translation import gettext_noop as _

from . import stored


class ForeignPasswordHasher(BasePasswordHasher):
    """Checks the hashes that an import stored. Put it behind the hasher of new passwords, because it makes no hash."""

    algorithm = stored.ALGORITHM

    def encode(self, password: str, salt: str) -> str:
        """Raise NotImplementedError."""
        raise NotImplementedError("Put another hasher first in PASSWORD_HASHERS. ForeignPasswordHasher only checks.")

    def verify(self, password: str, encoded: str) -> bool:
        """Return whether the hash belongs to the password. A malformed hash belongs to none."""
        try:
            return stored.verify(password, encoded)
        except ValueError:
            return False

    def decode(self, encoded: str) -> dict[str, Any]:
        """Return the name of the kind."""
        return {"algorithm": self.algorithm, "kind": stored.read(encoded).name}

    def safe_summary(self, encoded: str) -> Any:
        """Return what the pages of Django's admin show."""
        return {_("algorithm"): stored.read(encoded).name}

    def must_update(self, encoded: str) -> bool:
        """Return True: each login with the right password rewrites the hash."""
        return True

    def harden_runtime(self, password: str, encoded: str) -> None:
        """Do nothing, because the hash is rewritten with the costs of new hashes."""
