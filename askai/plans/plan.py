"""Plans: the language of queries. Neither a model nor the parser can express more than these types.

A plan names no user. The code that runs the plan selects the user's records.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from events.vocabulary import EventType

from .entities import Column, Entity
from .periods import Period


class Order(StrEnum):
    """The records that come first."""

    NEWEST = "newest"
    OLDEST = "oldest"


class By(StrEnum):
    """The property by which records are grouped."""

    TYPE = "type"
    DAY = "day"
    DEVICE = "device"
    IP = "ip"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The answer lists these columns of the records. `limit` None means as many rows as `max_rows` allows."""

    columns: tuple[Column, ...]
    order: Order = Order.NEWEST
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """The answer is the number of records."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupBy:
    """The answer lists every value of the property with the number of records that have it."""

    by: By


Shape: TypeAlias = Rows | Count | GroupBy


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Conditions on the records. A value of None or () sets no condition. Case is ignored for `browser` and `os`."""

    types: tuple[EventType, ...] = ()
    ip: str | None = None
    browser: str | None = None
    os: str | None = None
    period: Period | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A query: the entity, the shape of the answer, and the filters."""

    entity: Entity
    shape: Shape
    filters: Filters = Filters()


class PlanInvalid(Exception):
    """The question or the JSON value has no valid plan."""
