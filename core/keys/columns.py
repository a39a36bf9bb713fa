"""Columns whose values are sealed under a ring of keys, and the move of their values to a newer key.

Each sealed value is bound to its row.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.models.functions import Substr

from ..registry import Registry
from .sealing import (
    HEADER_BYTES,
    Unsealable,
    is_sealed_under,
    seal,
    unseal,
)

BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedColumn:
    """A column of sealed values.

    `name` describes the values in text for operators. `keys` returns the ring, with the newest key first. `variable` is
    the name of the setting that contains the ring.
    """

    name: str
    model: type[models.Model]
    column: str
    keys: Callable[[], Sequence[bytes]]
    variable: str

    def seal(self, plaintext: bytes, *, pk: Any) -> bytes:
        """Return the plaintext sealed under the newest key. The value opens only for the row with this primary key."""
        return seal(plaintext, keys=self.keys(), context=self._context(pk))

    def unseal(self, sealed: bytes | memoryview, *, pk: Any) -> bytes:
        """Return the plaintext of the row's sealed value. Raises Unsealable when no key of the ring opens the value."""
        return unseal(sealed, keys=self.keys(), context=self._context(pk))

    def _context(self, pk: Any) -> str:
        return f"{self.model._meta.db_table}.{self.column} {pk}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resealed:
    """The result of one batch. `seen` is the number of values in the batch.

    `newest` is the number of values that are now sealed under the newest key. `lost` are the primary keys of the rows
    whose value no key opens.
    """

    seen: int
    newest: int
    lost: Sequence[Any]


sealed_columns: Registry[SealedColumn] = Registry()


def has_foreign_values(column: SealedColumn) -> bool:
    """Return whether any value is sealed under a key that is not in the ring. Makes one query and opens no value."""
    ring = column.keys()
    beginning = Substr(column.column, 1, HEADER_BYTES, output_field=models.BinaryField())
    headers = _sealed_rows(column).values_list(beginning, flat=True).distinct()
    return not all(any(is_sealed_under(key, header) for key in ring) for header in headers)


def reseal(column: SealedColumn, *, check_only: bool = False) -> Iterator[Resealed]:
    """Seal the column's values under the newest key, and yield the result of each batch.

    If `check_only` is true, the call counts the values and changes none. Each value is a separate write, which has no
    effect if the value has changed since the read. Therefore an operator can stop and repeat the call at any time, while the
    service runs.
    """
    last: Any = None
    while True:
        rows = _sealed_rows(column).order_by("pk").values_list("pk", column.column)
        batch: list[Any] = list((rows if last is None else rows.filter(pk__gt=last))[:BATCH])
        if not batch:
            return
        results = {pk: _reseal(column, pk, bytes(value), check_only=check_only) for pk, value in batch}
        lost = [pk for pk, is_newest in results.items() if is_newest is None]
        yield Resealed(seen=len(batch), newest=list(results.values()).count(True), lost=lost)
        last = batch[-1][0]


def _sealed_rows(column: SealedColumn) -> models.QuerySet[models.Model]:
    return column.model._default_manager.exclude(**{column.column: None})


def _reseal(column: SealedColumn, pk: Any, value: bytes, *, check_only: bool) -> bool | None:
    keys = column.keys()
    if keys and is_sealed_under(keys[0], value):
        return True
    try:
        plaintext = column.unseal(value, pk=pk)
    except Unsealable:
        return None
    if check_only:
        return False
    unchanged = column.model._default_manager.filter(pk=pk, **{column.column: value})
    return bool(unchanged.update(**{column.column: column.seal(plaintext, pk=pk)}))
