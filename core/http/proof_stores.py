"""The stores of the proofs of possession that requests have used."""

from datetime import datetime, timedelta
from typing import Protocol

from ..registry import Registry

MEMORY = timedelta(minutes=4)
"""How long a used proof is remembered. It exceeds the validity of every nonce, which is three periods at most."""


class UsedProofs(Protocol):
    """The store of the proofs that were used."""

    def use(self, digest: bytes, *, expires_at: datetime) -> bool:
        """Mark the proof as used, and return False when it was used before. One atomic statement decides."""


used_proofs: Registry[UsedProofs] = Registry()
