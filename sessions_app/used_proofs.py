"""The store of the proofs of possession that were used. All processes share it."""

from datetime import datetime

from django.db.models import QuerySet

from core.db.ids import first_id, new_id
from core.db.transactions import write_alone

from .models import UsedProof

_USE_SQL = f"""
    INSERT INTO {UsedProof._meta.db_table} (id, digest, expires_at) VALUES (%s, %s, %s)
    ON CONFLICT DO NOTHING RETURNING id
"""  # noqa: S608 - the table's own name


class ProofStore:
    """The table of used proofs."""

    def use(self, digest: bytes, *, expires_at: datetime) -> bool:
        """Mark the proof as used, and return False when it was used before. One statement decides, and commits at once."""
        return write_alone(_USE_SQL, (new_id(), digest, expires_at)) is not None


def prunable_proofs(now: datetime) -> QuerySet[UsedProof]:
    """Return the proofs to delete: those whose nonce has expired."""
    return UsedProof.objects.filter(expires_at__lt=now, pk__lt=first_id(now))
