"""The store of the proofs of possession that were used. All processes share it."""

from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from core.db import sql
from core.db.ids import first_id, made_at, new_id
from core.db.transactions import write, write_alone
from core.http.proof_stores import MEMORY

from ..models import UsedProof

BATCH = 5_000
SWEEP_INTERVAL = timedelta(minutes=1)
"""A sweep waits until the oldest row is this much too old. So it deletes many rows at once."""

_USE_SQL = f"""
    INSERT INTO {UsedProof._meta.db_table} (id, digest, expires_at) VALUES (%s, %s, %s)
    ON CONFLICT DO NOTHING RETURNING id
"""  # noqa: S608 - the table's own name


class ProofStore:
    """The table of used proofs."""

    def use(self, digest: bytes, *, expires_at: datetime) -> bool:
        """Mark the proof as used, and return False when it was used before. One statement decides.

        The statement commits at once, or together with the transaction of a host project's view (ATOMIC_REQUESTS). When
        that is rolled back, the request changed nothing, and its proof can be sent again.
        """
        use = sql.fetch_one if connection.in_atomic_block else write_alone
        return use(_USE_SQL, (new_id(), digest, expires_at)) is not None


class SweepProofs:
    """The job that deletes used proofs some minutes after their use. Each request with a proof adds a row."""

    name = "sweep of used proofs"

    def next_due(self, now: datetime) -> datetime | None:
        """Return the time at which the oldest proof has been remembered for long enough."""
        oldest = UsedProof.objects.order_by("pk").values_list("pk", flat=True).first()
        return None if oldest is None else made_at(oldest) + MEMORY + SWEEP_INTERVAL

    def run(self, now: datetime, stop: Callable[[], bool]) -> None:
        """Delete the proofs that need not be remembered any more."""
        while not stop():
            old = UsedProof.objects.filter(pk__lt=first_id(now - MEMORY)).order_by("pk").values_list("pk", flat=True)
            if not _delete(list(old[:BATCH])):
                return


@write
def _delete(keys: list[UUID]) -> int:
    return UsedProof.objects.filter(pk__in=keys).delete()[0] if keys else 0


def prunable_proofs(now: datetime) -> QuerySet[UsedProof]:
    """Return the proofs to delete: those whose nonce has expired."""
    return UsedProof.objects.filter(expires_at__lt=now, pk__lt=first_id(now))
