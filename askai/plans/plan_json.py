"""Plans as JSON: the schema for a model, and a reader that validates every part of the model's output."""

import ipaddress
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Any, TypeVar

from events.vocabulary import ACCOUNT_EVENTS, EventType

from .entities import COLUMNS, DEFAULT_COLUMNS, MEANINGS, Column, Entity
from .periods import ANY_DAY, COUNT_MAX, NAMES, YEARS, Between, Calendar, Last, Period, Relation, Unit, days_of
from .plan import By, Count, Filters, GroupBy, Order, Plan, PlanInvalid, Rows, Shape

TEXT_MAX = 60

# This entity lets a model reject a question. Otherwise the model would force every question into some plan.
NONE = "none"
WHEN = f"One of {', '.join(NAMES)}, or a date: 2026-03-01, 2026-03 or 2026."

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)

_PERIOD_MEMBERS: Mapping[str, frozenset[str]] = {
    "last": frozenset({"kind", "count", "unit"}),
    "between": frozenset({"kind", "first", "last"}),
    **{relation: frozenset({"kind", "when"}) for relation in Relation},
}
_OWNER_COLUMNS = frozenset({"user", "user_id", "account", "account_id", "email"})


def read_plan(value: Any) -> Plan:
    """Return the plan of a JSON value in the form of `schema`. Raises PlanInvalid for any other value.

    A missing member counts as null. A member that names a user is dropped, because a plan never selects the user.
    """
    members = _object(value, {"entity", "answer", "filters"})
    entity = _word(Entity, members.get("entity"))
    if entity not in COLUMNS:
        raise PlanInvalid
    plan = Plan(entity=entity, shape=_shape(members.get("answer")), filters=_filters(members.get("filters")))
    has_type = Column.TYPE in COLUMNS[entity]
    needs_type = plan.filters.types or plan.shape == GroupBy(by=By.TYPE)
    if (needs_type and not has_type) or (isinstance(plan.shape, Rows) and set(plan.shape.columns) - {*COLUMNS[entity]}):
        raise PlanInvalid
    return plan


def read_address(value: Any) -> str:
    """Return the address in the form of the records: IPv4 in IPv6 becomes IPv4.

    Raises PlanInvalid when the value is no address.
    """
    try:
        address = ipaddress.ip_address(_name(value))
    except ValueError:
        raise PlanInvalid from None
    return str(getattr(address, "ipv4_mapped", None) or address)


def _shape(value: Any) -> Shape:
    match _object(value, {"kind", "columns", "order", "limit", "by"}):
        case {"kind": "rows", "columns": [_, *_] as columns, **rest} if "by" not in rest:
            return Rows(
                columns=_words(Column, columns),
                order=_optional(rest.get("order"), lambda order: _word(Order, order)) or Order.NEWEST,
                limit=_optional(rest.get("limit"), _positive),
            )
        case {"kind": "count", **rest} if not rest:
            return Count()
        case {"kind": "group_by", "by": by, **rest} if not rest:
            return GroupBy(by=_word(By, by))
    raise PlanInvalid


def _filters(value: Any) -> Filters:
    members = _object({} if value is None else value, {"types", "ip", "browser", "os", "period"})
    types = _words(EventType, members.get("types", []))
    return Filters(
        types=tuple(sorted(types)),
        ip=_optional(members.get("ip"), read_address),
        browser=_optional(members.get("browser"), _name),
        os=_optional(members.get("os"), _name),
        period=_optional(members.get("period"), _period),
    )


def _period(value: Any) -> Period:
    kind = value.get("kind") if isinstance(value, dict) else None
    allowed = _PERIOD_MEMBERS.get(kind) if isinstance(kind, str) else None
    if allowed is None:
        raise PlanInvalid
    members = _object(value, allowed)
    match kind:
        case "last":
            count = _positive(members.get("count"))
            if count > COUNT_MAX:
                raise PlanInvalid
            return Last(count=count, unit=_word(Unit, members.get("unit")))
        case "between":
            between = Between(first=_day(members.get("first")), last=_day(members.get("last")))
            if between.first > between.last:
                raise PlanInvalid
            return between
    return Calendar(relation=Relation(str(kind)), when=_when(members.get("when")))


def _when(value: Any) -> str:
    try:
        days_of(value, today=ANY_DAY)
    except (ValueError, TypeError):
        raise PlanInvalid from None
    return str(value)


def _day(value: Any) -> date:
    try:
        day = date.fromisoformat(value)
    except (ValueError, TypeError):
        raise PlanInvalid from None
    if day.year not in YEARS or day.isoformat() != value:
        raise PlanInvalid
    return day


def _object(value: Any, names: frozenset[str] | set[str]) -> Mapping[str, Any]:
    """Return the members of a JSON object, without those that are null or name a user.

    Raises PlanInvalid when the value is no object or has another member.
    """
    if not isinstance(value, dict) or set(value) - names - _OWNER_COLUMNS:
        raise PlanInvalid
    return {name: member for name, member in value.items() if member is not None and name in names}


def _optional(value: Any, read: Callable[[Any], T]) -> T | None:
    return None if value is None else read(value)


def _word(words: type[E], value: Any) -> E:
    try:
        return words(value)
    except ValueError:
        raise PlanInvalid from None


def _words(words: type[E], values: Any) -> tuple[E, ...]:
    if not isinstance(values, list):
        raise PlanInvalid
    read = tuple(_word(words, value) for value in values)
    if len(set(read)) != len(read):
        raise PlanInvalid
    return read


def _positive(value: Any) -> int:
    if type(value) is not int or value < 1:
        raise PlanInvalid
    return value


def _name(value: Any) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= TEXT_MAX or not value.isprintable():
        raise PlanInvalid
    return value


def as_json(plan: Plan) -> dict[str, Any]:
    """Return the JSON value from which `read_plan` reads this plan."""
    filters = plan.filters
    return {
        "entity": plan.entity,
        "answer": _shape_json(plan.shape),
        "filters": {
            "types": list(filters.types),
            "ip": filters.ip,
            "browser": filters.browser,
            "os": filters.os,
            "period": _optional(filters.period, _period_json),
        },
    }


def _shape_json(shape: Shape) -> dict[str, Any]:
    match shape:
        case Rows():
            return {"kind": "rows", "columns": list(shape.columns), "order": shape.order, "limit": shape.limit}
        case Count():
            return {"kind": "count"}
        case GroupBy():
            return {"kind": "group_by", "by": shape.by}


def _period_json(period: Period) -> dict[str, Any]:
    match period:
        case Calendar():
            return {"kind": period.relation, "when": period.when}
        case Last():
            return {"kind": "last", "count": period.count, "unit": period.unit}
        case Between():
            return {"kind": "between", "first": period.first.isoformat(), "last": period.last.isoformat()}


def schema(entities: Sequence[Entity]) -> dict[str, Any]:
    """Return the JSON Schema of plans about these entities, in the subset for strict structured output."""
    meanings = "; ".join(f"{entity}: {MEANINGS[entity]}" for entity in entities)
    defaults = "; ".join(f"{', '.join(DEFAULT_COLUMNS[entity])} of {entity}" for entity in entities)
    columns = [column for column in Column if any(column in COLUMNS[entity] for entity in entities)]
    types = {"types": {"type": "array", "items": _enum(ACCOUNT_EVENTS)}} if Entity.AUDIT_EVENTS in entities else {}
    shape = [
        _strict(
            {
                "kind": _enum(["rows"]),
                "columns": {"type": "array", "items": _enum(columns), "description": f"By default {defaults}."},
                "order": _enum(Order),
                "limit": _or_null({"type": "integer"}),
            }
        ),
        _strict({"kind": _enum(["count"])}),
        _strict({"kind": _enum(["group_by"]), "by": _enum([by for by in By if by != By.TYPE or types])}),
    ]
    text = {"type": "string"}
    period = [
        _strict({"kind": _enum(Relation), "when": {**text, "description": WHEN}}),
        _strict({"kind": _enum(["last"]), "count": {"type": "integer"}, "unit": _enum(Unit)}),
        _strict({"kind": _enum(["between"]), "first": text, "last": text}),
    ]
    filters = {
        **types,
        "ip": _or_null(text),
        "browser": _or_null({**text, "description": "A browser's name without version, such as Firefox."}),
        "os": _or_null({**text, "description": "A system's name without version, such as Windows, macOS, iOS."}),
        "period": _or_null(*period),
    }
    return _strict(
        {
            "entity": {
                **_enum([*entities, NONE]),
                "description": f"{meanings}; {NONE}: the question is not about these.",
            },
            "answer": {"anyOf": shape},
            "filters": _strict(filters),
        }
    )


def _enum(words: Any) -> dict[str, Any]:
    return {"type": "string", "enum": [str(word) for word in words]}


def _or_null(*schemas: Mapping[str, Any]) -> dict[str, Any]:
    return {"anyOf": [*schemas, {"type": "null"}]}


def _strict(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
