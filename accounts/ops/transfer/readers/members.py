"""Members of a row from the words of other systems. Every function raises RefusedRow for a word that it does not know."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import orjson

from ..inputs import Input
from ..values import RefusedRow
from .tables import FORMULA_STARTS

_MILLISECONDS_FROM = 10**11
"""A number of seconds of this size lies in the year 5138."""


def yes_or_no(value: Any, *, name: str, yes: Iterable[Any], no: Iterable[Any]) -> bool:
    """Return whether the value is one of the format's words for yes. Words are compared with their case."""
    # `1 == True` in Python, so the types count too.
    if any(value == word and type(value) is type(word) for word in yes):
        return True
    if any(value == word and type(value) is type(word) for word in no):
        return False
    raise RefusedRow(f"{name}: is neither {' or '.join(map(str, yes))} nor {' or '.join(map(str, no))}.")


def boolean(source: Mapping[str, Any], name: str, *, default: bool = False) -> bool:
    """Return a member of a JSON document that is true or false."""
    value = source.get(name)
    return default if value is None else yes_or_no(value, name=name, yes=(True,), no=(False,))


def timestamp(value: Any, *, name: str) -> str | None:
    """Return the time in RFC 3339. The value is such a text, one of PostgreSQL, or a number of (milli)seconds since 1970."""
    if value is None or value == "":
        return None
    try:
        if isinstance(value, str) and not value.isdecimal():
            found = datetime.fromisoformat(value.removesuffix(" UTC"))
            return (found if found.tzinfo else found.replace(tzinfo=UTC)).isoformat()
        number = int(value)
        seconds = number / 1000 if number >= _MILLISECONDS_FROM else number
        return datetime.fromtimestamp(seconds, tz=UTC).isoformat()
    except (ValueError, OverflowError, OSError, TypeError):
        raise RefusedRow(f"{name}: is no time.") from None


def text_of(value: Any) -> str | None:
    """Return an id of a JSON document as text: a string or a whole number. None for a missing one."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise RefusedRow("An id must be a string or a number.")


def cell_address(value: str | None) -> str | None:
    """Return an address from a CSV. Raises RefusedRow for a formula, which a spreadsheet would run."""
    if value is not None and value.startswith(FORMULA_STARTS):
        raise RefusedRow("email: looks like a formula of a spreadsheet.")
    return value


def chosen_metadata(source: Mapping[str, Any], given: Input) -> dict[str, Any]:
    """Return the metadata that the operator chose: the members of an object, or a member under its own name."""
    found: dict[str, Any] = {}
    for name in given.metadata:
        value = source.get(name)
        if isinstance(value, str) and value.startswith("{"):
            value = _parse(value, name=name)
        if isinstance(value, dict):
            found |= value
        elif value is not None:
            found[name] = value
    return found


def object_of(value: Any, *, name: str) -> Mapping[str, Any]:
    """Return a member that is a JSON object, or a text with one. An empty object when it is missing."""
    if value is None or value == "":
        return {}
    found = _parse(value, name=name) if isinstance(value, str) else value
    if not isinstance(found, dict):
        raise RefusedRow(f"{name}: must be an object.")
    return found


def objects_of(value: Any, *, name: str) -> list[Mapping[str, Any]]:
    """Return a member that is a list of objects. An empty list when it is missing."""
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise RefusedRow(f"{name}: must be a list of objects.")
    return value


def without_nothing(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row without members that are None, or empty lists and objects."""
    return {name: value for name, value in row.items() if value is not None and value not in ([], {})}


def _parse(text: str, *, name: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        raise RefusedRow(f"{name}: is no JSON.") from None
