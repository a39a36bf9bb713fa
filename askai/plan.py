"""The language in which a question is answered. Whoever plans, a model or the parser, can say no more than this.

A plan names nobody: whose records it is about is decided where it runs.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from accounts.events.vocabulary import EventType

from .entities import Column, Entity
from .periods import Period


class Order(StrEnum):
    """Which records come first."""

    NEWEST = "newest"
    OLDEST = "oldest"


class By(StrEnum):
    """What records are told apart by."""

    TYPE = "type"
    DAY = "day"
    DEVICE = "device"
    IP = "ip"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The records themselves, these columns of them; `limit` None means as many as the deployment shows."""

    columns: tuple[Column, ...]
    order: Order = Order.NEWEST
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How many records there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupBy:
    """Every value that the records have, and how many have it."""

    by: By


Shape: TypeAlias = Rows | Count | GroupBy


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What holds for every record that counts; None and () ask nothing. Browser and system compare without case."""

    types: tuple[EventType, ...] = ()
    ip: str | None = None
    browser: str | None = None
    os: str | None = None
    period: Period | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A question, understood."""

    entity: Entity
    shape: Shape
    filters: Filters = Filters()


class PlanInvalid(Exception):
    """This is no plan."""
