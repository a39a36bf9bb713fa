"""Plans: the language of queries. Neither a model nor the parser can express more than these types.

A plan names no user. The code that runs the plan selects the user's records.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeAlias, TypeVar

from events.vocabulary import EventType

from .entities import COLUMNS, Column, Entity
from .periods import Period

T = TypeVar("T")

PARTS_MAX = 4
HOURS = 24
WEEKDAYS = 7


class Language(StrEnum):
    """The languages of questions and answers."""

    EN = "en"
    DE = "de"
    FR = "fr"
    ES = "es"
    JA = "ja"


WEEK_STARTS: Mapping[Language, int] = {**dict.fromkeys(Language, 0), Language.JA: 6}
"""The first day of a week in each language; 0 is Monday. Source: CLDR, and ISO 8601 for English."""


class Order(StrEnum):
    """The records that come first."""

    NEWEST = "newest"
    OLDEST = "oldest"


class Sort(StrEnum):
    """The groups that come first: by their value, or by their number of records."""

    VALUE = "value"
    MOST = "most"
    LEAST = "least"


class By(StrEnum):
    """The property by which records are grouped. Times are local."""

    TYPE = "type"
    IP = "ip"
    PLACE = "place"
    DEVICE = "device"
    BROWSER = "browser"
    OS = "os"
    FORM = "form"
    HOUR = "hour"
    WEEKDAY = "weekday"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"


class Which(StrEnum):
    """The session of the access token that asks, or all others."""

    THIS = "this"
    OTHERS = "others"


class State(StrEnum):
    """The state of a session. GET /v1/sessions lists the live ones."""

    LIVE = "live"
    ENDED = "ended"
    ANY = "any"


class Form(StrEnum):
    """A form of device, as far as a user agent states it."""

    PHONE = "phone"
    TABLET = "tablet"
    DESKTOP = "desktop"
    IPHONE = "iphone"
    IPAD = "ipad"
    ANDROID_PHONE = "android_phone"
    ANDROID_TABLET = "android_tablet"
    BOT = "bot"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The answer lists these columns of the records. `limit` None means as many rows as `max_rows` allows."""

    columns: tuple[Column, ...]
    order: Order = Order.NEWEST
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """The answer is the number of records. When the filters name several types, each type has a number of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exists:
    """The answer is yes or no, with the number of records and the newest one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupBy:
    """The answer lists the values of the property with the number of records that have them.

    `limit` None means as many values as `max_rows` allows.
    """

    by: By
    sort: Sort = Sort.VALUE
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Compare:
    """The answer is the number of records in the period of the filters, and the number in `other`."""

    other: Period


Shape: TypeAlias = Rows | Count | Exists | GroupBy | Compare


@dataclass(frozen=True, slots=True)
class Choice(Generic[T]):
    """A condition: the record has one of the values. With `is_not`, it has none of them."""

    values: tuple[T, ...]
    is_not: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Conditions on the records, which all must hold. None sets no condition, and so does an empty `weekdays`.

    `ips` has addresses and networks. `places` has names of cities and regions, and names or codes of countries. Case is
    ignored for `browsers`, `systems` and `places`. `which` and `state` are for sessions only. The time of a session is
    its start, or with `by_end` its end. Only sessions that may have ended have `by_end`. `hours` are local: the first is included, the last is not, and (22, 6) includes midnight. Day 0 of
    `weekdays` is Monday.
    """

    types: Choice[EventType] | None = None
    ips: Choice[str] | None = None
    browsers: Choice[str] | None = None
    systems: Choice[str] | None = None
    forms: Choice[Form] | None = None
    places: Choice[str] | None = None
    which: Which | None = None
    state: State = State.LIVE
    period: Period | None = None
    hours: tuple[int, int] | None = None
    weekdays: frozenset[int] = frozenset()
    by_end: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A query: the entity, the shape of the answer, and the filters."""

    entity: Entity
    shape: Shape
    filters: Filters = Filters()


@dataclass(frozen=True, slots=True)
class Fact:
    """A question about the present state of the account.

    `name` is `locked`, `address_proven`, `second_factor`, `api_keys`, or the name of a registered second factor.
    """

    name: str


Part: TypeAlias = Plan | Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """All that a question asks, in its order, and the language of the question. It has 1 to PARTS_MAX parts."""

    language: Language
    parts: tuple[Part, ...]


class PlanInvalid(Exception):
    """The question or the JSON value has no valid plan."""


def check(query: Query) -> None:
    """Raise PlanInvalid when a part asks for a property that its records do not have, or a number is out of range."""
    if not 1 <= len(query.parts) <= PARTS_MAX:
        raise PlanInvalid
    for part in query.parts:
        if isinstance(part, Plan) and not (_fits(part) and _is_in_range(part)):
            raise PlanInvalid


def _fits(plan: Plan) -> bool:
    filters, shape = plan.filters, plan.shape
    columns = COLUMNS.get(plan.entity)
    if columns is None:
        return False
    if plan.entity is Entity.SESSIONS:
        is_timed = not filters.by_end or filters.state is not State.LIVE
        has_all = filters.types is None and getattr(shape, "by", None) is not By.TYPE and is_timed
    else:
        has_all = filters.which is None and filters.state is State.LIVE and not filters.by_end
    if isinstance(shape, Rows):
        return has_all and bool(shape.columns) and not set(shape.columns) - {*columns}
    return has_all and (not isinstance(shape, Compare) or filters.period is not None)


def _is_in_range(plan: Plan) -> bool:
    filters = plan.filters
    choices = (filters.types, filters.ips, filters.browsers, filters.systems, filters.forms, filters.places)
    limit = getattr(plan.shape, "limit", None)
    first, last = filters.hours or (0, HOURS)
    return (
        all(choice is None or choice.values for choice in choices)
        and (limit is None or limit >= 1)
        and (0 <= first < HOURS and 0 < last <= HOURS and first != last)
        and filters.weekdays <= frozenset(range(WEEKDAYS))
    )
