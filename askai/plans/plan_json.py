"""Queries as JSON: a reader that validates every part of a model's output, and the writer of the same form."""

import ipaddress
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from events.vocabulary import ACCOUNT_EVENTS, EventType

from .entities import Column, Entity
from .json_values import members_of, optional, positive, text, word, words
from .period_json import period_json, read_period
from .periods import WEEKDAYS
from .plan import (
    By,
    Choice,
    Compare,
    Count,
    Exists,
    Fact,
    Filters,
    Form,
    GroupBy,
    Language,
    Order,
    Part,
    Plan,
    PlanInvalid,
    Query,
    Rows,
    Shape,
    Sort,
    State,
    Which,
    check,
)

T = TypeVar("T")

_CHOICES = ("types", "ips", "browsers", "systems", "forms", "places")
_FILTERS = frozenset({*_CHOICES, "which", "state", "period", "hours", "weekdays", "by_end"})


def read_query(value: Any) -> Query:
    """Return the query of a JSON value in the form of `schema`. Raises PlanInvalid for any other value.

    A missing member counts as null. A member that names a user is dropped, because a plan never selects the user.
    """
    members = members_of(value, {"language", "parts"})
    parts = members.get("parts")
    if not isinstance(parts, list):
        raise PlanInvalid
    query = Query(language=word(Language, members.get("language")), parts=tuple(_part(part) for part in parts))
    check(query)
    return query


def read_address(value: Any) -> str:
    """Return the address or network in the form of the records: IPv4 in IPv6 becomes IPv4.

    Raises PlanInvalid when the value is neither.
    """
    written = text(value)
    try:
        if "/" in written:
            return str(ipaddress.ip_network(written, strict=False))
        address = ipaddress.ip_address(written)
    except ValueError:
        raise PlanInvalid from None
    return str(getattr(address, "ipv4_mapped", None) or address)


def _part(value: Any) -> Part:
    members = members_of(value, {"fact", "entity", "answer", "filters"})
    if "fact" in members:
        if set(members) != {"fact"}:
            raise PlanInvalid
        return Fact(text(members["fact"]))
    return Plan(
        entity=word(Entity, members.get("entity")),
        shape=_shape(members.get("answer")),
        filters=_filters(members.get("filters")),
    )


def _shape(value: Any) -> Shape:
    match members_of(value, {"kind", "columns", "order", "limit", "by", "sort", "other"}):
        case {"kind": "rows", "columns": columns, **rest} if not set(rest) - {"order", "limit"}:
            return Rows(
                columns=words(Column, columns),
                order=optional(rest.get("order"), lambda order: word(Order, order)) or Order.NEWEST,
                limit=optional(rest.get("limit"), positive),
            )
        case {"kind": "count", **rest} if not rest:
            return Count()
        case {"kind": "exists", **rest} if not rest:
            return Exists()
        case {"kind": "group_by", "by": by, **rest} if not set(rest) - {"sort", "limit"}:
            return GroupBy(
                by=word(By, by),
                sort=optional(rest.get("sort"), lambda sort: word(Sort, sort)) or Sort.VALUE,
                limit=optional(rest.get("limit"), positive),
            )
        case {"kind": "compare", "other": other, **rest} if not rest:
            return Compare(other=read_period(other))
    raise PlanInvalid


def _filters(value: Any) -> Filters:
    members = members_of({} if value is None else value, _FILTERS)
    return Filters(
        types=_choice(members.get("types"), _event_type),
        ips=_choice(members.get("ips"), read_address),
        browsers=_choice(members.get("browsers"), text),
        systems=_choice(members.get("systems"), text),
        forms=_choice(members.get("forms"), lambda form: word(Form, form)),
        places=_choice(members.get("places"), text),
        which=optional(members.get("which"), lambda which: word(Which, which)),
        state=optional(members.get("state"), lambda state: word(State, state)) or State.LIVE,
        period=optional(members.get("period"), read_period),
        hours=optional(members.get("hours"), _hours),
        weekdays=_weekdays(members.get("weekdays", [])),
        by_end=_boolean(members.get("by_end", False)),
    )


def _choice(value: Any, read: Callable[[Any], T]) -> Choice[T] | None:
    """Return the condition; None for null and for an empty list of values."""
    if value is None:
        return None
    members = members_of(value, {"values", "is_not"})
    values, is_not = members.get("values"), _boolean(members.get("is_not", False))
    if not isinstance(values, list):
        raise PlanInvalid
    found = [read(each) for each in values]
    if len({*found}) != len(found):
        raise PlanInvalid
    # The order of the values has no meaning.
    return Choice(tuple(sorted(found, key=str)), is_not=is_not) if found else None


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise PlanInvalid
    return value


def _event_type(value: Any) -> EventType:
    event_type = word(EventType, value)
    if event_type not in ACCOUNT_EVENTS:
        raise PlanInvalid
    return event_type


def _hours(value: Any) -> tuple[int, int]:
    members = members_of(value, {"first", "last"})
    first, last = members.get("first"), members.get("last")
    if type(first) is not int or type(last) is not int:
        raise PlanInvalid
    return first, last


def _weekdays(value: Any) -> frozenset[int]:
    if not isinstance(value, list) or any(day not in WEEKDAYS for day in value if isinstance(day, str)):
        raise PlanInvalid
    if not all(isinstance(day, str) for day in value):
        raise PlanInvalid
    return frozenset(WEEKDAYS.index(day) for day in value)


def as_json(query: Query) -> dict[str, Any]:
    """Return the JSON value from which `read_query` reads this query."""
    return {"language": query.language, "parts": [_part_json(part) for part in query.parts]}


def _part_json(part: Part) -> dict[str, Any]:
    if isinstance(part, Fact):
        return {"fact": part.name}
    return {"entity": part.entity, "answer": _shape_json(part.shape), "filters": _filters_json(part.filters)}


def _filters_json(filters: Filters) -> dict[str, Any]:
    return {
        **{name: optional(getattr(filters, name), _choice_json) for name in _CHOICES},
        "which": filters.which,
        "state": filters.state,
        "period": optional(filters.period, period_json),
        "hours": optional(filters.hours, lambda hours: {"first": hours[0], "last": hours[1]}),
        "weekdays": [WEEKDAYS[day] for day in sorted(filters.weekdays)],
        "by_end": filters.by_end,
    }


def _choice_json(choice: Choice[Any]) -> Mapping[str, Any]:
    return {"values": list(choice.values), "is_not": choice.is_not}


def _shape_json(shape: Shape) -> dict[str, Any]:
    match shape:
        case Rows():
            return {"kind": "rows", "columns": list(shape.columns), "order": shape.order, "limit": shape.limit}
        case Count():
            return {"kind": "count"}
        case Exists():
            return {"kind": "exists"}
        case GroupBy():
            return {"kind": "group_by", "by": shape.by, "sort": shape.sort, "limit": shape.limit}
        case Compare():
            return {"kind": "compare", "other": period_json(shape.other)}
