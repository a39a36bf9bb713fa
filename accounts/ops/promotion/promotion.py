"""The steps of a promotion.

1. Triggers begin to log the keys of changed rows. One snapshot of the file is copied, and read again from PostgreSQL.
   Each table must have the same checksum on both sides.
2. The rows that changed since are transferred, until few are left. Each transferred row is read again and compared.
3. All writes stop. The last changed rows are transferred. Each table must have the same number of rows on both sides,
   and PostgreSQL checks its constraints.
4. PostgreSQL commits. Then the file refuses writes for good.

Until the commit, PostgreSQL has no row. When the command dies after the commit and before the end, the file goes on to
take writes. The mark in PostgreSQL then tells the next run that its rows are worth nothing.
"""

import hashlib
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum

from .lines import Table
from .source import Claim, Snapshot, Source, Unfit
from .target import Filling, Target

FEW_CHANGES = 500
"""The writes stop when a round has transferred no more rows. Their transfer takes a fraction of a second."""

ROUNDS_MAX = 5
"""The largest number of rounds before the stop. With very many writes the number of changes never becomes small."""


class Step(Enum):
    """The part of a promotion that is running."""

    COPY = "copied"
    CHECK = "read again and compared"
    CATCH_UP = "that changed meanwhile transferred and compared"
    STOP = "that changed until the stop transferred and compared, while no writes are possible"


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The state of a step. `rows` of `total` rows are done."""

    step: Step
    rows: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A table that both sides have with the same content.

    `rows` is the number at the end. `checksum` is the SHA-256 of the lines of the snapshot. The `changed` rows that
    followed were compared one by one.
    """

    name: str
    rows: int
    checksum: str
    changed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Promoted:
    """A promotion that ended. `stopped_seconds` is how long no write was possible before the end."""

    tables: Sequence[Moved]
    stopped_seconds: float


Report = Callable[[Progress], None]


def promote(*, source: Source, target: Target, tables: Sequence[Table], report: Report) -> Promoted:
    """Move all rows of the source to the target, and let the source refuse writes from then on.

    The caller holds the source and the target. Raises Unfit when a step fails. The source then takes writes as before,
    within `STOP_SECONDS` at the latest.
    """
    with _faults_of(source):
        with source.claimed(tables) as claim, target.filled(tables) as filling:
            with source.snapshot() as snapshot:
                last = snapshot.last_change()
                checksums = _copy(snapshot, filling, tables, report=report)
            filling.analyze()
            changes = _Changes(source, filling, tables, last=last)
            for _ in range(ROUNDS_MAX):
                if changes.transfer(step=Step.CATCH_UP, report=report) <= FEW_CHANGES:
                    break
            began = time.monotonic()
            claim.stop()
            changes.transfer(step=Step.STOP, report=report)
            counts = _count(source, filling, tables)
            filling.complete()
            _commit(claim, filling, counts=counts, name=target.name)
            stopped_seconds = time.monotonic() - began
        target.end()
    moved = [
        Moved(
            name=table.name,
            rows=counts[table.name],
            checksum=checksums[table.name],
            changed=changes.rows[table.name],
        )
        for table in tables
    ]
    return Promoted(tables=moved, stopped_seconds=stopped_seconds)


def _copy(snapshot: Snapshot, filling: Filling, tables: Sequence[Table], *, report: Report) -> Mapping[str, str]:
    """Copy all rows, and return the checksums by table, which are the same on both sides."""
    total = sum(snapshot.count(table) for table in tables)
    copied = _Counter(Step.COPY, total=total, report=report)
    ours = {}
    for table in tables:
        checksum = hashlib.sha256()
        filling.add(table, copied.over(_summed(snapshot.lines(table), checksum)))
        ours[table.name] = checksum.hexdigest()
    checked = _Counter(Step.CHECK, total=total, report=report)
    for table in tables:
        checksum = hashlib.sha256()
        for _ in checked.over(_summed(filling.lines(table), checksum)):
            pass
        if checksum.hexdigest() != ours[table.name]:
            raise Unfit(f"The checksums of {table.name} differ after the copy. Report this defect of the service.")
    return ours


class _Changes:
    """The rows that changed since the snapshot of the copy. `rows` has the number of transferred ones by table."""

    def __init__(self, source: Source, filling: Filling, tables: Sequence[Table], *, last: int) -> None:
        self._source = source
        self._filling = filling
        self._last = last
        self._tables = tables
        self._done = 0
        self.rows = dict.fromkeys((table.name for table in tables), 0)

    def transfer(self, *, step: Step, report: Report) -> int:
        """Transfer the rows that changed since the last call, and compare each of them. Return their number."""
        with self._source.snapshot() as snapshot:
            since, self._last = self._last, snapshot.last_change()
            changed = {table: snapshot.changes(table, since=since) for table in self._tables}
        count = sum(len(keys) for keys, _ in changed.values())
        counter = _Counter(step, done=self._done, total=self._done + count, report=report)
        for table, (keys, lines) in changed.items():
            if keys and self._filling.replace(table, keys=keys, lines=lines) != set(lines):
                raise Unfit(f"Rows of {table.name} differ after the transfer. Report this defect of the service.")
            self.rows[table.name] += len(keys)
            counter.add(len(keys))
        self._done += count
        return count


def _count(source: Source, filling: Filling, tables: Sequence[Table]) -> Mapping[str, int]:
    """Return the number of rows by table, which is the same on both sides."""
    with source.snapshot() as snapshot:
        counts = {table.name: snapshot.count(table) for table in tables}
    for table in tables:
        if (found := filling.count(table)) != counts[table.name]:
            raise Unfit(
                f"{table.name} has {counts[table.name]:,} rows here and {found:,} in the target. Run the command again, and "
                "change no table by hand meanwhile."
            )
    return counts


def _commit(claim: Claim, filling: Filling, *, counts: Mapping[str, int], name: str) -> None:
    """Commit, and keep the stop. A claim that ended before the commit rolls everything back."""
    claim.check()
    filling.commit(counts=counts)
    claim.keep(reason=name)


class _Counter:
    """Counts the rows of a step, and reports them now and then."""

    def __init__(self, step: Step, *, done: int = 0, total: int, report: Report) -> None:
        self._step = step
        self._total = total
        self._report = report
        self._rows = done
        self.add(0)

    def add(self, rows: int) -> None:
        self._rows += rows
        self._report(Progress(step=self._step, rows=self._rows, total=self._total))

    def over(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the lines, and count them."""
        waiting = 0
        for line in lines:
            yield line
            waiting += 1
            if waiting == _REPORT_ROWS:
                self.add(waiting)
                waiting = 0
        self.add(waiting)


_REPORT_ROWS = 5_000


def _summed(lines: Iterable[bytes], checksum: "hashlib._Hash") -> Iterator[bytes]:
    for line in lines:
        checksum.update(line)
        yield line


@contextmanager
def _faults_of(source: Source) -> Iterator[None]:
    """Raise Unfit for an error of the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise Unfit(f"{source.path}: {error}.") from error
