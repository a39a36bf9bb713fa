"""Import of users: batches of records become accounts, each batch in one short transaction."""

import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from django.db import DataError, IntegrityError, connection

from core import clock
from core.addresses import EMAIL_MAX
from core.errors import Overloaded

from ...errors import UserExists
from ...passwords.foreign.adoption import WeakHash
from .hashes import read_hash, to_stored
from .parts import row_parts
from .records import Record
from .rows import Row, Terms, read_row
from .seen import SeenKeys
from .storing import Candidate, Decision, Fate, decide, store
from .values import RefusedRow, is_utf8

BATCHES = {"postgresql": 2_000, "sqlite": 500}
"""The number of records in one transaction, by the vendor of the database."""

PAUSE_SECONDS = 0.1
"""The pause after a batch on SQLite. The service, which waits for SQLite's lock, gets it during a pause."""

WEAK_MAX = 200
"""The number of weak hashes that end a batch, so that the progress shows them."""

BUSY_TRIES = 30
BUSY_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A record that became no account, and the reason in one or two sentences."""

    number: int
    file: str
    email: str
    reason: str


@dataclass(slots=True, kw_only=True)
class Step:
    """The outcome of one batch. `records` counts all of its records."""

    records: int = 0
    imported: int = 0
    present: int = 0
    deleted: int = 0
    refusals: list[Refusal] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The choices of an import. With `is_dry_run` nothing is stored. `is_announced` lets the webhook get the events."""

    terms: Terms
    is_dry_run: bool = False
    is_announced: bool = False


def import_users(records: Iterator[Record], *, plan: Plan, seen: SeenKeys, skip: int = 0) -> Iterator[Step]:
    """Import the records, and yield after the commit of each batch.

    The first `skip` records were imported before; only their keys count. Each batch opens its own transaction. When the
    caller stops iterating, the committed batches stay. Raises Overloaded when the database stays busy.
    """
    with ThreadPoolExecutor(os.cpu_count()) as pool, ThreadPoolExecutor(1) as reader:
        batches = _read_batches(records, plan=plan, seen=seen, pool=pool, skip=skip, size=BATCHES[connection.vendor])
        batch = next(batches, None)
        while batch is not None:
            # The database stores a batch while the next one is read. That takes a tenth off an import to PostgreSQL.
            following = reader.submit(next, batches, None)
            yield batch.finish()
            batch = following.result()
            if batch is not None and connection.vendor == "sqlite" and not plan.is_dry_run:
                time.sleep(PAUSE_SECONDS)


def _read_batches(
    records: Iterator[Record], *, plan: Plan, seen: SeenKeys, pool: ThreadPoolExecutor, skip: int, size: int
) -> Iterator["_Batch"]:
    """Yield the batches with their checked records, and leave the database alone."""
    batch = _Batch(plan=plan, seen=seen, pool=pool)
    for position, record in enumerate(records, start=1):
        batch.add(record, is_skipped=position <= skip)
        if batch.step.records >= size or batch.weak >= WEAK_MAX:
            yield batch
            batch = _Batch(plan=plan, seen=seen, pool=pool)
    if batch.step.records:
        yield batch


class _Batch:
    """The records of one transaction. `weak` counts those whose hash must be wrapped, which threads of `pool` do."""

    def __init__(self, *, plan: Plan, seen: SeenKeys, pool: ThreadPoolExecutor) -> None:
        self.plan = plan
        self.seen = seen
        self.step = Step()
        self.weak = 0
        self._pool = pool
        self._candidates: list[Candidate] = []

    def add(self, record: Record, *, is_skipped: bool) -> None:
        """Check the record. A skipped record only marks its keys as seen."""
        try:
            row = self._read(record)
            found = None if row.password_hash is None else read_hash(row.password_hash)
            self._mark_seen(record, row)
        except RefusedRow as refusal:
            if not is_skipped:
                self.step.records += 1
                self._refuse(record, str(refusal))
            return
        if not is_skipped:
            self.step.records += 1
            self.weak += isinstance(found, WeakHash)
            self._candidates.append(Candidate(record=record, row=row, hash=found))

    def finish(self) -> Step:
        """Store the accounts, and return the outcome of all records."""
        now = clock.now()
        decisions = decide(self._candidates, now=now)
        new = self._sort_out(self._candidates, decisions)
        if new and not self.plan.is_dry_run:
            self._store(new)
        else:
            self.step.imported += len(new)
        return self.step

    def _refuse(self, record: Record, reason: str) -> None:
        email = record.value.get("email") if record.value else None
        shown = email if isinstance(email, str) and len(email) <= EMAIL_MAX and is_utf8(email) else ""
        self.step.refusals.append(Refusal(number=record.number, file=record.file, email=shown, reason=reason))

    def _read(self, record: Record) -> Row:
        if record.value is None:
            raise RefusedRow(record.refusal)
        return read_row(record.value, terms=self.plan.terms)

    def _mark_seen(self, record: Record, row: Row) -> None:
        keys = [("address", row.email_key)]
        if row.id is not None:
            keys.append(("id", str(row.id)))
        for part in row_parts:
            if part.member in row.parts:
                keys.extend((part.member, key) for key in part.keys(row.parts[part.member]))
        for kind, first in self.seen.add(keys, number=record.number).items():
            raise RefusedRow(f"The row has the same {kind} as the row {first}.")

    def _sort_out(self, candidates: Sequence[Candidate], decisions: Sequence[Decision]) -> list[Candidate]:
        """Count the outcome of each candidate, and return the new ones."""
        new = []
        for candidate, decision in zip(candidates, decisions, strict=True):
            match decision:
                case Fate.NEW:
                    new.append(candidate)
                case Fate.PRESENT:
                    self.step.present += 1
                case Fate.DELETED:
                    self.step.deleted += 1
                case str():
                    self._refuse(candidate.record, decision)
        return new

    def _store(self, new: Sequence[Candidate]) -> None:
        # No transaction is open during the hashes.
        hashes = self._hashes_of(new)
        try:
            self._try_to_store(new, hashes)
        except _REFUSALS:
            # Another account got an address or a key in the meantime, or a host's constraint refuses a row.
            for candidate, stored in zip(new, hashes, strict=True):
                self._store_alone(candidate, stored)

    def _hashes_of(self, new: Sequence[Candidate]) -> list[str | None]:
        # A thread costs more than every hash but a weak one, which takes the time of Argon2id.
        weak = self._pool.map(to_stored, [one.hash for one in new if isinstance(one.hash, WeakHash)])
        return [
            next(weak) if isinstance(one.hash, WeakHash) else None if one.hash is None else to_stored(one.hash)
            for one in new
        ]

    def _store_alone(self, candidate: Candidate, stored: str | None) -> None:
        if not self._sort_out([candidate], decide([candidate], now=clock.now())):
            return
        try:
            self._try_to_store([candidate], [stored])
        except _REFUSALS:
            # A concurrent import can have made the account since the decision.
            if self._sort_out([candidate], decide([candidate], now=clock.now())):
                self._refuse(candidate.record, "The database refused the row: a constraint forbids it.")

    def _try_to_store(self, new: Sequence[Candidate], hashes: Sequence[str | None]) -> None:
        plan = self.plan
        for left in range(BUSY_TRIES, -1, -1):
            try:
                store(new, hashes=hashes, source=plan.terms.source, is_announced=plan.is_announced, now=clock.now())
            except Overloaded:
                if not left:
                    raise
                time.sleep(BUSY_SECONDS)
            else:
                self.step.imported += len(new)
                return


_REFUSALS = (UserExists, IntegrityError, DataError)
"""The errors of one row. Every other error concerns the database."""
