"""The JSON Schema of queries for a model, in the subset that strict structured output accepts."""

from collections.abc import Mapping, Sequence
from typing import Any

from events.vocabulary import ACCOUNT_EVENTS

from .entities import COLUMNS, DEFAULT_COLUMNS, MEANINGS, Column, Entity
from .period_json import WHEN
from .periods import WEEKDAYS, Relation, Unit
from .plan import By, Form, Language, Order, Sort, State, Which

# This entity lets a model reject a question. Otherwise the model would force every question into some plan.
NONE = "none"

_TEXT = {"type": "string"}
_INTEGER = {"type": "integer"}


def schema(entities: Sequence[Entity], *, facts: Sequence[str] = ()) -> dict[str, Any]:
    """Return the JSON Schema of queries about these entities and these facts."""
    parts = [_plan(entities), *([_strict({"fact": _enum(facts)})] if facts else [])]
    return _strict(
        {
            "language": {**_enum(Language), "description": "The language of the question."},
            "parts": {
                "type": "array",
                "items": {"anyOf": parts},
                "description": "One part for each thing that the question asks, in its order, at most 4.",
            },
        }
    )


def _plan(entities: Sequence[Entity]) -> dict[str, Any]:
    meanings = "; ".join(f"{entity}: {MEANINGS[entity]}" for entity in entities)
    return _strict(
        {
            "entity": {
                **_enum([*entities, NONE]),
                "description": f"{meanings}; {NONE}: the question is not about these.",
            },
            "answer": {"anyOf": _shapes(entities)},
            "filters": _filters(entities),
        }
    )


def _shapes(entities: Sequence[Entity]) -> list[dict[str, Any]]:
    defaults = "; ".join(f"{', '.join(DEFAULT_COLUMNS[entity])} of {entity}" for entity in entities)
    columns = [column for column in Column if any(column in COLUMNS[entity] for entity in entities)]
    by = [by for by in By if by != By.TYPE or Entity.AUDIT_EVENTS in entities]
    limit = _or_null(_INTEGER)
    return [
        _strict(
            {
                "kind": _enum(["rows"]),
                "columns": {"type": "array", "items": _enum(columns), "description": f"By default {defaults}."},
                "order": _enum(Order),
                "limit": limit,
            }
        ),
        _strict({"kind": _enum(["count"])}),
        _strict({"kind": _enum(["exists"])}),
        _strict({"kind": _enum(["group_by"]), "by": _enum(by), "sort": _enum(Sort), "limit": limit}),
        _strict({"kind": _enum(["compare"]), "other": {"anyOf": _periods()}}),
    ]


def _filters(entities: Sequence[Entity]) -> dict[str, Any]:
    events = {"types": _choice(_enum(ACCOUNT_EVENTS))} if Entity.AUDIT_EVENTS in entities else {}
    by_end = {"type": "boolean", "description": "True when the times are those at which sessions ended."}
    sessions = (
        {"which": _or_null(_enum(Which)), "state": _enum(State), "by_end": by_end}
        if Entity.SESSIONS in entities
        else {}
    )
    return _strict(
        {
            **events,
            "ips": _choice({**_TEXT, "description": "An address or a network such as 192.0.2.0/24."}),
            "browsers": _choice({**_TEXT, "description": "A browser's name without version, such as Firefox."}),
            "systems": _choice(
                {**_TEXT, "description": "A system's name without version, such as Windows, macOS, iOS."}
            ),
            "forms": _choice(_enum(Form)),
            "places": _choice(
                {**_TEXT, "description": "The English name of a city, a region or a country, or a country's code."}
            ),
            **sessions,
            "period": _or_null(*_periods()),
            "hours": _or_null(
                {
                    **_strict({"first": _INTEGER, "last": _INTEGER}),
                    "description": "Local hours 0 to 24; the last is excluded; 22 and 6 include midnight.",
                }
            ),
            "weekdays": {"type": "array", "items": _enum(WEEKDAYS), "description": "Empty for every day."},
        }
    )


def _periods() -> list[dict[str, Any]]:
    return [
        _strict({"kind": _enum(Relation), "when": {**_TEXT, "description": WHEN}}),
        _strict({"kind": _enum(["last"]), "count": _INTEGER, "unit": _enum(Unit)}),
        _strict({"kind": _enum(["between"]), "first": _TEXT, "last": _TEXT}),
    ]


def _choice(item: Mapping[str, Any]) -> dict[str, Any]:
    values = {"type": "array", "items": dict(item)}
    is_not = {"type": "boolean", "description": "True when the records have none of the values."}
    return _or_null(_strict({"values": values, "is_not": is_not}))


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
