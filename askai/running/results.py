"""The results of plans and facts, before they become text."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from events.vocabulary import EventType

from ..plans.entities import Column
from ..plans.periods import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """The number of records that match. With `is_more`, there may be more of them.

    `is_partial` states the reason that some records were not examined.
    """

    count: int
    is_more: bool = False
    is_partial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """Rows with stored values, one value for each column. `ids` has the id of each row.

    `total` is the number of records that match, before the limit.
    """

    columns: tuple[Column, ...]
    rows: list[tuple[Any, ...]]
    ids: tuple[str, ...]
    total: Total


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """The number of records. `by_type` has the number of each type, when the question names several."""

    total: Total
    by_type: Mapping[EventType, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Whether there are records: their number, and the newest one."""

    total: Total
    newest: Records


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups:
    """Pairs of a value and the number of records that have it. `total` is the number of values, before the limit."""

    pairs: list[tuple[str, int]]
    total: Total


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """The number of records in the period of the filters, and in the other one, each with its span."""

    counts: tuple[tuple[Span, Total], tuple[Span, Total]]

    @property
    def is_any(self) -> bool:
        """Whether one of the spans has a record."""
        return any(total.count for _, total in self.counts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The present state of the account in one respect.

    `number` is the number of things that the account has, such as passkeys. `until` is the end of a lock.
    """

    name: str
    holds: bool
    number: int | None = None
    until: datetime | None = None


Result: TypeAlias = Records | Counted | Found | Groups | Compared | Status
