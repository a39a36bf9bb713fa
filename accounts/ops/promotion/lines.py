"""The rows of both databases as the same lines of text.

The line of a row is the line that PostgreSQL's COPY writes for it, so PostgreSQL can also read it. SQLite forms the
line in its SELECT. UUIDs, times, booleans, bytes and JSON have another form in the two databases. The comparison of the
lines therefore also proves the conversion.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from graphlib import TopologicalSorter
from typing import Any

from django.apps import apps
from django.db import models
from django.db.models import Field, Model

# In this order, because each later replacement must leave the earlier ones alone.
_ESCAPES = (("92", "\\\\"), ("8", "\\b"), ("9", "\\t"), ("10", "\\n"), ("11", "\\v"), ("12", "\\f"), ("13", "\\r"))
_NULL = "\\N"
CHANGE_LOG = "authsvc_change_log"
"""The table of the file that names the changed rows, see `change_log`."""
JSON_FUNCTION = "authsvc_jsonb_text"
"""The name of `jsonb_text` in SQL statements of the file."""


class NoLine(Exception):
    """A field has a type for which this module knows no form in a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table that both databases have. `columns` begins with the primary key."""

    name: str
    columns: tuple[str, ...]
    all_lines: str
    """The query of SQLite for all lines, ordered by the primary key."""
    changed_lines: str
    """The query of SQLite for the lines of the rows whose keys the change log has since an entry."""
    changed_keys: str
    """The query of SQLite for these keys, in the form that they have in a line. Some of the rows are deleted."""
    order: str
    """The expression of PostgreSQL that orders the rows as SQLite does."""
    serial: bool
    """Whether the database itself counts the primary keys."""

    @property
    def column_list(self) -> str:
        return ", ".join(f'"{column}"' for column in self.columns)


def find_tables() -> list[Table]:
    """Return the tables of all models, a table after those that it refers to. Raises NoLine for an unknown type.

    Tables that only PostgreSQL has are not among them.
    """
    every = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    moved = {model for model in every if model._meta.required_db_vendor in (None, "sqlite")}
    arrows = {model: [to for to in _references(model) if to in moved and to is not model] for model in moved}
    return [_table(model) for model in TopologicalSorter(_sorted(arrows)).static_order()]


def _sorted(arrows: dict[type[Model], list[type[Model]]]) -> dict[type[Model], list[type[Model]]]:
    # A set has another order in each process. The same order helps the reader of two runs.
    return dict(sorted(arrows.items(), key=lambda item: item[0]._meta.db_table))


def _references(model: type[Model]) -> Iterator[type[Model]]:
    for field in model._meta.local_concrete_fields:
        if field.remote_field is not None:
            yield field.remote_field.model


def _table(model: type[Model]) -> Table:
    key = model._meta.pk
    fields = [key, *(field for field in model._meta.local_concrete_fields if field is not key)]
    parts = [f"ifnull({_expression(field)}, '{_NULL}')" for field in fields]
    name = model._meta.db_table
    lines = f'SELECT {" || char(9) || ".join(parts)} || char(10) FROM "{name}"'  # noqa: S608 - names of the models
    changed = f"FROM {CHANGE_LOG} WHERE name = '{name}' AND id > ?"
    return Table(
        name=name,
        columns=tuple(str(field.column) for field in fields),
        all_lines=f'{lines} ORDER BY "{key.column}"',
        changed_lines=f'{lines} WHERE "{key.column}" IN (SELECT key {changed}) ORDER BY "{key.column}"',
        changed_keys=f"SELECT {_expression(key, column='key')} || char(10) FROM (SELECT DISTINCT key {changed})",  # noqa: S608 - see above
        order=f'"{key.column}"' + (' COLLATE "C"' if _kind_of(key) in _TEXT else ""),
        serial=isinstance(key, models.AutoField),
    )


_TEXT = {"CharField", "TextField", "EmailField", "SlugField", "URLField"}
_NUMBERS = {
    *("AutoField", "BigAutoField", "SmallAutoField", "IntegerField", "BigIntegerField", "SmallIntegerField"),
    *("PositiveIntegerField", "PositiveBigIntegerField", "PositiveSmallIntegerField"),
}
_FORMS = {
    "UUIDField": "substr({0}, 1, 8) || '-' || substr({0}, 9, 4) || '-' || substr({0}, 13, 4) || '-' || "
    "substr({0}, 17, 4) || '-' || substr({0}, 21)",
    # SQLite has `2026-11-21 03:44:00` or six digits more, in UTC. PostgreSQL writes the digits without zeros at the end.
    "DateTimeField": "rtrim(rtrim(substr({0} || '.000000', 1, 26), '0'), '.') || '+00'",
    "DateField": "{0}",
    "BooleanField": "CASE {0} WHEN 1 THEN 't' WHEN 0 THEN 'f' ELSE {0} END",
    "BinaryField": "'\\\\x' || CASE WHEN {0} IS NULL THEN NULL ELSE lower(hex({0})) END",
}


def _expression(field: "Field[Any, Any]", *, column: str = "") -> str:
    """Return SQLite's expression for the field's part of the line. It is NULL for a NULL.

    `column` is the name of another column that has the value.
    """
    kind, column = _kind_of(field), f'"{column or field.column}"'
    if kind in _NUMBERS:
        return f"CAST({column} AS TEXT)"
    if kind in _FORMS:
        return _FORMS[kind].format(column)
    if kind == "JSONField":
        column = f"{JSON_FUNCTION}({column})"
    elif kind not in _TEXT:
        raise NoLine(f"{field.model._meta.label}.{field.name} is a {kind}, which has no form in a line.")
    for code, escape in _ESCAPES:
        column = f"replace({column}, char({code}), '{escape}')"
    return column


def _kind_of(field: "Field[Any, Any]") -> str:
    while field.remote_field is not None:
        field = field.target_field  # type: ignore[attr-defined]  # a relation has the attribute
    return field.get_internal_type()


@lru_cache(maxsize=4096)
def jsonb_text(text: str | bytes | None) -> str | None:
    """Return the JSON text in the form in which PostgreSQL writes a `jsonb` value."""
    if text is None:
        return None
    # A number keeps its digits: `1.50` stays, and `1e2` becomes 100.
    return _written(json.loads(text, parse_float=Decimal, parse_int=Decimal))


def _written(value: Any) -> str:
    match value:
        case dict():
            # `jsonb` sorts the keys by their length in bytes, then by their bytes.
            keys = sorted(value, key=lambda key: (len(key.encode()), key.encode()))
            return "{" + ", ".join(f"{_written(key)}: {_written(value[key])}" for key in keys) + "}"
        case list():
            return "[" + ", ".join(map(_written, value)) + "]"
        case Decimal():
            # `jsonb` has no negative zero.
            return f"{value:f}" if value else f"{abs(value):f}"
    return json.dumps(value, ensure_ascii=False)
